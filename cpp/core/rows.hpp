// The rows of a growing tree: every node owns one range, in the order the rows were given
// (heaviest first for the pruning searches), kept by stable partition and never sorted again.
#pragma once

#include <limits>
#include <vector>

#include "core/columns.hpp"
#include "core/problem.hpp"

namespace frugalboost {

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

class RowOrder {
 public:
  // Weights and labels travel with the rows in layout classes, where a row has a single weight:
  // histograms then read them in sequence. The wider layouts look them up by row. All arrays must
  // outlive the order: rows in the order of the table are read where they are until they move.
  void reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions);

  // Rows of `range` with goes_left[i] set come first; returns the border.
  std::size_t partition(Range range, const std::uint8_t* goes_left);

  const Row* rows() const { return rows_at_; }
  const Sum* weights() const { return weights_at_; }
  const Row* labels() const { return labels_at_; }
  // Where a row stands; `absent` for rows that are not in the tree.
  const Row* positions() const { return positions_.data(); }
  bool is_identity() const { return is_identity_; }
  static constexpr Row absent = std::numeric_limits<Row>::max();

 private:
  void own(const Problem& problem);
  template <bool WithWeights>
  std::size_t move_rows(Range range, const std::uint8_t* goes_left);

  Problem problem_;
  std::size_t n_ = 0;
  bool is_identity_ = false;  // row i stands at place i for all rows of the table
  const Row* rows_at_ = nullptr;
  const Row* labels_at_ = nullptr;
  const Sum* weights_at_ = nullptr;
  std::vector<Row> rows_, labels_, positions_, rows_aside_, labels_aside_;
  std::vector<Sum> weights_, weights_aside_;
};

}  // namespace frugalboost
