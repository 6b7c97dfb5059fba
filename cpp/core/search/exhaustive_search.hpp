// Looks at every row on every feature; a node's larger child costs a subtraction only.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/histogram_store.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/gain_ratio.hpp"
#include "core/search/splits.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

template <class Cell>
class ExhaustiveSearch {
 public:
  using Value = typename Cell::Value;

  ExhaustiveSearch(const SearchContext& context, const FeatureSpace& space, Cell cell)
      : context_(context),
        space_(space),
        cell_(cell),
        store_(context, space),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf)),
        candidates_(space.size()),
        lowest_(context.options.n_threads) {}

  SplitChoice find(Node& node, Work& work) {
    store_.need(node, work);
    judge(node);
    const std::size_t winner = best_slot(node);
    if (winner == space_.size()) return {};
    return describe_split(finders_[0], space_.column(winner), space_.feature(winner),
                          histogram(node, winner), candidates_[winner]);
  }

  void recall(Node& root, RootMemory& memory, Work& work) { store_.recall(root, memory, work); }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) {
    store_.hand_down(parent, left, right, work);
  }

 private:
  Histogram histogram(const Node& node, std::size_t slot) const {
    const NodeHistograms& all = node.held();
    return {all.cells.data() + space_.cell_offset(slot),
            all.counts.empty() ? nullptr : all.counts.data() + space_.code_offset(slot),
            node.totals.data()};
  }

  // Each thread passes over what its best feature so far has beaten, unless the gain of each
  // counts.
  void judge(const Node& node) {
    std::fill(lowest_.begin(), lowest_.end(), no_loss<Value>());
    parallel_for(space_.size(), 8 * space_.n_cells() / space_.size(), context_.options.n_threads,
                 context_.poll, [&](std::size_t slot) {
                   const Column& column = space_.column(slot);
                   const Histogram cells = histogram(node, slot);
                   candidates_[slot] = {};
                   if (is_too_lopsided(column, cells, context_.options.min_samples_leaf)) return;
                   const int thread = this_thread();
                   Value& lowest = lowest_[thread];
                   candidates_[slot] = finders_[thread].best(column, cells, node.mass, lowest);
                   if (candidates_[slot].is_valid() && !Cell::by_ratio)
                     lowest = std::min(lowest, candidates_[slot].loss);
                 });
  }

  std::size_t best_slot(const Node& node) {
    if constexpr (Cell::by_ratio) return slot_of_best_ratio(node);
    return slot_of_least_loss();
  }

  // Then lowest feature.
  std::size_t slot_of_least_loss() const {
    std::size_t best = space_.size();
    for (std::size_t slot = 0; slot < space_.size(); ++slot) {
      if (!candidates_[slot].is_valid()) continue;
      if (best == space_.size() || candidates_[slot].loss < candidates_[best].loss) best = slot;
    }
    return best;
  }

  // Of at least average gain; then lowest feature. None where no split gains.
  std::size_t slot_of_best_ratio(const Node& node) {
    Gains gains(cell_.part(node.totals.data()), cell_.n_channels());
    for (const Candidate<Value>& split : candidates_)
      if (split.is_valid()) gains.count(split.loss);
    std::size_t best = space_.size();
    double largest = 0.0;
    for (std::size_t slot = 0; slot < space_.size(); ++slot) {
      const Candidate<Value>& split = candidates_[slot];
      if (!split.is_valid() || !gains.is_enough(split.loss)) continue;
      const Sum left = cell_.weight(
          finders_[0].left_totals(space_.column(slot), histogram(node, slot), split).data());
      const Sum right = cell_.weight(node.totals.data()) - left;
      const double ratio = gain_ratio(gains.of(split.loss), left, right);
      if (best < space_.size() && !(ratio > largest)) continue;
      best = slot;
      largest = ratio;
    }
    return best;
  }

  const SearchContext& context_;
  const FeatureSpace& space_;
  Cell cell_;
  HistogramStore store_;
  std::vector<SplitFinder<Cell>> finders_;
  std::vector<Candidate<Value>> candidates_;
  std::vector<Value> lowest_;  // of each thread
};

}  // namespace frugalboost
