#include "core/binning/binning.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "core/binning/binning_jobs.hpp"
#include "core/binning/many_values.hpp"
#include "core/binning/thresholds.hpp"
#include "core/binning/value_counts.hpp"

namespace frugalboost {
namespace {

// Columns of a panel that must be sorted are gathered together while they fit: reading one column
// of a row-major table costs as much as reading all that share its cache lines.
constexpr std::size_t kGatherBytes = std::size_t{8} << 20;

using Tile = std::vector<char>;

struct Buffers {
  Tile tile;
  std::vector<std::int32_t> integers = std::vector<std::int32_t>(kTileRows);
};

template <class T>
void push_keys(const T* values, std::size_t n, std::vector<Key<T>>& keys) {
  for (std::size_t i = 0; i < n; ++i)
    if (!is_missing(values[i])) keys.push_back(to_key(values[i]));
}

// Sorts those columns of the panel.
template <class T>
void bin_by_sorting(const ChosenColumns& chosen, std::size_t max_bins, Tile& tile,
                    Listener& listener, ColumnBins* out) {
  const Panel& panel = *chosen.panel;
  const std::vector<std::size_t>& columns = chosen.columns;
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
    visit_tiles<T>({&panel, {0, n_rows}, 0}, tile, listener,
                   [&](std::size_t c, std::size_t, const T* values, std::size_t m) {
                     if (place[c] != not_now) push_keys(values, m, keys[place[c]]);
                   });
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t n_missing = n_rows - keys[i].size();
      const Distinct distinct = distinct_by_sorting<T>(keys[i], spare, listener);
      out[panel.first_number + columns[first + i]] = bins_of(distinct, n_missing, max_bins);
    }
  }
}

// The bins of panels of one type.
template <class T>
class TypedBins {
 public:
  TypedBins(const std::vector<Panel>& panels, std::size_t max_bins, int n_threads,
            Listener& listener, ColumnBins* out)
      : panels_(panels),
        max_bins_(max_bins),
        n_threads_(n_threads),
        listener_(listener),
        out_(out) {}

  void find() {
    count();
    std::vector<ChosenColumns> left = finish_counted();
    if (left.empty()) return;
    if (ManyValues<T>::is_worth(panels_[0].part->n_rows, max_bins_))
      left = ManyValues<T>(left, n_threads_, listener_).find(left, max_bins_, out_);
    sort(divided(left));
  }

 private:
  // Counts of one column, to which threads add those of the rows that they have looked at.
  struct Counter {
    ValueCounts<T> counts;
    std::mutex mutex;
    std::atomic<bool> gave_up{false};
  };

  std::size_t n_rows() const { return panels_[0].part->n_rows; }

  void count() {
    for (const Panel& panel : panels_) first_counter_.push_back(n_counters_), add(panel.n_columns);
    counters_ = std::make_unique<Counter[]>(n_counters_);
    const auto pieces = slice_panels(panels_, count_slices(panels_, n_threads_));
    const std::size_t cost = n_rows() * n_counters_ / pieces.size();
    const auto count_piece = [&](std::size_t i, Buffers& buffers) {
      count(pieces[i], counters_.get() + first_counter_[pieces[i].panel - panels_.data()], buffers);
    };
    for_each_job<Buffers>(pieces.size(), cost, n_threads_, listener_, count_piece);
  }

  void add(std::size_t n_columns) { n_counters_ += n_columns; }

  void count(const PanelRows& piece, Counter* counters, Buffers& buffers) {
    const std::size_t n_columns = piece.panel->n_columns;
    std::vector<ValueCounts<T>> counts(n_columns);
    const auto is_wanted = [&] {
      return std::any_of(counters, counters + n_columns, [](const Counter& counter) {
        return !counter.gave_up.load(std::memory_order_relaxed);
      });
    };
    visit_tiles<T>(piece, buffers.tile, listener_, is_wanted,
                   [&](std::size_t c, std::size_t, const T* values, std::size_t n) {
                     std::atomic<bool>& gave_up = counters[c].gave_up;
                     if (gave_up.load(std::memory_order_relaxed)) return;
                     counts[c].add(values, n, buffers.integers.data());
                     if (counts[c].gave_up()) gave_up.store(true, std::memory_order_relaxed);
                   });
    for (std::size_t c = 0; c < n_columns; ++c) {
      if (counters[c].gave_up.load(std::memory_order_relaxed)) continue;
      const std::lock_guard<std::mutex> lock(counters[c].mutex);
      counters[c].counts.add(std::move(counts[c]));
      if (counters[c].counts.gave_up()) counters[c].gave_up.store(true, std::memory_order_relaxed);
    }
  }

  // Returns the columns of too many values.
  std::vector<ChosenColumns> finish_counted() {
    parallel_each(n_counters_, n_threads_, [&](std::size_t i) {
      if (counters_[i].gave_up.load() || !listener_.goes_on(kTileRows)) return;
      const ValueCounts<T>& counts = counters_[i].counts;
      out_[number_of(i)] = bins_of(counts.distinct(), counts.n_missing(), max_bins_);
    });
    std::vector<ChosenColumns> left;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      ChosenColumns chosen{&panels_[p], {}};
      for (std::size_t c = 0; c < panels_[p].n_columns; ++c)
        if (counters_[first_counter_[p] + c].gave_up.load()) chosen.columns.push_back(c);
      if (!chosen.columns.empty()) left.push_back(chosen);
    }
    counters_.reset();
    return left;
  }

  std::size_t number_of(std::size_t counter) const {
    const auto after = std::upper_bound(first_counter_.begin(), first_counter_.end(), counter);
    const std::size_t p = after - first_counter_.begin() - 1;
    return panels_[p].first_number + counter - first_counter_[p];
  }

  // Enough groups of columns for all threads.
  std::vector<ChosenColumns> divided(const std::vector<ChosenColumns>& chosen) const {
    std::size_t n_columns = 0;
    for (const ChosenColumns& each : chosen) n_columns += each.columns.size();
    const std::size_t most =
        std::max<std::size_t>(1, n_columns / (4 * static_cast<std::size_t>(n_threads_)));
    std::vector<ChosenColumns> groups;
    for (const ChosenColumns& each : chosen) {
      const auto& columns = each.columns;
      for (std::size_t first = 0; first < columns.size(); first += most) {
        const std::size_t end = std::min(first + most, columns.size());
        groups.push_back({each.panel, {columns.begin() + first, columns.begin() + end}});
      }
    }
    return groups;
  }

  void sort(const std::vector<ChosenColumns>& groups) {
    const auto sort_group = [&](std::size_t i, Tile& tile) {
      bin_by_sorting<T>(groups[i], max_bins_, tile, listener_, out_);
    };
    for_each_job<Tile>(groups.size(), n_rows(), n_threads_, listener_, sort_group);
  }

  const std::vector<Panel>& panels_;
  std::size_t max_bins_;
  int n_threads_;
  Listener& listener_;
  ColumnBins* out_;
  std::size_t n_counters_ = 0;
  std::vector<std::size_t> first_counter_;  // of each panel
  std::unique_ptr<Counter[]> counters_;
};

// Bins of a column of stored values and `n_zeros` more zeros.
template <class T>
ColumnBins bin_stored(const T* values, std::size_t n, std::size_t n_zeros, std::size_t max_bins,
                      std::int32_t* room, Listener& listener) {
  ValueCounts<T> counts;
  for (std::size_t first = 0; first < n && listener.goes_on(kTileRows); first += kTileRows)
    counts.add(values + first, std::min(kTileRows, n - first), room);
  Distinct distinct;
  std::size_t n_missing = counts.n_missing();
  if (counts.gave_up()) {
    std::vector<Key<T>> keys, spare;
    keys.reserve(n);
    push_keys(values, n, keys);
    n_missing = n - keys.size();
    distinct = distinct_by_sorting<T>(keys, spare, listener);
  } else {
    distinct = counts.distinct();
  }
  distinct.add_zeros(n_zeros);
  return bins_of(distinct, n_missing, max_bins);
}

}  // namespace

std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads, const Poll& poll) {
  Listener listener(poll);
  std::size_t n_columns = 0;
  for (const MatrixView& part : parts) n_columns += part.n_columns;
  std::vector<ColumnBins> bins(n_columns);
  std::vector<Panel> panels = make_panels(parts);
  const auto by_type = [](const Panel& a, const Panel& b) { return a.part->type < b.part->type; };
  std::stable_sort(panels.begin(), panels.end(), by_type);
  for (auto first = panels.begin(); first != panels.end();) {
    const auto end = std::upper_bound(first, panels.end(), *first, by_type);
    with_type(first->part->type, [&](auto zero) {
      using T = decltype(zero);
      const std::vector<Panel> same(first, end);
      TypedBins<T>(same, max_bins, n_threads, listener, bins.data()).find();
    });
    first = end;
  }
  return bins;
}

std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads,
                                  const Poll& poll) {
  Listener listener(poll);
  std::vector<ColumnBins> bins(matrix.n_columns);
  const std::size_t n_entries = matrix.indptr[matrix.n_columns] - matrix.indptr[0];
  const std::size_t cost = n_entries / std::max<std::size_t>(1, matrix.n_columns);
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    const auto bin_column = [&](std::size_t j, Buffers& buffers) {
      const std::size_t n = matrix.n_stored(j);
      bins[j] = bin_stored(data + matrix.indptr[j], n, matrix.n_rows - n, max_bins,
                           buffers.integers.data(), listener);
    };
    for_each_job<Buffers>(matrix.n_columns, cost, n_threads, listener, bin_column);
  });
  return bins;
}

}  // namespace frugalboost
