#include "core/rows.hpp"

#include <algorithm>

namespace frugalboost {

void RowOrder::reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions) {
  problem_ = problem;
  n_ = n;
  rows_at_ = rows;
  is_identity_ = n == problem.n_rows;
  for (std::size_t i = 0; is_identity_ && i < n; ++i) is_identity_ = rows[i] == i;
  if (is_identity_) {
    weights_at_ = problem.weights;
    labels_at_ = problem.labels;
  } else {
    own(problem);
  }
  positions_.clear();
  if (track_positions) {
    positions_.assign(problem.n_rows, absent);
    for (std::size_t i = 0; i < n; ++i) positions_[rows[i]] = static_cast<Row>(i);
  }
}

void RowOrder::own(const Problem& problem) {
  rows_.assign(rows_at_, rows_at_ + n_);
  rows_at_ = rows_.data();
  if (problem.layout != Layout::classes) return;
  weights_.resize(n_);
  labels_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    weights_[i] = problem.weights[rows_[i]];
    labels_[i] = problem.labels[rows_[i]];
  }
  weights_at_ = weights_.data();
  labels_at_ = labels_.data();
}

std::size_t RowOrder::partition(Range range, const std::uint8_t* goes_left) {
  if (is_identity_) own(problem_);
  is_identity_ = false;
  const std::size_t border = problem_.layout == Layout::classes
                                 ? move_rows<true>(range, goes_left)
                                 : move_rows<false>(range, goes_left);
  if (!positions_.empty())
    for (std::size_t i = range.begin; i < range.end; ++i)
      positions_[rows_[i]] = static_cast<Row>(i);
  return border;
}

// Every row is written to both sides and counted on one: no branch to predict. What is written in
// vain on the left lands on a row that was read before, or on itself.
template <bool WithWeights>
std::size_t RowOrder::move_rows(Range range, const std::uint8_t* goes_left) {
  rows_aside_.resize(std::max(rows_aside_.size(), range.size()));
  if (WithWeights) {
    labels_aside_.resize(rows_aside_.size());
    weights_aside_.resize(rows_aside_.size());
  }
  std::size_t border = range.begin, n_aside = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const bool left = goes_left[i - range.begin];
    rows_[border] = rows_aside_[n_aside] = rows_[i];
    if (WithWeights) {
      labels_[border] = labels_aside_[n_aside] = labels_[i];
      weights_[border] = weights_aside_[n_aside] = weights_[i];
    }
    border += left;
    n_aside += !left;
  }
  std::copy_n(rows_aside_.begin(), n_aside, rows_.begin() + border);
  if (WithWeights) {
    std::copy_n(labels_aside_.begin(), n_aside, labels_.begin() + border);
    std::copy_n(weights_aside_.begin(), n_aside, weights_.begin() + border);
  }
  return border;
}

}  // namespace frugalboost
