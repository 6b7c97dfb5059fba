// The signed histogram of a single column, exact, a range of rows at a time.
#pragma once

#include <vector>

#include "core/columns/columns.hpp"
#include "core/rows/rows.hpp"

namespace frugalboost {

class WholeColumn {
 public:
  WholeColumn(const Columns& columns, int n_threads) : columns_(columns), n_threads_(n_threads) {}

  // About `n_rows` rows of the feature are going to be read.
  void begin(std::uint32_t feature, std::size_t n_rows);

  // Adds the signed weights of two classes.
  void add(const RowOrder& order, Range range, Sum* cells);

 private:
  void spread(const Column& column);
  template <class CodeOf>
  void add_codes(const RowOrder& order, Range range, Sum* cells, CodeOf&& code_of);

  const Columns& columns_;
  int n_threads_;
  std::uint32_t feature_ = 0;
  const std::uint8_t* codes_ = nullptr;  // by row; null: looked up
  std::vector<std::uint8_t> dense_;
  std::uint32_t dense_feature_ = 0;
  std::vector<Sum> others_;  // zero between calls
};

}  // namespace frugalboost
