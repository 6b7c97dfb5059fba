// The rows of a growing tree: every node owns one range, in the order the rows were given
// (heaviest first for the pruning searches), kept by stable partition and never sorted again.
//
// There is room for all rows twice, and a node of m rows owns the same m places in both halves: it
// stands in one of them, and several threads move its rows to the other, each row once.
#pragma once

#include <limits>
#include <vector>

#include "core/base/problem.hpp"
#include "core/base/scratch.hpp"
#include "core/columns/columns.hpp"
#include "core/rows/division.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

class RowOrder {
 public:
  // Of a node with so many rows nothing is left in the caches when those of its children are read.
  static constexpr std::size_t large_node = std::size_t{1} << 21;

  explicit RowOrder(int n_threads = 1, std::size_t large = large_node)
      : n_threads_(n_threads), large_node_(large) {}

  // Weights and labels travel with the rows where a row has a single number, as in layout classes
  // and for real targets of one output: histograms then read them in sequence. The wider layouts
  // look them up by row. All arrays must outlive the order. `rows` may be null: all rows in the
  // order of the table, which are read where they are until they move.
  void reset(const Problem& problem, const Row* rows, std::size_t n, bool track_positions);

  // The rows whose weights changed, in layout classes, weighted by the changes. Those can have
  // either sign, so labels are carried even for two classes unless cells are signed.
  void reset_to_changes(const Problem& problem, bool track_positions);

  // Puts the rows of `range` whose side_of(row) is 1 together, and those where it is 0; the result
  // says where. Weights are looked at if `is_weighed`, which takes two classes; the first n_heavy
  // rows are heavy. side_of must not throw. Once the rows have moved, threads of a team may divide
  // several ranges at once.
  template <class SideOf>
  Division divide(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of);

  // Only looks. Calls see(begin, n, sides) for the rows at places [begin, begin + n) and so on,
  // from several threads; neither may throw.
  template <class SideOf, class See>
  Division look(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of,
                See&& see) const;

  // The same by the calling thread alone, for places [range) of a node; `n_heavy` of those are
  // heavy.
  template <class SideOf, class See>
  Division look_alone(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of,
                      See&& see) const;

  // The places of [range), rows of which ascend, whose rows are in [rows).
  Range between(Range range, Range rows) const;

  bool is_identity() const { return is_identity_; }
  // Whether rows ascend within every node.
  bool is_ascending() const { return is_ascending_; }
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
  // So few that their sides are in the cache when they are used.
  static constexpr std::size_t rows_at_once = 1024;

  // Some of a node's rows.
  struct alignas(128) Slice {
    Division division;
    std::size_t lefts_before = 0;  // in the slices before
  };

  void own();
  void place_rows(bool track_positions);
  void make_room();
  template <class SideOf>
  void find_sides(std::size_t begin, std::size_t n, SideOf&& side_of, std::uint8_t* sides) const;
  template <class SideOf>
  Division divide_alone(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of);
  template <class SideOf, class See>
  Division look_by_slices(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of,
                          See&& see, std::vector<Slice>& slices) const;
  void move_block(std::size_t begin, std::size_t n, const std::uint8_t* sides, std::size_t left,
                  std::size_t right);
  template <class SideOf>
  bool go_right_mostly(Range range, SideOf&& side_of) const;
  void finish_alone(std::size_t aside, Range behind);
  Division move_slice(Range from, const std::uint8_t* sides, bool is_weighed, bool is_large,
                      Range left, Range right);
  std::size_t other_half(std::size_t at) const { return at < n_ ? at + n_ : at - n_; }
  void settle(Range range);
  static std::size_t heavy_of(std::size_t begin, std::size_t n, std::size_t heavy_end) {
    return heavy_end <= begin ? 0 : std::min(n, heavy_end - begin);
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
  std::size_t large_node_;
  Problem problem_;
  std::size_t n_ = 0;
  bool is_identity_ = false;  // row i stands at place i for all rows of the table
  bool is_ascending_ = false;
  bool tracks_positions_ = false;
  const Row* rows_at_ = nullptr;
  const Row* labels_at_ = nullptr;
  const Sum* weights_at_ = nullptr;
  std::vector<Row> positions_;
  Scratch<Row> rows_, labels_;
  Scratch<Sum> weights_;
  Scratch<std::uint8_t> sides_;
  std::vector<Slice> slices_;
};

template <class SideOf>
void RowOrder::find_sides(std::size_t begin, std::size_t n, SideOf&& side_of,
                          std::uint8_t* sides) const {
  if (is_identity_) {
    for (std::size_t i = 0; i < n; ++i) sides[i] = side_of(begin + i);
  } else {
    const Row* rows = rows_at_ + begin;
    for (std::size_t i = 0; i < n; ++i) sides[i] = side_of(rows[i]);
  }
}

template <class SideOf, class See>
Division RowOrder::look_alone(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of,
                              See&& see) const {
  const std::size_t heavy_end = range.begin + n_heavy;
  std::uint8_t sides[rows_at_once];
  Division division;
  for (std::size_t begin = range.begin; begin < range.end; begin += rows_at_once) {
    const std::size_t n = std::min(rows_at_once, range.end - begin);
    find_sides(begin, n, side_of, sides);
    count_sides(sides, is_weighed ? weights_at_ + begin : nullptr, n, heavy_of(begin, n, heavy_end),
                division);
    see(begin, n, sides);
  }
  return division;
}

template <class SideOf, class See>
Division RowOrder::look_by_slices(Range range, std::size_t n_heavy, bool is_weighed,
                                  SideOf&& side_of, See&& see, std::vector<Slice>& slices) const {
  parallel_shared_slices(range.size(), slices.size(), n_threads_,
                         [&](std::size_t slice, std::size_t begin, std::size_t end) {
                           const Range part{range.begin + begin, range.begin + end};
                           slices[slice].division = look_alone(
                               part, heavy_of(part.begin, part.size(), range.begin + n_heavy),
                               is_weighed, side_of, see);
                         });
  Division division;
  division.range = range;
  for (Slice& slice : slices) {
    slice.lefts_before = division.n_left;
    division += slice.division;
  }
  return division;
}

template <class SideOf, class See>
Division RowOrder::look(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of,
                        See&& see) const {
  std::vector<Slice> slices(shared_slices_worth(range.size(), rows_worth_a_thread, n_threads_));
  return look_by_slices(range, n_heavy, is_weighed, side_of, see, slices);
}

template <class SideOf>
Division RowOrder::divide(Range range, std::size_t n_heavy, bool is_weighed, SideOf&& side_of) {
  make_room();
  const std::size_t n = range.size();
  const std::size_t n_slices = shared_slices_worth(n, rows_worth_a_thread / 2, n_threads_);
  Division division;
  if (n_slices == 1) {
    division = divide_alone(range, n_heavy, is_weighed, side_of);
  } else {
    slices_.resize(n_slices);
    std::uint8_t* sides = sides_.room_for(n_);
    const auto keep = [=](std::size_t begin, std::size_t n_of_block, const std::uint8_t* of_block) {
      std::copy_n(of_block, n_of_block, sides + (begin - range.begin));
    };
    division = look_by_slices(range, n_heavy, false, side_of, keep, slices_);
    const std::size_t to = is_identity_ ? range.begin : other_half(range.begin);
    division.range = {to, to + n};
    const bool is_large = n >= large_node_;
    const auto move = [&](std::size_t s, std::size_t begin, std::size_t end) {
      const std::size_t left = to + slices_[s].lefts_before, n_left = slices_[s].division.n_left;
      const std::size_t right = to + division.n_left + begin - slices_[s].lefts_before;
      slices_[s].division =
          move_slice({range.begin + begin, range.begin + end}, sides + begin, is_weighed, is_large,
                     {left, left + n_left}, {right, right + (end - begin) - n_left});
    };
    parallel_shared_slices(n, n_slices, n_threads_, move);
    for (const Slice& slice : slices_) division.add_weights(slice.division);
  }
  settle(division.range);
  return division;
}

// A guess from a few rows: any is correct, a good one saves copies.
template <class SideOf>
bool RowOrder::go_right_mostly(Range range, SideOf&& side_of) const {
  constexpr std::size_t n_asked = 64;
  const std::size_t step = range.size() / n_asked + 1;
  std::size_t n = 0, n_left = 0;
  for (std::size_t i = range.begin; i < range.end; i += step, ++n) n_left += side_of(row(i));
  return 2 * n_left < n;
}

// The side with more rows moves to the front, the other one to the other half and then behind it.
template <class SideOf>
Division RowOrder::divide_alone(Range range, std::size_t n_heavy, bool is_weighed,
                                SideOf&& side_of) {
  std::uint8_t sides[rows_at_once];
  Division division;
  division.range = range;
  division.is_right_first = go_right_mostly(range, side_of);
  const std::size_t heavy_end = range.begin + n_heavy;
  // A single thread leaves all nodes in the first half, and writes to few pages of the second.
  const std::size_t aside = n_threads_ == 1 ? n_ : other_half(range.begin);
  for (std::size_t begin = range.begin; begin < range.end; begin += rows_at_once) {
    const std::size_t n = std::min(rows_at_once, range.end - begin);
    find_sides(begin, n, side_of, sides);
    const std::size_t n_before = begin - range.begin;
    const std::size_t n_front =
        division.is_right_first ? n_before - division.n_left : division.n_left;
    // Before they move: they may be overwritten.
    count_sides(sides, is_weighed ? weights_at_ + begin : nullptr, n, heavy_of(begin, n, heavy_end),
                division);
    for (std::size_t i = 0; i < n; ++i)
      sides[i] ^= static_cast<std::uint8_t>(division.is_right_first);
    move_block(begin, n, sides, range.begin + n_front, aside + (n_before - n_front));
  }
  const Range behind = division.is_right_first ? division.left() : division.right();
  finish_alone(aside, behind);
  return division;
}

}  // namespace frugalboost
