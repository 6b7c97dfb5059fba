#include "core/rows/division.hpp"

#include "core/base/dispatch.hpp"

namespace frugalboost {
namespace {

// Apart from finding sides, which takes look-ups, this is plain arithmetic on arrays: vector
// instructions do it at a fraction of the cost.
FRUGALBOOST_CLONES
void add_left(const std::uint8_t* sides, const Sum* weights, std::size_t n, Division& division) {
  Sum difference = 0, mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Sum weight = weights[i] & -static_cast<Sum>(sides[i]);
    difference += weight;
    mass += weight < 0 ? -weight : weight;
  }
  division.left_difference += difference;
  division.left_mass += mass;
}

FRUGALBOOST_CLONES
std::size_t count_left(const std::uint8_t* sides, std::size_t n) {
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < n; ++i) n_left += sides[i];
  return n_left;
}

}  // namespace

void count_sides(const std::uint8_t* sides, const Sum* weights, std::size_t n, std::size_t n_heavy,
                 Division& division) {
  const std::size_t n_left = count_left(sides, n);
  division.n_left += n_left;
  division.n_heavy_left += n_heavy >= n ? n_left : count_left(sides, n_heavy);
  if (weights != nullptr) add_left(sides, weights, n, division);
}

}  // namespace frugalboost
