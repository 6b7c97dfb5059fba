// Which way the rows of a node go at its split.
#pragma once

#include <array>
#include <vector>

#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/rows/rows.hpp"
#include "core/search/search.hpp"

namespace frugalboost {

// 1 for each code that a split sends left.
std::vector<std::uint8_t> side_of_code(const Column& column, const SplitChoice& choice);

// The last code that goes left where that goes for all codes up to it and no other; else -1.
int last_left(const std::vector<std::uint8_t>& side_of_code);

// Both; the second is found once for a split.
struct SidesOfCodes {
  const std::vector<std::uint8_t>& side_of_code;
  int last_left;
};

class SideFinder {
 public:
  explicit SideFinder(const Columns& columns, int n_threads = 1)
      : columns_(columns), n_threads_(n_threads) {}

  // Puts the rows of a range whose code on the feature has side_of_code set before the others. For
  // the rest see RowOrder::divide.
  Division divide(std::uint32_t feature, Range range, const std::vector<std::uint8_t>& side_of_code,
                  std::size_t n_heavy, bool is_weighed, RowOrder& order);

  // A split whose sides are only looked at: out[row] becomes what a side says, out_of_side[1] for
  // rows that go left.
  struct Look {
    std::uint32_t feature;
    Range range;
    std::vector<std::uint8_t> side_of_code;
    std::size_t n_heavy;
    bool is_weighed;
    std::array<std::int32_t, 2> out_of_side;
    int last_left;
    Division division = {};  // what was seen

    SidesOfCodes sides() const { return {side_of_code, last_left}; }
  };
  void look(Look& split, const RowOrder& order, std::int32_t* out);
  // Whether to look at so many rows alone is faster: a sparse column can mark rows for one node.
  bool is_faster_alone(std::uint32_t feature, std::size_t n_rows) const;
  // At several nodes in one pass, whatever their sizes.
  void look_all(std::vector<Look>& splits, const RowOrder& order, std::int32_t* out) const;

 private:
  template <class Use>
  Division with_side_of(std::uint32_t feature, std::size_t n_rows, const SidesOfCodes& sides,
                        Use&& use);
  template <class Use>
  Division with_codes(std::uint32_t feature, const SidesOfCodes& sides, Use&& use) const;
  template <class Use>
  Division with_marks(const Column& column, const std::vector<std::uint8_t>& side_of_code,
                      Use&& use);

  const Columns& columns_;
  int n_threads_;
  std::vector<std::uint8_t> marks_;  // by row; zero between calls
};

}  // namespace frugalboost
