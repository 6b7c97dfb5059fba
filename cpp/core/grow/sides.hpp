// Which way the rows of a node go at its split.
#pragma once

#include <vector>

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/rows/rows.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// 1 for each code that a split sends left.
std::vector<std::uint8_t> side_of_code(const Column& column, const SplitChoice& choice);

// How the rows of a node go at its split: how many go left, and for two classes what they weigh.
struct Division {
  std::size_t n_left = 0;
  Sum left_difference = 0;  // w_1 - w_0
  Sum left_mass = 0;        // w_1 + w_0

  std::vector<Sum> left_totals() const {
    return {(left_mass - left_difference) / 2, (left_mass + left_difference) / 2};
  }
  void operator+=(const Division& other) {
    n_left += other.n_left;
    left_difference += other.left_difference;
    left_mass += other.left_mass;
  }
};

class SideFinder {
 public:
  explicit SideFinder(const Columns& columns, int n_threads = 1)
      : columns_(columns), n_threads_(n_threads) {}

  // sides()[i] = side_of_code[code of the i-th row of the range on the feature]. Weights are looked
  // at if `is_weighed`, which takes two classes.
  Division find(std::uint32_t feature, const RowOrder& order, Range range,
                const std::vector<std::uint8_t>& side_of_code, bool is_weighed);

  const std::uint8_t* sides() const { return sides_.data(); }
  // How many rows go left in each slice of the range.
  const std::vector<std::size_t>& lefts() const { return lefts_; }

 private:
  template <class SideOf>
  Division look_up(const RowOrder& order, Range range, bool is_weighed, SideOf&& side_of);
  Division find_marked(const Column& column, const RowOrder& order, Range range,
                       const std::vector<std::uint8_t>& side_of_code, bool is_weighed);

  const Columns& columns_;
  int n_threads_;
  Scratch<std::uint8_t> sides_;
  std::vector<std::size_t> lefts_;
  std::vector<std::uint8_t> marks_;  // by row; zero between calls
};

}  // namespace frugalboost
