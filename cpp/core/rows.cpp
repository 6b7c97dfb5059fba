#include "core/rows.hpp"

namespace frugalboost {

void RowOrder::reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions) {
  rows_.assign(rows, rows + n);
  aside_.reserve(n);
  weights_.clear();
  labels_.clear();
  if (problem.layout == Layout::classes) {
    weights_.resize(n);
    labels_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      weights_[i] = problem.weights[rows[i]];
      labels_[i] = problem.labels[rows[i]];
    }
  }
  positions_.clear();
  if (track_positions) {
    positions_.assign(problem.n_rows, absent);
    for (std::size_t i = 0; i < n; ++i) positions_[rows[i]] = static_cast<Row>(i);
  }
  is_identity_ = n == problem.n_rows;
  for (std::size_t i = 0; is_identity_ && i < n; ++i) is_identity_ = rows[i] == i;
}

std::size_t RowOrder::partition(Range range, const std::uint8_t* goes_left) {
  is_identity_ = false;
  aside_.clear();
  std::size_t border = range.begin;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Carried moving = carried(i);
    if (goes_left[i - range.begin]) {
      place(border++, moving);
    } else {
      aside_.push_back(moving);
    }
  }
  for (std::size_t i = 0; i < aside_.size(); ++i) place(border + i, aside_[i]);
  if (!positions_.empty())
    for (std::size_t i = range.begin; i < range.end; ++i)
      positions_[rows_[i]] = static_cast<Row>(i);
  return border;
}

}  // namespace frugalboost
