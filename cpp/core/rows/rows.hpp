// The rows of a growing tree: every node owns one range, in the order the rows were given
// (heaviest first for the pruning searches), kept by stable partition and never sorted again.
#pragma once

#include <limits>
#include <vector>

#include "core/base/problem.hpp"
#include "core/base/scratch.hpp"
#include "core/columns/columns.hpp"

namespace frugalboost {

class RowOrder {
 public:
  explicit RowOrder(int n_threads = 1) : n_threads_(n_threads) {}

  // Weights and labels travel with the rows where a row has a single number, as in layout classes
  // and for real targets of one output: histograms then read them in sequence. The wider layouts
  // look them up by row. All arrays must outlive the order. `rows` may be null: all rows in the
  // order of the table, which are read where they are until they move.
  void reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions);

  // The rows whose weights changed, in layout classes, weighted by the changes. Those can have
  // either sign, so labels are carried even for two classes unless cells are signed.
  void reset_to_changes(const Problem& problem, bool track_positions);

  // Rows of `range` with goes_left[i] set come first, up to `border`. `lefts` counts them by slices
  // of the range, as many as there are; none: they are counted here.
  void partition(Range range, std::size_t border, const std::uint8_t* goes_left,
                 const std::vector<std::size_t>& lefts = {});

  bool is_identity() const { return is_identity_; }
  Row row(std::size_t i) const { return is_identity_ ? static_cast<Row>(i) : rows_at_[i]; }
  const Row* rows() const { return rows_at_; }  // null for the identity
  const Sum* weights() const { return weights_at_; }
  const Row* labels() const { return labels_at_; }  // null for two classes
  // What is added to histograms for the row at place i, in the layouts that hold several numbers.
  const Sum* values(std::size_t i) const {
    return problem_.weights + row(i) * static_cast<std::size_t>(problem_.n_channels());
  }

  // Where a row stands; `absent` for rows that are not in the tree.
  Row position(Row row) const { return tracks_positions_ ? positions_[row] : row; }
  static constexpr Row absent = std::numeric_limits<Row>::max();

 private:
  void own();
  void find_starts(std::size_t n, const std::uint8_t* goes_left,
                   const std::vector<std::size_t>& lefts);
  void place_rows(bool track_positions);
  void move_from_table(std::size_t border, const std::uint8_t* goes_left);
  void move_rows(Range range, std::size_t border, const std::uint8_t* goes_left);
  template <class Move>
  void split_into(std::size_t n, std::size_t n_left, const std::uint8_t* goes_left,
                  Move&& move) const;
  template <class Value>
  void split(Value* values, std::size_t n, std::size_t n_left, const std::uint8_t* goes_left);
  void split_both(Range range, std::size_t n_left, const std::uint8_t* goes_left);
  template <class Value>
  Value* aside(std::size_t n) {
    return reinterpret_cast<Value*>(aside_.room_for(n * sizeof(Value)));
  }
  bool carries_labels() const {
    return problem_.layout == Layout::classes && !problem_.is_two_classes();
  }
  // A single number for each row.
  bool carries_weights() const {
    return problem_.layout == Layout::classes ||
           (problem_.layout == Layout::real && problem_.n_outputs == 1);
  }

  int n_threads_;
  Problem problem_;
  std::size_t n_ = 0;
  bool is_identity_ = false;  // row i stands at place i for all rows of the table
  bool tracks_positions_ = false;
  const Row* rows_at_ = nullptr;
  const Row* labels_at_ = nullptr;
  const Sum* weights_at_ = nullptr;
  std::vector<Row> positions_;
  Scratch<Row> rows_, labels_;
  Scratch<Sum> weights_;
  std::vector<std::size_t> lefts_before_;  // each slice of the rows that are moved
  Scratch<unsigned char> aside_;           // for one array at a time
};

}  // namespace frugalboost
