#include "core/binning/column_bins.hpp"

namespace frugalboost {

ColumnBins bins_of(const Distinct& distinct, std::size_t n_missing, std::size_t max_bins) {
  ColumnBins bins;
  bins.has_missing = n_missing > 0;
  bins.thresholds = make_thresholds(distinct, max_bins, bins.has_missing);
  const std::size_t n_cuts = bins.thresholds.size();
  std::size_t n_rows = n_missing, most = 0, bin = 0, in_bin = 0;
  for (std::size_t i = 0; i < distinct.values.size(); ++i) {
    if (bin < n_cuts && bins.thresholds[bin] < distinct.values[i]) {  // no bin is empty
      ++bin;
      in_bin = 0;
    }
    in_bin += distinct.counts[i];
    n_rows += distinct.counts[i];
    if (in_bin > most) {
      most = in_bin;
      bins.most_frequent = static_cast<std::uint16_t>(bin);
    }
  }
  if (n_missing > most) {
    most = n_missing;
    bins.most_frequent = static_cast<std::uint16_t>(n_cuts + 1);
  }
  bins.n_others = n_rows - most;
  return bins;
}

}  // namespace frugalboost
