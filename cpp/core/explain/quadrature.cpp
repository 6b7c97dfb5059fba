#include "core/explain/quadrature.hpp"

#include <cmath>

namespace frugalboost {
namespace {

struct Legendre {
  double value, slope;
};

// Legendre's polynomial of degree n at x in (-1, 1), by its three-term recurrence.
Legendre legendre(std::size_t n, double x) {
  double last = 1.0, value = x;
  for (std::size_t k = 2; k <= n; ++k) {
    const double degree = static_cast<double>(k);
    const double next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * last) / degree;
    last = value;
    value = next;
  }
  return {value, static_cast<double>(n) * (last - x * value) / (1.0 - x * x)};
}

}  // namespace

Quadrature::Quadrature(std::size_t n, Listener& listener) : point(n), rest(n), weight(n) {
  constexpr double pi = 3.14159265358979323846;
  // The points lie symmetrically, so half of them are enough.
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    listener.goes_on(8 * n);  // polls; there is no other thread to hear of it
    double x = std::cos(pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
    // The guess is so good that Newton's steps reach the last bits in three or four.
    for (int step = 0; step < 6; ++step) {
      const Legendre at = legendre(n, x);
      x -= at.value / at.slope;
    }
    const double slope = legendre(n, x).slope;
    const std::size_t mirror = n - 1 - i;
    point[i] = rest[mirror] = (1.0 - x) / 2.0;
    rest[i] = point[mirror] = (1.0 + x) / 2.0;
    weight[i] = weight[mirror] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
}

}  // namespace frugalboost
