// The exhaustive search for the error of two classes, from one number per cell: D = w_1 - w_0.
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
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/exhaustive_search.hpp"
#include "core/losses.hpp"
#include "core/sides.hpp"

namespace frugalboost {
namespace {

using TwoClasses = ClassesCell<ErrorLoss, 2>;

Sum magnitude(Sum value) { return value < 0 ? -value : value; }

// Largest |2 D_L - c| over all splits of a numeric feature.
Sum best_of_numbers(const Column& column, const Sum* cells, Sum total) {
  Sum sum = 0, highest = 0, lowest = 0;
  for (int bin = 0; bin < column.n_bins; ++bin) {
    sum += cells[bin];
    highest = std::max(highest, sum);
    lowest = std::min(lowest, sum);
  }
  if (column.has_missing) {  // each prefix with or without the missing values
    const Sum missing = cells[column.missing_code()];
    highest += std::max<Sum>(missing, 0);
    lowest += std::min<Sum>(missing, 0);
  }
  return std::max(magnitude(2 * highest - total), magnitude(2 * lowest - total));
}

// Any set of categories may go left, so those with more of class 0 do.
Sum best_of_categories(const Column& column, const Sum* cells) {
  Sum sum = 0;
  for (int code = 0; code < column.n_codes(); ++code) sum += magnitude(cells[code]);
  return sum;
}

class SignedSearch final : public SplitSearch {
 public:
  explicit SignedSearch(const SearchContext& context)
      : context_(context),
        space_(context_.columns, context_.columns.row_blocks(), context_.features, 1),
        store_(context_, space_),
        finder_(TwoClasses{2}, 1),
        best_(space_.size()) {}

  double node_loss(const Node& node) const override {
    return as_double(std::min(node.totals[0], node.totals[1]));
  }

  bool is_pure(const Node& node) const override {
    return std::min(node.totals[0], node.totals[1]) == 0;
  }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_full(context_, node, space_.size(), work);
    store_.need(node, work);
    judge(node);
    // Ties go to the lowest feature.
    const std::size_t winner = std::max_element(best_.begin(), best_.end()) - best_.begin();
    if (best_[winner] <= magnitude(total(node))) return first_split(node);
    return space_.column(winner).is_categorical ? from_rows(node, winner)
                                                : from_cells(node, winner);
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    store_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    store_.hand_down(parent, left, right, work);
  }

 private:
  static Sum total(const Node& node) { return node.totals[1] - node.totals[0]; }

  void judge(const Node& node) {
    const Sum sum = total(node);
    parallel_for(space_.size(), 2 * space_.n_cells() / space_.size(), context_.options.n_threads,
                 context_.poll, [&](std::size_t slot) {
                   const Column& column = space_.column(slot);
                   const Sum* cells = store_.cells(node, slot);
                   best_[slot] = column.is_categorical ? best_of_categories(column, cells)
                                                       : best_of_numbers(column, cells, sum);
                 });
  }

  // The lowest bin that reaches the best value, missing values right before missing left.
  SplitChoice from_cells(const Node& node, std::size_t slot) const {
    const Column& column = space_.column(slot);
    const Sum* cells = store_.cells(node, slot);
    const Sum missing = column.has_missing ? cells[column.missing_code()] : 0;
    SplitChoice choice;
    choice.found = true;
    choice.feature = space_.feature(slot);
    choice.loss = as_double((node.mass - best_[slot]) / 2);
    Sum sum = 0;
    for (choice.bin = 0;; ++choice.bin) {
      sum += cells[choice.bin];
      choice.missing_left = magnitude(2 * sum - total(node)) != best_[slot];
      const bool reached_without = !choice.missing_left;
      if (reached_without || magnitude(2 * (sum + missing) - total(node)) == best_[slot]) break;
    }
    choice.missing_seen = column.has_missing && (missing != 0 || any_missing(node, choice.feature));
    return choice;
  }

  bool any_missing(const Node& node, std::uint32_t feature) const {
    const Column& column = context_.columns.columns[feature];
    const CodeReader read(context_.columns, feature);
    for (std::size_t i = node.range.begin; i < node.range.end; ++i)
      if (read(context_.order.row(i)) == column.missing_code()) return true;
    return false;
  }

  // The best split of one feature as every search describes it, from the rows themselves.
  SplitChoice from_rows(const Node& node, std::size_t slot) {
    const Column& column = space_.column(slot);
    const CodeReader read(context_.columns, space_.feature(slot));
    cells_.assign(2 * static_cast<std::size_t>(column.n_codes()), 0);
    for (std::size_t i = node.range.begin; i < node.range.end; ++i) {
      const Sum weight = context_.order.weights()[i];
      cells_[2 * read(context_.order.row(i)) + (weight > 0)] += magnitude(weight);
    }
    const Histogram histogram{cells_.data(), nullptr, node.totals.data()};
    const auto best = finder_.best(column, histogram, node.mass);
    if (!best.is_valid()) return {};
    return describe_split(finder_, column, space_.feature(slot), histogram, best);
  }

  // No split gains anything: the first feature on which two rows differ splits them.
  SplitChoice first_split(const Node& node) {
    for (std::size_t slot = 0; slot < space_.size(); ++slot) {
      if (!may_differ(node, slot)) continue;
      SplitChoice choice = from_rows(node, slot);
      if (choice.found) return choice;
    }
    return {};
  }

  bool may_differ(const Node& node, std::size_t slot) const {
    const Sum* cells = store_.cells(node, slot);
    const int n_codes = space_.column(slot).n_codes();
    if (n_codes - std::count(cells, cells + n_codes, Sum{0}) >= 2) return true;
    const CodeReader read(context_.columns, space_.feature(slot));
    const int first = read(context_.order.row(node.range.begin));
    for (std::size_t i = node.range.begin + 1; i < node.range.end; ++i)
      if (read(context_.order.row(i)) != first) return true;
    return false;
  }

  SearchContext context_;
  FeatureSpace space_;
  HistogramStore store_;
  SplitFinder<TwoClasses> finder_;
  std::vector<Sum> best_;  // of each feature: the largest |2 D_L - c|
  std::vector<Sum> cells_;
};

}  // namespace

std::unique_ptr<SplitSearch> make_signed_search(const SearchContext& context) {
  return std::make_unique<SignedSearch>(context);
}

}  // namespace frugalboost
