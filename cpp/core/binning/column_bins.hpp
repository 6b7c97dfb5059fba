// What a column's bins are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/binning/thresholds.hpp"

namespace frugalboost {

struct ColumnBins {
  std::vector<double> thresholds;  // ascending; the bin of x is the number of thresholds below x
  bool has_missing = false;
  std::uint16_t most_frequent = 0;  // of the codes, that of missing values among them
  std::size_t n_others = 0;         // rows with another code
};

ColumnBins bins_of(const Distinct& distinct, std::size_t n_missing, std::size_t max_bins);

}  // namespace frugalboost
