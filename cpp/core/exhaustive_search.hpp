// Looks at every row on every feature; a node's larger child costs a subtraction only.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram_store.hpp"
#include "core/parallel.hpp"
#include "core/splits.hpp"

namespace frugalboost {

template <class Cell>
SplitChoice describe_split(SplitFinder<Cell>& finder, const Column& column, std::uint32_t feature,
                           Histogram histogram, const Candidate<typename Cell::Value>& candidate) {
  SplitChoice choice;
  choice.found = true;
  choice.feature = feature;
  choice.bin = candidate.bin;
  choice.missing_left = candidate.missing_left;
  choice.loss = static_cast<double>(candidate.loss);
  choice.left_totals = finder.left_totals(column, histogram, candidate);
  choice.missing_seen = column.has_missing && finder.holds(histogram, column.missing_code());
  if (column.is_categorical) {
    choice.left_codes = finder.left_codes(column, histogram, candidate);
    for (int code = 0; code < column.n_bins; ++code)
      if (!finder.holds(histogram, code)) choice.absent_codes.push_back(code);
    choice.missing_left = std::find(choice.left_codes.begin(), choice.left_codes.end(),
                                    column.missing_code()) != choice.left_codes.end();
  }
  return choice;
}

template <class Cell>
class ExhaustiveSearch {
 public:
  using Value = typename Cell::Value;

  ExhaustiveSearch(const SearchContext& context, const FeatureSpace& space, Cell cell)
      : context_(context),
        space_(space),
        store_(context, space),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf)),
        candidates_(space.size()) {}

  SplitChoice find(Node& node, Work& work) {
    store_.need(node, work);
    judge(node);
    const std::size_t winner = best_slot();
    if (winner == space_.size()) return {};
    return describe_split(finders_[0], space_.column(winner), space_.feature(winner),
                          histogram(node, winner), candidates_[winner]);
  }

  HistogramStore& store() { return store_; }

 private:
  Histogram histogram(const Node& node, std::size_t slot) const {
    return {store_.cells(node, slot), store_.counts(node, slot), node.totals.data()};
  }

  void judge(const Node& node) {
    parallel_for(space_.size(), 8 * space_.n_cells() / space_.size(), context_.options.n_threads,
                 context_.poll, [&](std::size_t slot) {
                   candidates_[slot] = finders_[this_thread()].best(
                       space_.column(slot), histogram(node, slot), node.mass);
                 });
  }

  // Lowest loss, then lowest feature.
  std::size_t best_slot() const {
    std::size_t best = space_.size();
    for (std::size_t slot = 0; slot < space_.size(); ++slot) {
      if (!candidates_[slot].is_valid()) continue;
      if (best == space_.size() || candidates_[slot].loss < candidates_[best].loss) best = slot;
    }
    return best;
  }

  const SearchContext& context_;
  const FeatureSpace& space_;
  HistogramStore store_;
  std::vector<SplitFinder<Cell>> finders_;
  std::vector<Candidate<Value>> candidates_;
};

}  // namespace frugalboost
