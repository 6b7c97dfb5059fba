#include "core/rows/rows.hpp"

#include <algorithm>
#include <numeric>

#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Splits `values` in place: what goes left moves to the front, what goes right is put aside and
// copied behind it. Every value is written to both sides and counted on one: no branch to predict.
// What is written in vain on the left lands on a value that was read before, or on itself.
template <class Value>
void split_forwards(Value* values, std::size_t n, const std::uint8_t* goes_left, Value* aside) {
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < n; ++i) {
    values[left] = aside[right] = values[i];
    left += goes_left[i];
    right += !goes_left[i];
  }
  std::copy_n(aside, right, values + left);
}

// The same from the end: what goes right moves to the back, and what goes left is put aside.
template <class Value>
void split_backwards(Value* values, std::size_t n, std::size_t n_left,
                     const std::uint8_t* goes_left, Value* aside) {
  std::size_t left = n_left, right = n;
  for (std::size_t i = n; i-- > 0;) {
    values[right - 1] = aside[left] = values[i];
    left -= goes_left[i];
    right -= !goes_left[i];
  }
  std::copy_n(aside + 1, n_left, values);
}

}  // namespace

// From one array to another, or to the side: both sides have their place, and so has each thread.
template <class Move>
void RowOrder::split_into(std::size_t n, std::size_t n_left, const std::uint8_t* goes_left,
                          Move&& move) const {
  const std::size_t n_slices = lefts_before_.size();
  parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    std::size_t left = lefts_before_[slice], right = n_left + begin - left;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t side = goes_left[i];
      move(i, side ? left : right);
      left += side;
      right += 1 - side;
    }
  });
}

// How many rows go left before each slice of those that are moved.
void RowOrder::find_starts(std::size_t n, const std::uint8_t* goes_left,
                           const std::vector<std::size_t>& lefts) {
  const std::size_t n_slices =
      lefts.empty() ? slices_worth(n, rows_worth_a_thread, n_threads_) : lefts.size();
  lefts_before_.assign(n_slices, 0);
  for (std::size_t slice = 1; slice < n_slices; ++slice) {
    const std::size_t begin = n * (slice - 1) / n_slices, end = n * slice / n_slices;
    lefts_before_[slice] =
        lefts_before_[slice - 1] +
        (lefts.empty() ? std::accumulate(goes_left + begin, goes_left + end, std::size_t{0})
                       : lefts[slice - 1]);
  }
}

// One thread needs room for the smaller side only.
template <class Value>
void RowOrder::split(Value* values, std::size_t n, std::size_t n_left,
                     const std::uint8_t* goes_left) {
  const std::size_t n_slices = lefts_before_.size();
  if (n_slices > 1) {
    Value* moved = aside<Value>(n);
    split_into(n, n_left, goes_left,
               [values, moved](std::size_t i, std::size_t to) { moved[to] = values[i]; });
    parallel_slices(n, n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
      std::copy(moved + begin, moved + end, values + begin);
    });
  } else if (n_left < n - n_left) {
    split_backwards(values, n, n_left, goes_left, aside<Value>(n_left + 1));
  } else {
    split_forwards(values, n, goes_left, aside<Value>(n - n_left + 1));
  }
}

// Several threads, rows and weights: to wait for each other takes them as long as to move some
// hundred rows, so they move both at once.
void RowOrder::split_both(Range range, std::size_t n_left, const std::uint8_t* goes_left) {
  const std::size_t n = range.size();
  Sum* weights = weights_.data() + range.begin;
  Row* rows = rows_.data() + range.begin;
  Sum* weights_aside = aside<Sum>(n + (n + 1) / 2);
  Row* rows_aside = reinterpret_cast<Row*>(weights_aside + n);
  split_into(n, n_left, goes_left, [=](std::size_t i, std::size_t to) {
    rows_aside[to] = rows[i];
    weights_aside[to] = weights[i];
  });
  parallel_slices(n, lefts_before_.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::copy(rows_aside + begin, rows_aside + end, rows + begin);
    std::copy(weights_aside + begin, weights_aside + end, weights + begin);
  });
}

void RowOrder::reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions) {
  problem_ = problem;
  n_ = n;
  is_identity_ = rows == nullptr;
  rows_at_ = rows;
  weights_at_ = problem.weights;
  labels_at_ = problem.labels;
  if (!is_identity_) own();
  place_rows(track_positions);
}

void RowOrder::place_rows(bool track_positions) {
  tracks_positions_ = track_positions;
  if (!tracks_positions_) return;
  positions_.assign(problem_.n_rows, absent);
  for (std::size_t i = 0; i < n_; ++i) positions_[row(i)] = static_cast<Row>(i);
}

void RowOrder::reset_to_changes(const Problem& problem, bool track_positions) {
  const Changes& changes = *problem.changes;
  problem_ = problem;
  n_ = changes.n;
  is_identity_ = false;
  rows_at_ = changes.rows;
  weights_at_ = changes.amounts;
  labels_at_ = nullptr;
  if (!problem.signed_cells) {
    labels_.room_for(n_);
    weights_.room_for(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const Row row = rows_at_[i];
      const bool is_negative = problem.is_two_classes() && problem.weights[row] < 0;
      labels_[i] = problem.is_two_classes() ? !is_negative : problem.labels[row];
      weights_[i] = is_negative ? -changes.amounts[i] : changes.amounts[i];
    }
    labels_at_ = labels_.data();
    weights_at_ = weights_.data();
  }
  place_rows(track_positions);
}

void RowOrder::own() {
  rows_.room_for(n_);
  if (carries_weights()) weights_.room_for(n_);
  parallel_slices(n_, slices_worth(n_, rows_worth_a_thread, n_threads_),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    std::copy(rows_at_ + begin, rows_at_ + end, rows_.data() + begin);
                    if (!carries_weights()) return;
                    for (std::size_t i = begin; i < end; ++i)
                      weights_[i] = problem_.weights[rows_[i]];
                  });
  rows_at_ = rows_.data();
  if (carries_weights()) weights_at_ = weights_.data();
  if (carries_labels()) {
    labels_.room_for(n_);
    for (std::size_t i = 0; i < n_; ++i) labels_[i] = problem_.labels[rows_[i]];
    labels_at_ = labels_.data();
  }
}

void RowOrder::partition(Range range, std::size_t border, const std::uint8_t* goes_left,
                         const std::vector<std::size_t>& lefts) {
  find_starts(range.size(), goes_left, lefts);
  is_identity_ ? move_from_table(border, goes_left) : move_rows(range, border, goes_left);
  if (!tracks_positions_) return;
  for (std::size_t i = range.begin; i < range.end; ++i) positions_[rows_[i]] = static_cast<Row>(i);
}

void RowOrder::move_from_table(std::size_t border, const std::uint8_t* goes_left) {
  is_identity_ = false;
  rows_.room_for(n_);
  rows_at_ = rows_.data();
  if (carries_weights()) {
    weights_.room_for(n_);
    weights_at_ = weights_.data();
    split_into(n_, border, goes_left,
               [rows = rows_.data(), out = weights_.data(), in = problem_.weights](std::size_t i,
                                                                                   std::size_t to) {
                 rows[to] = static_cast<Row>(i);
                 out[to] = in[i];
               });
  } else {
    split_into(n_, border, goes_left, [rows = rows_.data()](std::size_t i, std::size_t to) {
      rows[to] = static_cast<Row>(i);
    });
  }
  if (carries_labels()) {
    labels_.room_for(n_);
    labels_at_ = labels_.data();
    split_into(n_, border, goes_left,
               [out = labels_.data(), in = problem_.labels](std::size_t i, std::size_t to) {
                 out[to] = in[i];
               });
  }
}

void RowOrder::move_rows(Range range, std::size_t border, const std::uint8_t* goes_left) {
  const std::size_t n = range.size(), n_left = border - range.begin;
  if (carries_weights() && lefts_before_.size() > 1) {
    split_both(range, n_left, goes_left);
    if (carries_labels()) split(labels_.data() + range.begin, n, n_left, goes_left);
    return;
  }
  split(rows_.data() + range.begin, n, n_left, goes_left);
  if (carries_weights()) split(weights_.data() + range.begin, n, n_left, goes_left);
  if (carries_labels()) split(labels_.data() + range.begin, n, n_left, goes_left);
}

}  // namespace frugalboost
