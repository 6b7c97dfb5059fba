// From raw columns to bins: finding the cut values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/binning/raw_table.hpp"

namespace frugalboost {

struct ColumnBins {
  std::vector<double> thresholds;  // ascending; the bin of x is the number of thresholds below x
  bool has_missing = false;
  std::uint16_t most_frequent = 0;  // of the codes, that of missing values among them
  std::size_t n_others = 0;         // rows with another code
};

// A column with at most max_bins distinct values gets a bin for each; others are cut at quantiles.
// Columns are numbered through all parts.
std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads);
std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads);

}  // namespace frugalboost
