// Which way the rows of a node go at its split.
#pragma once

#include <array>
#include <vector>

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/rows/rows.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// 1 for each code that a split sends left.
std::vector<std::uint8_t> side_of_code(const Column& column, const SplitChoice& choice);

class SideFinder {
 public:
  explicit SideFinder(const Columns& columns, int n_threads = 1)
      : columns_(columns), n_threads_(n_threads) {}

  // Puts the rows of a range whose code on the feature has side_of_code set before the others. For
  // the rest see RowOrder::divide.
  Division divide(std::uint32_t feature, Range range, const std::vector<std::uint8_t>& side_of_code,
                  std::size_t n_heavy, bool is_weighed, RowOrder& order);

  // Only looks, and writes to out[row] what a side says, out_of_side[1] for rows that go left.
  Division look(std::uint32_t feature, Range range, const std::vector<std::uint8_t>& side_of_code,
                std::size_t n_heavy, bool is_weighed, const RowOrder& order,
                const std::array<std::int32_t, 2>& out_of_side, std::int32_t* out);

 private:
  template <class Use>
  Division with_side_of(std::uint32_t feature, std::size_t n_rows,
                        const std::vector<std::uint8_t>& side_of_code, Use&& use);
  template <class Use>
  Division with_marks(const Column& column, const std::vector<std::uint8_t>& side_of_code,
                      Use&& use);

  const Columns& columns_;
  int n_threads_;
  std::vector<std::uint8_t> marks_;  // by row; zero between calls
};

}  // namespace frugalboost
