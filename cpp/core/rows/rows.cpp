#include "core/rows/rows.hpp"

#include <algorithm>

#include "core/rows/split_values.hpp"

namespace frugalboost {

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
  make_room();
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
    for (std::size_t i = 0; i < n_; ++i) labels_[i] = problem_.labels[rows_[i]];
    labels_at_ = labels_.data();
  }
}

Range RowOrder::between(Range range, Range rows) const {
  if (is_identity_) {
    const auto clamped = [&](std::size_t row) { return std::clamp(row, range.begin, range.end); };
    return {clamped(rows.begin), clamped(rows.end)};
  }
  const Row *first = rows_at_ + range.begin, *last = rows_at_ + range.end;
  const Row* begin = std::lower_bound(first, last, rows.begin);
  return {range.begin + static_cast<std::size_t>(begin - first),
          range.begin + static_cast<std::size_t>(std::lower_bound(begin, last, rows.end) - first)};
}

// Rows that are read where they are in the table need a place before they move.
void RowOrder::make_room() {
  rows_.room_for(2 * n_);
  if (carries_weights()) weights_.room_for(2 * n_);
  if (carries_labels()) labels_.room_for(2 * n_);
}

// Rows whose side is 1 come to `left` and the places behind it, the others to `right`.
void RowOrder::move_block(std::size_t begin, std::size_t n, const std::uint8_t* sides,
                          std::size_t left, std::size_t right) {
  if (carries_weights())
    split_values(weights_at_ + begin, sides, n, weights_.data() + left, weights_.data() + right);
  if (carries_labels())
    split_values(labels_at_ + begin, sides, n, labels_.data() + left, labels_.data() + right);
  if (is_identity_)
    split_numbers(static_cast<Row>(begin), sides, n, rows_.data() + left, rows_.data() + right);
  else
    split_values(rows_at_ + begin, sides, n, rows_.data() + left, rows_.data() + right);
}

void RowOrder::finish_alone(std::size_t aside, Range behind) {
  const auto copy = [&](auto* values) {
    std::copy_n(values + aside, behind.size(), values + behind.begin);
  };
  copy(rows_.data());
  if (carries_weights()) copy(weights_.data());
  if (carries_labels()) copy(labels_.data());
}

// Other threads write right before and behind what this one does. So a block is split to where it
// goes only while there would be room for all of it on either side; the last ones, and those that
// go past the caches, in a place of their own first.
Division RowOrder::move_slice(Range from, const std::uint8_t* sides, bool is_weighed, bool is_large,
                              Range left, Range right) {
  Division whole;
  Sum weights[2][rows_at_once];
  Row rows[2][rows_at_once];
  for (std::size_t begin = from.begin; begin < from.end; begin += rows_at_once) {
    const std::size_t n = std::min(rows_at_once, from.end - begin);
    const std::uint8_t* of_block = sides + (begin - from.begin);
    Division division;
    count_sides(of_block, is_weighed ? weights_at_ + begin : nullptr, n, 0, division);
    whole.add_weights(division);
    const std::size_t n_left = division.n_left;
    if (!is_large && n <= left.size() && n <= right.size()) {
      move_block(begin, n, of_block, left.begin, right.begin);
      left.begin += n_left;
      right.begin += n - n_left;
      continue;
    }
    const auto copy = [&](const auto& parts, auto* to) {
      const auto copy_side = [&](const auto* from, std::size_t n_of_side, auto* to_side) {
        if (is_large)
          copy_past_caches(from, n_of_side, to_side);
        else
          std::copy_n(from, n_of_side, to_side);
      };
      copy_side(parts[0], n_left, to + left.begin);
      copy_side(parts[1], n - n_left, to + right.begin);
    };
    if (carries_weights()) {
      split_values(weights_at_ + begin, of_block, n, weights[0], weights[1]);
      copy(weights, weights_.data());
    }
    if (carries_labels()) {
      split_values(labels_at_ + begin, of_block, n, rows[0], rows[1]);
      copy(rows, labels_.data());
    }
    if (is_identity_)
      split_numbers(static_cast<Row>(begin), of_block, n, rows[0], rows[1]);
    else
      split_values(rows_at_ + begin, of_block, n, rows[0], rows[1]);
    copy(rows, rows_.data());
    left.begin += n_left;
    right.begin += n - n_left;
  }
  if (is_large) finish_copies();
  return whole;
}

void RowOrder::settle(Range range) {
  // Once for all nodes: threads that divide several of them at once must not write here.
  if (rows_at_ != rows_.data()) {
    is_identity_ = false;
    rows_at_ = rows_.data();
    if (carries_weights()) weights_at_ = weights_.data();
    if (carries_labels()) labels_at_ = labels_.data();
  }
  if (!tracks_positions_) return;
  parallel_slices(range.size(), slices_worth(range.size(), rows_worth_a_thread, n_threads_),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t i = range.begin + begin; i < range.begin + end; ++i)
                      positions_[rows_[i]] = static_cast<Row>(i);
                  });
}

}  // namespace frugalboost
