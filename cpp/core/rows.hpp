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
  // histograms then read them in sequence. The wider layouts look them up by row.
  void reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions);

  // Rows of `range` with goes_left[i] set come first; returns the border.
  std::size_t partition(Range range, const std::uint8_t* goes_left);

  const Row* rows() const { return rows_.data(); }
  const Sum* weights() const { return weights_.data(); }
  const Row* labels() const { return labels_.data(); }
  // Where a row stands; `absent` for rows that are not in the tree.
  const Row* positions() const { return positions_.data(); }
  bool is_identity() const { return is_identity_; }
  static constexpr Row absent = std::numeric_limits<Row>::max();

 private:
  struct Carried {
    Row row, label;
    Sum weight;
  };

  void place(std::size_t at, const Carried& carried) {
    rows_[at] = carried.row;
    if (!weights_.empty()) {
      weights_[at] = carried.weight;
      labels_[at] = carried.label;
    }
  }
  Carried carried(std::size_t at) const {
    if (weights_.empty()) return {rows_[at], 0, 0};
    return {rows_[at], labels_[at], weights_[at]};
  }

  std::vector<Row> rows_, labels_, positions_;
  std::vector<Sum> weights_;
  std::vector<Carried> aside_;
  bool is_identity_ = false;  // rows_[i] == i for all rows of the table, until the first partition
};

}  // namespace frugalboost
