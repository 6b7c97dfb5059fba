#include "core/binning/binning.hpp"

#include <algorithm>

#include "core/binning/binning_jobs.hpp"
#include "core/binning/thresholds.hpp"
#include "core/binning/value_counts.hpp"

namespace frugalboost {
namespace {

// Columns of a panel that must be sorted are gathered together while they fit: reading one column
// of a row-major table costs as much as reading all that share its cache lines.
constexpr std::size_t kGatherBytes = std::size_t{8} << 20;

using Tile = std::vector<char>;

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

template <class T>
void push_keys(const T* values, std::size_t n, std::vector<Key<T>>& keys) {
  for (std::size_t i = 0; i < n; ++i)
    if (!is_missing(values[i])) keys.push_back(to_key(values[i]));
}

// Sorts those columns of the panel that have too many values to count.
template <class T>
void bin_by_sorting(const Panel& panel, const std::vector<std::size_t>& columns,
                    std::size_t max_bins, Tile& tile, ColumnBins* out) {
  const std::size_t n_rows = panel.part->n_rows;
  const std::size_t at_once = std::max<std::size_t>(1, kGatherBytes / (sizeof(Key<T>) * n_rows));
  std::vector<std::vector<Key<T>>> keys(std::min(at_once, columns.size()));
  std::vector<Key<T>> spare;
  constexpr std::size_t not_now = ~std::size_t{0};
  for (std::size_t first = 0; first < columns.size(); first += at_once) {
    const std::size_t n = std::min(at_once, columns.size() - first);
    std::vector<std::size_t> place(panel.n_columns, not_now);
    for (std::size_t i = 0; i < n; ++i) {
      place[columns[first + i]] = i;
      keys[i].clear();
      keys[i].reserve(n_rows);
    }
    visit_tiles<T>(panel, tile, [&](std::size_t c, std::size_t, const T* values, std::size_t m) {
      if (place[c] != not_now) push_keys(values, m, keys[place[c]]);
    });
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t n_missing = n_rows - keys[i].size();
      const Distinct distinct = distinct_by_sorting<T>(keys[i], spare);
      out[columns[first + i]] = bins_of(distinct, n_missing, max_bins);
    }
  }
}

template <class T>
void bin_panel(const Panel& panel, std::size_t max_bins, Tile& tile, ColumnBins* out) {
  std::vector<ValueCounts<T>> counts(panel.n_columns, ValueCounts<T>(panel.part->n_rows));
  visit_tiles<T>(panel, tile, [&](std::size_t c, std::size_t, const T* values, std::size_t n) {
    counts[c].add(values, n);
  });
  std::vector<std::size_t> too_many;
  for (std::size_t c = 0; c < panel.n_columns; ++c) {
    if (counts[c].gave_up()) {
      too_many.push_back(c);
    } else {
      out[c] = bins_of(counts[c].distinct(), counts[c].n_missing(), max_bins);
    }
  }
  if (!too_many.empty()) bin_by_sorting<T>(panel, too_many, max_bins, tile, out);
}

// Bins of a column of stored values and `n_zeros` more zeros.
template <class T>
ColumnBins bin_stored(const T* values, std::size_t n, std::size_t n_zeros, std::size_t max_bins) {
  ValueCounts<T> counts(n);
  counts.add(values, n);
  Distinct distinct;
  std::size_t n_missing = counts.n_missing();
  if (counts.gave_up()) {
    std::vector<Key<T>> keys, spare;
    keys.reserve(n);
    push_keys(values, n, keys);
    n_missing = n - keys.size();
    distinct = distinct_by_sorting<T>(keys, spare);
  } else {
    distinct = counts.distinct();
  }
  distinct.add_zeros(n_zeros);
  return bins_of(distinct, n_missing, max_bins);
}

}  // namespace

std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads) {
  std::size_t n_columns = 0;
  for (const MatrixView& part : parts) n_columns += part.n_columns;
  std::vector<ColumnBins> bins(n_columns);
  const std::vector<Panel> panels = make_panels(parts, n_threads);
  const std::size_t cost = panels.empty() ? 0 : parts[0].n_rows * n_columns / panels.size();
  for_each_job<Tile>(panels.size(), cost, n_threads, [&](std::size_t i, Tile& tile) {
    with_type(panels[i].part->type, [&](auto zero) {
      bin_panel<decltype(zero)>(panels[i], max_bins, tile, bins.data() + panels[i].first_number);
    });
  });
  return bins;
}

std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads) {
  std::vector<ColumnBins> bins(matrix.n_columns);
  const std::size_t n_entries = matrix.indptr[matrix.n_columns] - matrix.indptr[0];
  const std::size_t cost = n_entries / std::max<std::size_t>(1, matrix.n_columns);
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    for_each_job<char>(matrix.n_columns, cost, n_threads, [&](std::size_t j, char&) {
      const std::size_t n = matrix.n_stored(j);
      bins[j] = bin_stored(data + matrix.indptr[j], n, matrix.n_rows - n, max_bins);
    });
  });
  return bins;
}

}  // namespace frugalboost
