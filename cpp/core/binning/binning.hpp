// From raw columns to bins: finding the cut values.
#pragma once

#include <cstddef>
#include <vector>

#include "core/binning/column_bins.hpp"
#include "core/binning/raw_table.hpp"

namespace frugalboost {

// A column with at most max_bins distinct values gets a bin for each; others are cut at quantiles.
// Columns are numbered through all parts.
std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads, const Poll& poll = unheard);
std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads,
                                  const Poll& poll = unheard);

}  // namespace frugalboost
