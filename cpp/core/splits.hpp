// Finds the best split of one feature, or a lower bound on it, from the feature's histogram.
#pragma once

#include <algorithm>
#include <vector>

#include "core/columns.hpp"
#include "core/losses.hpp"

namespace frugalboost {

template <class Value>
struct Candidate {
  Value loss = no_loss<Value>();
  int bin = -1;  // numeric: last code on the left; categorical: codes of the prefix
  bool missing_left = false;
  int order = -1;  // categorical: which order of the categories
  bool is_valid() const { return bin >= 0; }
};

// Cells of one feature, [code][channel], and the rows behind each code when somebody needs them.
struct Histogram {
  const Sum* cells;
  const std::uint32_t* counts;  // null unless min_samples_leaf > 1
};

// Holds scratch memory: one per thread.
template <class Cell>
class SplitFinder {
 public:
  using Value = typename Cell::Value;

  SplitFinder(Cell cell, std::size_t min_samples_leaf)
      : cell_(cell),
        min_samples_leaf_(min_samples_leaf),
        left_(cell.n_channels()),
        right_(cell.n_channels()),
        total_(cell.n_channels()),
        shifted_(cell.n_channels()) {}

  // Whether any row has the code.
  bool holds(Histogram histogram, int code) const { return !is_empty(at(histogram.cells, code)); }

  // The smallest loss over all splits of the feature, allowed or not, on the rows looked at. A
  // split with an empty side counts: rows not yet seen may fill it.
  Value lower(const Column& column, Histogram histogram, Sum mass) {
    sum_cells(column, histogram.cells);
    Value smallest = cell_.whole(cell_.part(total_.data()), mass);
    if (column.is_categorical) {
      if (cell_.n_orders() > 1) return finest(column, histogram.cells, mass);
      visit_prefixes(column, histogram.cells, 0,
                     [&](int) { smallest = std::min(smallest, split_loss(mass)); });
    } else {
      visit_thresholds(column, histogram.cells,
                       [&](int, bool) { smallest = std::min(smallest, split_loss(mass)); });
    }
    return smallest;
  }

  // The best allowed split; lowest bin first, missing right before missing left.
  Candidate<Value> best(const Column& column, Histogram histogram, Sum mass) {
    sum_cells(column, histogram.cells);
    Candidate<Value> best;
    if (column.is_categorical) {
      for (int order = 0; order < cell_.n_orders(); ++order) {
        visit_prefixes(column, histogram.cells, order, [&](int length) {
          if (!prefix_is_allowed(histogram, length)) return;
          offer(best, split_loss(mass), length, false, order);
        });
      }
    } else {
      visit_thresholds(column, histogram.cells, [&](int bin, bool missing_left) {
        if (!threshold_is_allowed(column, histogram, bin, missing_left)) return;
        offer(best, split_loss(mass), bin, missing_left, -1);
      });
    }
    return best;
  }

  // The categories that `candidate` sends left, by code.
  std::vector<int> left_codes(const Column& column, Histogram histogram,
                              const Candidate<Value>& candidate) {
    sum_cells(column, histogram.cells);
    sort_codes(column, histogram.cells, candidate.order);
    return std::vector<int>(codes_.begin(), codes_.begin() + candidate.bin);
  }

 private:
  const Sum* at(const Sum* cells, int code) const {
    return cells + static_cast<std::size_t>(code) * cell_.n_channels();
  }

  bool is_empty(const Sum* cell) const {
    // Every weight is at least one unit, so a cell holds a row exactly when its weights are not
    // zero. They are the first n_outputs channels in every layout.
    for (int k = 0; k < cell_.n_outputs(); ++k)
      if (cell[k] != 0) return false;
    return true;
  }

  void sum_cells(const Column& column, const Sum* cells) {
    const int n_channels = cell_.n_channels();
    std::fill(total_.begin(), total_.end(), 0);
    for (int code = 0; code < column.n_codes(); ++code) {
      const Sum* cell = at(cells, code);
      for (int c = 0; c < n_channels; ++c) total_[c] += cell[c];
    }
  }

  void add_left(const Sum* cell) {
    const int n_channels = cell_.n_channels();
    for (int c = 0; c < n_channels; ++c) left_[c] += cell[c];
  }

  void set_right() {
    const int n_channels = cell_.n_channels();
    for (int c = 0; c < n_channels; ++c) right_[c] = total_[c] - left_[c];
  }

  Value split_loss(Sum mass) const {
    return cell_.split(cell_.part(left_.data()), cell_.part(right_.data()), mass);
  }

  static void offer(Candidate<Value>& best, Value loss, int bin, bool missing_left, int order) {
    if (best.is_valid() && !(loss < best.loss)) return;
    best = Candidate<Value>{loss, bin, missing_left, order};
  }

  // Calls visit(bin, missing_left) with left_ and right_ set. A bin without rows splits them as
  // the bin before it does, and the lower bin wins ties, so it is passed over.
  template <class Visit>
  void visit_thresholds(const Column& column, const Sum* cells, Visit&& visit) {
    const Sum* missing = column.has_missing ? at(cells, column.missing_code()) : nullptr;
    if (missing != nullptr && is_empty(missing)) missing = nullptr;
    std::fill(left_.begin(), left_.end(), 0);
    const int last = missing != nullptr ? column.n_bins : column.n_bins - 1;
    for (int bin = 0; bin < last; ++bin) {
      const Sum* cell = at(cells, bin);
      const bool empty = is_empty(cell);
      if (!empty) add_left(cell);
      // With nothing on the left but missing values the split is still a split.
      if (empty && !(bin == 0 && missing != nullptr)) continue;
      if (!empty) {
        set_right();
        visit(bin, false);
      }
      if (missing == nullptr || bin == column.n_bins - 1) continue;
      visit_with_missing_left(missing, bin, visit);
    }
  }

  template <class Visit>
  void visit_with_missing_left(const Sum* missing, int bin, Visit&& visit) {
    std::copy(left_.begin(), left_.end(), shifted_.begin());
    add_left(missing);
    set_right();
    visit(bin, true);
    std::copy(shifted_.begin(), shifted_.end(), left_.begin());
  }

  bool threshold_is_allowed(const Column& column, Histogram histogram, int bin,
                            bool missing_left) const {
    if (is_empty(left_.data()) || is_empty(right_.data())) return false;
    if (histogram.counts == nullptr) return true;
    std::size_t n_left = 0, n_all = 0;
    for (int code = 0; code < column.n_codes(); ++code) {
      const bool is_missing = code == column.n_bins;
      const bool goes_left = is_missing ? missing_left : code <= bin;
      n_all += histogram.counts[code];
      if (goes_left) n_left += histogram.counts[code];
    }
    return n_left >= min_samples_leaf_ && n_all - n_left >= min_samples_leaf_;
  }

  // Categories present, by increasing share; shares are compared as exact fractions, because two
  // roundings of equal shares could order them differently in two searches.
  void sort_codes(const Column& column, const Sum* cells, int order) {
    codes_.clear();
    for (int code = 0; code < column.n_codes(); ++code)
      if (!is_empty(at(cells, code))) codes_.push_back(code);
    std::sort(codes_.begin(), codes_.end(), [&](int a, int b) {
      __extension__ using Wide = __int128;
      const Wide x = static_cast<Wide>(cell_.numerator(at(cells, a), order)) *
                     cell_.denominator(at(cells, b), order);
      const Wide y = static_cast<Wide>(cell_.numerator(at(cells, b), order)) *
                     cell_.denominator(at(cells, a), order);
      return x != y ? x < y : a < b;
    });
  }

  template <class Visit>
  void visit_prefixes(const Column& column, const Sum* cells, int order, Visit&& visit) {
    sort_codes(column, cells, order);
    std::fill(left_.begin(), left_.end(), 0);
    for (int length = 1; length < static_cast<int>(codes_.size()); ++length) {
      add_left(at(cells, codes_[length - 1]));
      set_right();
      visit(length);
    }
  }

  bool prefix_is_allowed(Histogram histogram, int length) const {
    if (histogram.counts == nullptr) return true;
    std::size_t n_left = 0, n_all = 0;
    for (int i = 0; i < static_cast<int>(codes_.size()); ++i) {
      n_all += histogram.counts[codes_[i]];
      if (i < length) n_left += histogram.counts[codes_[i]];
    }
    return n_left >= min_samples_leaf_ && n_all - n_left >= min_samples_leaf_;
  }

  // Each category on its own side: no two-way split of the categories can do better.
  Value finest(const Column& column, const Sum* cells, Sum mass) {
    Value sum = 0;
    for (int code = 0; code < column.n_codes(); ++code) sum += cell_.part(at(cells, code));
    return cell_.whole(sum, mass);
  }

  Cell cell_;
  std::size_t min_samples_leaf_;
  std::vector<Sum> left_, right_, total_, shifted_;
  std::vector<int> codes_;
};

}  // namespace frugalboost
