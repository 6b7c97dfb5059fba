// How the rows of a node go at its split.
#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace frugalboost {

// How many go left, and for two classes what they weigh.
struct Division {
  std::size_t begin = 0;  // where they stand after they were moved, those that go left first
  std::size_t n_left = 0;
  std::size_t n_heavy_left = 0;  // of those at the front of the range that count as heavy
  Sum left_difference = 0;       // w_1 - w_0
  Sum left_mass = 0;             // w_1 + w_0

  Range left() const { return {begin, begin + n_left}; }
  std::vector<Sum> left_totals() const {
    return {(left_mass - left_difference) / 2, (left_mass + left_difference) / 2};
  }
  void operator+=(const Division& other) {
    n_left += other.n_left;
    n_heavy_left += other.n_heavy_left;
    add_weights(other);
  }
  void add_weights(const Division& other) {
    left_difference += other.left_difference;
    left_mass += other.left_mass;
  }
};

// Adds rows whose sides are known. `weights` is null unless wanted; the first n_heavy are heavy.
void count_sides(const std::uint8_t* sides, const Sum* weights, std::size_t n, std::size_t n_heavy,
                 Division& division);

}  // namespace frugalboost
