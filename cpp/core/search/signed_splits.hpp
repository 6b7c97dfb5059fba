// Splits of two classes by error, from one number per cell: D = w_1 - w_0.
//
// A side of a split errs by min(w_0, w_1) = (w - |D|) / 2, so a split that sends D_L left out of c
// errs by (W - |D_L| - |c - D_L|) / 2 = (W - max(|c|, |2 D_L - c|)) / 2: the best split is the one
// with the largest |2 D_L - c|, and of a numeric feature only the largest and the smallest prefix
// sum matter. All of it is exact in integers. Compared with two channels, histograms are half as
// large and half as much to add, subtract and scan.
//
// What a signed cell cannot tell is whether it is empty. It need not: a split with an empty side
// has |2 D_L - c| = |c|, no gain. Only where no split gains anything, and the first allowed one is
// to be made, rows are looked at again.
#pragma once

#include <vector>

#include "core/histogram/feature_space.hpp"
#include "core/histogram/narrow_cells.hpp"
#include "core/search/search.hpp"
#include "core/search/splits.hpp"

namespace frugalboost {

inline Sum magnitude(Sum value) { return value < 0 ? -value : value; }

// w_1 - w_0 of a node.
inline Sum difference(const Node& node) { return node.totals[1] - node.totals[0]; }

// Cells of one feature, all but that of the rest code, which is zero and stands for what the others
// leave of the total; rest < 0 if there is none.
template <class Cell>
struct SignedCells {
  const Column& column;
  const Cell* cells;
  int rest;
  Sum total;
};

// Largest max(|c|, |2 D_L - c|) over all splits of a feature, c being the total.
Sum best_spread(const SignedCells<Sum>& feature);
Sum best_spread(const SignedCells<NarrowSum>& feature);

class SignedSplits {
 public:
  SignedSplits(const SearchContext& context, const FeatureSpace& space);

  template <class Cell>
  SignedCells<Cell> cells_of(std::size_t slot, const Cell* cells, Sum total) const {
    return {space_.column(slot), cells, space_.rest_code(slot), total};
  }

  // The split of a feature that reaches `spread`, which gains something; `cells` are the feature's
  // over all rows of the node, or null.
  SplitChoice describe(const Node& node, std::size_t slot, const Sum* cells, Sum spread);

  // Where no split gains anything: that of the first feature on which two rows differ.
  SplitChoice first_split(const Node& node);

 private:
  SplitChoice from_cells(const Node& node, std::size_t slot, const Sum* cells, Sum spread) const;
  SplitChoice from_rows(const Node& node, std::size_t slot);
  bool any_missing(const Node& node, std::uint32_t feature) const;
  bool rows_differ(const Node& node, std::size_t slot) const;

  const SearchContext& context_;
  const FeatureSpace& space_;
  SplitFinder<ClassesCell<ErrorLoss, 2>> finder_;
  std::vector<Sum> cells_;
};

}  // namespace frugalboost
