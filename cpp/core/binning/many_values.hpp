// Bins of columns with so many values that to count or to sort them all would take long.
//
// A cut depends on the few values beside it. So values are counted by ranges that a sample
// suggests, and only ranges in which something is cut are taken apart, value by value: about a
// tenth of the rows. The cuts are those of all values, whatever the sample was; a poor one takes
// longer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "core/binning/binning_jobs.hpp"
#include "core/binning/code_lookup.hpp"
#include "core/binning/column_bins.hpp"
#include "core/binning/raw_table.hpp"
#include "core/binning/sort_keys.hpp"
#include "core/binning/value_counts.hpp"

namespace frugalboost {

constexpr std::size_t kValueRanges = 4096;
constexpr std::size_t kSampledRows = 16 * kValueRanges;

// One column: how many rows each range holds, and what is known of the values in it.
template <class T>
class ValueRanges {
 public:
  // The sample has no missing values; it is sorted.
  explicit ValueRanges(std::vector<double> sample)
      : ends_(range_ends(std::move(sample))),
        lookup_({ends_.data(), ends_.size()}, kSampledRows),
        counts_(ends_.size() + 2, 0),
        is_wanted_(ends_.size() + 2, 0),
        values_(ends_.size() + 1) {}
  ValueRanges(const ValueRanges&) = delete;
  ValueRanges& operator=(const ValueRanges&) = delete;

  std::size_t n_codes() const { return counts_.size(); }
  const CodeLookup& lookup() const { return lookup_; }
  const std::uint8_t* is_wanted() const { return is_wanted_.data(); }

  void add_counts(const std::vector<std::uint32_t>& counts) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t code = 0; code < counts.size(); ++code) counts_[code] += counts[code];
  }

  void add_keys(std::vector<Key<T>>&& keys) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (keys_.empty()) {
      keys_ = std::move(keys);
      return;
    }
    keys_.insert(keys_.end(), keys.begin(), keys.end());
  }

  bool any_wanted() const {
    return std::find(is_wanted_.begin(), is_wanted_.end(), 1) != is_wanted_.end();
  }

  // Either finds the bins or, as a rule, asks for the keys of more ranges.
  bool find(std::size_t max_bins, ColumnBins& bins, Listener& listener) {
    take_apart(listener);
    Distinct entries;
    std::vector<bool> is_group;
    std::vector<std::size_t> range_of;
    for (std::size_t range = 0; range < values_.size(); ++range) {
      append(range, entries);
      is_group.resize(entries.values.size(), values_[range].values.empty());
      range_of.resize(entries.values.size(), range);
    }
    if (entries.values.size() <= max_bins) return false;  // too few to tell
    const std::size_t n_missing = counts_.back();
    const auto coarse = too_coarse(entries, is_group, max_bins, n_missing > 0);
    for (const std::size_t entry : coarse) is_wanted_[range_of[entry]] = 1;
    if (coarse.empty()) bins = bins_of(entries, n_missing, max_bins);
    return coarse.empty();
  }

 private:
  static std::vector<double> range_ends(std::vector<double> sample) {
    std::vector<double> ends;
    for (std::size_t range = 1; range < kValueRanges; ++range) {
      const double end = sample[sample.size() * range / kValueRanges];
      if (ends.empty() || ends.back() < end) ends.push_back(end);
    }
    return ends;
  }

  // The values of a range that was taken apart, or one entry, with any value of the range, for all.
  void append(std::size_t range, Distinct& entries) const {
    const Distinct& found = values_[range];
    entries.values.insert(entries.values.end(), found.values.begin(), found.values.end());
    entries.counts.insert(entries.counts.end(), found.counts.begin(), found.counts.end());
    if (!found.values.empty() || counts_[range] == 0) return;
    const bool is_last = range == ends_.size();
    entries.values.push_back(is_last ? std::numeric_limits<double>::infinity() : ends_[range]);
    entries.counts.push_back(counts_[range]);
  }

  // Sorts the keys that came into their ranges.
  void take_apart(Listener& listener) {
    std::vector<Key<T>> spare;
    const Distinct found = distinct_by_sorting<T>(keys_, spare, listener);
    keys_ = {};
    const Cuts ends{ends_.data(), ends_.size()};
    for (std::size_t i = 0; i < found.values.size(); ++i)
      values_[ends.below(found.values[i])].push(found.values[i], found.counts[i]);
    std::fill(is_wanted_.begin(), is_wanted_.end(), std::uint8_t{0});
  }

  std::vector<double> ends_;  // a value beyond end r - 1, and not beyond end r, is in range r
  CodeLookup lookup_;
  std::vector<std::uint32_t> counts_;    // of each range, and of missing values
  std::vector<std::uint8_t> is_wanted_;  // ranges to be taken apart next
  std::vector<Distinct> values_;         // of ranges that were taken apart
  std::vector<Key<T>> keys_;
  std::mutex mutex_;
};

// Some columns of a panel.
struct ChosenColumns {
  const Panel* panel;
  std::vector<std::size_t> columns;  // inside the panel
};

template <class T>
class ManyValues {
 public:
  // Fewer rows are sorted in no time; so many bins would cut most of the ranges.
  static bool is_worth(std::size_t n_rows, std::size_t max_bins) {
    return n_rows >= 2 * kSampledRows && max_bins <= kValueRanges / 8;
  }

  ManyValues(const std::vector<ChosenColumns>& chosen, int n_threads, Listener& listener)
      : n_threads_(n_threads), listener_(listener) {
    for (const ChosenColumns& each : chosen) {
      panels_.push_back(*each.panel);
      for (const std::size_t column : each.columns) tasks_.emplace_back(panels_.size() - 1, column);
    }
    parallel_each(tasks_.size(), n_threads, [&](std::size_t i) {
      if (listener.goes_on(kSampledRows)) draw(tasks_[i]);
    });
    pieces_ = slice_panels(panels_, count_slices(panels_, n_threads));
  }

  // Finds the bins of most columns; returns the others, in the panels that were given.
  std::vector<ChosenColumns> find(const std::vector<ChosenColumns>& chosen, std::size_t max_bins,
                                  ColumnBins* bins) {
    constexpr int most_passes = 4;
    count();
    for (int pass = 0; pass < most_passes; ++pass) {
      parallel_each(tasks_.size(), n_threads_, [&](std::size_t i) {
        Task& task = tasks_[i];
        if (!task.is_pending() || !listener_.goes_on(kSampledRows)) return;
        const std::size_t number = panels_[task.panel].first_number + task.column;
        task.is_done = task.ranges->find(max_bins, bins[number], listener_);
        task.is_hopeless = !task.is_done && !task.ranges->any_wanted();
        if (!task.is_pending()) task.ranges.reset();  // or the values of all columns add up
      });
      if (!any_pending()) break;
      collect();
    }
    return unfinished(chosen);
  }

 private:
  struct Task {
    Task(std::size_t panel, std::size_t column) : panel(panel), column(column) {}

    std::size_t panel, column;
    std::unique_ptr<ValueRanges<T>> ranges;
    bool is_done = false, is_hopeless = false;
    bool is_pending() const { return !is_done && !is_hopeless; }
  };

  struct Buffers {
    std::vector<char> tile;
    std::vector<std::uint16_t> codes = std::vector<std::uint16_t>(kTileRows);
    std::vector<std::int32_t> integers = std::vector<std::int32_t>(kTileRows);
  };

  bool any_pending() const {
    return std::any_of(tasks_.begin(), tasks_.end(), [](const Task& t) { return t.is_pending(); });
  }

  void draw(Task& task) const {
    const Panel& panel = panels_[task.panel];
    const MatrixView& part = *panel.part;
    std::vector<double> sample;
    sample.reserve(kSampledRows);
    for (std::size_t i = 0; i < kSampledRows; ++i) {
      const char* cell = part.at(part.n_rows * i / kSampledRows, panel.first + task.column);
      const T value = *reinterpret_cast<const T*>(cell);
      if (!is_missing(value)) sample.push_back(static_cast<double>(value));
    }
    std::sort(sample.begin(), sample.end());
    task.is_hopeless = sample.size() < kValueRanges;
    if (!task.is_hopeless) task.ranges = std::make_unique<ValueRanges<T>>(std::move(sample));
  }

  // Calls visit(task, local, values, codes, n) for the tiles of tasks that are pending, then
  // finish(task, local); `local` is a Local of that task and piece.
  template <class Local, class Visit, class Finish>
  void visit_ranges(Visit&& visit, Finish&& finish) {
    const auto visit_piece = [&](std::size_t i, Buffers& room) {
      const Panel* panel = pieces_[i].panel;
      std::vector<Task*> task_of(panel->n_columns, nullptr);
      for (Task& task : tasks_)
        if (&panels_[task.panel] == panel && task.is_pending()) task_of[task.column] = &task;
      std::vector<Local> locals(panel->n_columns);
      visit_tiles<T>(pieces_[i], room.tile, listener_,
                     [&](std::size_t c, std::size_t, const T* values, std::size_t n) {
                       if (task_of[c] == nullptr) return;
                       std::uint16_t* codes = room.codes.data();
                       task_of[c]->ranges->lookup().encode(values, n, codes, room.integers.data());
                       visit(*task_of[c], locals[c], values, codes, n);
                     });
      for (std::size_t c = 0; c < panel->n_columns; ++c)
        if (task_of[c] != nullptr) finish(*task_of[c], locals[c]);
    };
    for_each_job<Buffers>(pieces_.size(), kTileRows, n_threads_, listener_, visit_piece);
  }

  void count() {
    using Counts = std::vector<std::uint32_t>;
    visit_ranges<Counts>(
        [](Task& task, Counts& counts, const T*, const std::uint16_t* codes, std::size_t n) {
          counts.resize(task.ranges->n_codes(), 0);
          for (std::size_t i = 0; i < n; ++i) ++counts[codes[i]];
        },
        [](Task& task, const Counts& counts) { task.ranges->add_counts(counts); });
  }

  void collect() {
    using Keys = std::vector<Key<T>>;
    visit_ranges<Keys>(
        [](Task& task, Keys& keys, const T* values, const std::uint16_t* codes, std::size_t n) {
          const std::uint8_t* is_wanted = task.ranges->is_wanted();
          for (std::size_t i = 0; i < n; ++i)
            if (is_wanted[codes[i]]) keys.push_back(to_key(values[i]));
        },
        [](Task& task, Keys& keys) { task.ranges->add_keys(std::move(keys)); });
  }

  std::vector<ChosenColumns> unfinished(const std::vector<ChosenColumns>& chosen) const {
    std::vector<ChosenColumns> left(chosen.size());
    for (std::size_t p = 0; p < chosen.size(); ++p) left[p].panel = chosen[p].panel;
    for (const Task& task : tasks_)
      if (!task.is_done) left[task.panel].columns.push_back(task.column);
    return left;
  }

  int n_threads_;
  Listener& listener_;
  std::vector<Panel> panels_;
  std::vector<Task> tasks_;
  std::vector<PanelRows> pieces_;
};

}  // namespace frugalboost
