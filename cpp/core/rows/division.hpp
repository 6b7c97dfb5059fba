// How the rows of a node go at its split.
#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace frugalboost {

// How many go left, and for two classes what they weigh.
struct Division {
  Range range = {};             // where they stand after they were moved
  bool is_right_first = false;  // there, those that go right come before the others
  std::size_t n_left = 0;
  std::size_t n_heavy_left = 0;  // of those at the front of the range that count as heavy
  Sum left_difference = 0;       // w_1 - w_0
  Sum left_mass = 0;             // w_1 + w_0

  Range left() const {
    return is_right_first ? Range{range.end - n_left, range.end}
                          : Range{range.begin, range.begin + n_left};
  }
  Range right() const {
    return is_right_first ? Range{range.begin, range.end - n_left}
                          : Range{range.begin + n_left, range.end};
  }
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
