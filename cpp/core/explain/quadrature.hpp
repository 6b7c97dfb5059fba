// Integrals of polynomials over [0, 1], as weighted sums of their values.
#pragma once

#include <cstddef>
#include <vector>

#include "core/threads/listener.hpp"

namespace frugalboost {

// Gauss and Legendre's n points: exact for polynomials of degrees up to 2n - 1.
struct Quadrature {
  Quadrature(std::size_t n, Listener& listener);

  std::vector<double> point, rest, weight;  // ascending; rest = 1 - point, without cancellation
};

}  // namespace frugalboost
