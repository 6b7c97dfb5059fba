#include "core/rows/rows.hpp"

#include <algorithm>

namespace frugalboost {
namespace {

// Every value is written to both sides and counted on one: no branch to predict. What is written in
// vain on the left lands on a value that was read before, or on itself.
template <class Read, class Value>
void split_forwards(std::size_t n, const std::uint8_t* sides, Read&& read, Value* left,
                    Value* right) {
  for (std::size_t i = 0; i < n; ++i) {
    const Value value = read(i);
    *left = *right = value;
    left += sides[i];
    right += 1 - sides[i];
  }
}

// The same towards each other: `right` is one past the place of the first value that goes right.
template <class Read, class Value>
void split_to_ends(std::size_t n, const std::uint8_t* sides, Read&& read, Value* left,
                   Value* right) {
  for (std::size_t i = 0; i < n; ++i) {
    const Value value = read(i);
    *left = right[-1] = value;
    left += sides[i];
    right -= 1 - sides[i];
  }
}

}  // namespace

void RowOrder::reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions) {
  problem_ = problem;
  n_ = n;
  is_identity_ = is_ascending_ = rows == nullptr;
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
  is_identity_ = is_ascending_ = false;
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

// Rows that are read where they are in the table need a place before they move.
void RowOrder::make_room() {
  rows_.room_for(n_);
  rows_aside_.room_for(n_ + 1);
  if (carries_weights()) weights_.room_for(n_), weights_aside_.room_for(n_ + 1);
  if (carries_labels()) labels_.room_for(n_), labels_aside_.room_for(n_ + 1);
}

// Those that go left come to `left` and those behind it, those that go right to the `right`-th
// place aside.
void RowOrder::move_block(std::size_t begin, std::size_t n, const std::uint8_t* sides,
                          std::size_t left, std::size_t right) {
  if (carries_weights())
    split_forwards(
        n, sides, [from = weights_at_ + begin](std::size_t i) { return from[i]; },
        weights_.data() + left, weights_aside_.data() + right);
  if (carries_labels())
    split_forwards(
        n, sides, [from = labels_at_ + begin](std::size_t i) { return from[i]; },
        labels_.data() + left, labels_aside_.data() + right);
  if (is_identity_)
    split_forwards(
        n, sides, [begin](std::size_t i) { return static_cast<Row>(begin + i); },
        rows_.data() + left, rows_aside_.data() + right);
  else
    split_forwards(
        n, sides, [from = rows_at_ + begin](std::size_t i) { return from[i]; }, rows_.data() + left,
        rows_aside_.data() + right);
}

void RowOrder::put_block_aside(std::size_t begin, std::size_t n, const std::uint8_t* sides,
                               std::size_t left, std::size_t right) {
  if (carries_weights())
    split_to_ends(
        n, sides, [from = weights_at_ + begin](std::size_t i) { return from[i]; },
        weights_aside_.data() + left, weights_aside_.data() + right);
  if (carries_labels())
    split_to_ends(
        n, sides, [from = labels_at_ + begin](std::size_t i) { return from[i]; },
        labels_aside_.data() + left, labels_aside_.data() + right);
  if (is_identity_)
    split_to_ends(
        n, sides, [begin](std::size_t i) { return static_cast<Row>(begin + i); },
        rows_aside_.data() + left, rows_aside_.data() + right);
  else
    split_to_ends(
        n, sides, [from = rows_at_ + begin](std::size_t i) { return from[i]; },
        rows_aside_.data() + left, rows_aside_.data() + right);
}

void RowOrder::finish_alone(std::size_t to, std::size_t n_right) {
  std::copy_n(rows_aside_.data(), n_right, rows_.data() + to);
  if (carries_weights()) std::copy_n(weights_aside_.data(), n_right, weights_.data() + to);
  if (carries_labels()) std::copy_n(labels_aside_.data(), n_right, labels_.data() + to);
}

// From aside to where they belong.
void RowOrder::put_back(const Slice& slice, std::size_t left, std::size_t right) {
  const std::size_t n_left = slice.division.n_left;
  const auto copy = [&](auto& aside, auto& to) {
    const auto* from = aside.data() + slice.rows.begin;
    std::copy_n(from, n_left, to.data() + left);
    std::reverse_copy(from + n_left, from + slice.rows.size(), to.data() + right);
  };
  copy(rows_aside_, rows_);
  if (carries_weights()) copy(weights_aside_, weights_);
  if (carries_labels()) copy(labels_aside_, labels_);
}

void RowOrder::settle(Range range) {
  is_identity_ = false;
  rows_at_ = rows_.data();
  if (carries_weights()) weights_at_ = weights_.data();
  if (carries_labels()) labels_at_ = labels_.data();
  if (!tracks_positions_) return;
  parallel_slices(range.size(), slices_worth(range.size(), rows_worth_a_thread, n_threads_),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t i = range.begin + begin; i < range.begin + end; ++i)
                      positions_[rows_[i]] = static_cast<Row>(i);
                  });
}

}  // namespace frugalboost
