// Looks at every row on every feature; a node's larger child costs a subtraction only.
#pragma once

#include <algorithm>
#include <vector>

#include "core/direct_search.hpp"
#include "core/histogram_store.hpp"
#include "core/parallel.hpp"
#include "core/splits.hpp"

namespace frugalboost {

template <class Cell>
class ExhaustiveSearch {
 public:
  using Value = typename Cell::Value;

  ExhaustiveSearch(const SearchContext& context, const FeatureSpace& space, Cell cell)
      : context_(context),
        space_(space),
        store_(context, space),
        direct_(context, space, cell),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf)),
        candidates_(space.size()),
        lowest_(context.options.n_threads) {}

  SplitChoice find(Node& node, Work& work) {
    if (!node.has_histograms() && direct_.suits(node.range.size())) {
      store_.count(node.range.size(), work);
      return direct_.find(node, work);
    }
    store_.need(node, work);
    judge(node);
    const std::size_t winner = best_slot();
    if (winner == space_.size()) return {};
    return describe_split(finders_[0], space_.column(winner), space_.feature(winner),
                          histogram(node, winner), candidates_[winner]);
  }

  void recall(Node& root, RootMemory& memory, Work& work) { store_.recall(root, memory, work); }

  bool can_follow(std::size_t n_leaves) const { return store_.can_follow(n_leaves); }

  void follow(const std::vector<KeptLeaf>& leaves, const std::vector<Sum>& steps,
              const std::vector<Row>& rest, RootMemory& memory, Work& work) {
    store_.follow(leaves, steps, rest, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) {
    if (direct_.suits(left.range.size()) && direct_.suits(right.range.size())) return;
    store_.hand_down(parent, left, right, work);
  }

 private:
  Histogram histogram(const Node& node, std::size_t slot) const {
    const NodeHistograms& all = node.held();
    return {all.cells.data() + space_.cell_offset(slot),
            all.counts.empty() ? nullptr : all.counts.data() + space_.code_offset(slot),
            node.totals.data()};
  }

  // Each thread passes over what its best feature so far has beaten.
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
                   if (candidates_[slot].is_valid())
                     lowest = std::min(lowest, candidates_[slot].loss);
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
  DirectSearch<Cell> direct_;
  std::vector<SplitFinder<Cell>> finders_;
  std::vector<Candidate<Value>> candidates_;
  std::vector<Value> lowest_;  // of each thread
};

}  // namespace frugalboost
