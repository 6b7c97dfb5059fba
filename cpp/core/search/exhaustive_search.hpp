// Classes and votes: every feature on every row; a node's larger child costs a subtraction only.
#pragma once

#include <limits>
#include <vector>

#include "core/histogram/accumulate.hpp"
#include "core/histogram/histogram_store.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/gain_ratio.hpp"
#include "core/search/scan_results.hpp"

namespace frugalboost {

template <class Cell>
class ExhaustiveSearch final : public SplitSearch, private CellScanner {
 public:
  using Value = typename Cell::Value;

  ExhaustiveSearch(const SearchContext& context, Cell cell)
      : context_(context),
        cell_(cell),
        store_(context_, kind(context)),
        space_(store_.space()),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf, context.poll)),
        rooms_(context.options.n_threads) {}

  double node_loss(const Node& node) const override { return static_cast<double>(loss_of(node)); }
  bool is_pure(const Node& node) const override { return loss_of(node) == 0; }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_unpruned(context_.options.kind != SearchKind::incremental, node, space_, work);
    if (!node.state) store_.search(node, *this, work);
    const SplitChoice choice = choose(node, state_of<State>(node).results);
    node.state.reset();
    return choice;
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    store_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    store_.hand_down(parent, left, right, *this, work);
  }

  double worth(std::size_t n_rows) const override { return store_.worth(n_rows); }
  std::size_t bytes_of_node() const override { return store_.bytes_of_node(); }

 private:
  struct State : SearchState {
    ScanResults<Value> results;
  };

  static CellKind kind(const SearchContext& context) {
    // Those of many channels are larger than the first-level cache.
    const bool is_wide = context.problem.n_channels() >= wide_channels;
    constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    CellKind kind{never, is_wide ? 1 : Accumulator::group_size, 2048};
    kind.has_counts = context.options.min_samples_leaf > 1;
    kind.keeps_all = Cell::by_ratio;  // which compares what all features gain
    return kind;
  }

  SplitFinder<Cell>& finder() { return finders_[this_thread()]; }
  Value loss_of(const Node& node) const { return cell_.whole(cell_.part(node.totals.data()), 0); }

  void begin(Node& node) override { state_of<State>(node).results.begin(space_.size()); }

  // Passes over what the best feature so far has beaten, unless the gain of each counts.
  void scan(const Node& node, std::size_t slot, const Sum* cells,
            const std::uint32_t* counts) override {
    const Column& column = space_.column(slot);
    const Histogram histogram{cells, counts, node.totals.data()};
    if (is_too_lopsided(column, histogram, context_.options.min_samples_leaf)) return;
    ScanResults<Value>& results = static_cast<State&>(*node.state).results;
    Candidate<Value>& found = results.candidates[slot];
    found = finder().best(column, histogram, node.mass, results.to_beat());
    if (found.is_valid() && !Cell::by_ratio) results.lower(found.loss);
  }

  SplitChoice choose(const Node& node, const ScanResults<Value>& results) {
    const std::size_t winner = best_slot(node, results);
    if (winner == space_.size()) return {};
    return describe_split(finder(), space_.column(winner), space_.feature(winner),
                          histogram(node, winner), results.candidates[winner]);
  }

  Histogram histogram(const Node& node, std::size_t slot) {
    const auto [cells, counts] = store_.cells(node, slot, rooms_[this_thread()]);
    return {cells, counts, node.totals.data()};
  }

  std::size_t best_slot(const Node& node, const ScanResults<Value>& results) {
    if constexpr (Cell::by_ratio) return slot_of_best_ratio(node, results.candidates);
    return results.best();
  }

  // Of at least average gain; then lowest feature. None where no split gains.
  std::size_t slot_of_best_ratio(const Node& node,
                                 const std::vector<Candidate<Value>>& candidates) {
    Gains gains(cell_.part(node.totals.data()), cell_.n_channels());
    for (const Candidate<Value>& split : candidates)
      if (split.is_valid()) gains.count(split.loss);
    std::size_t best = space_.size();
    double largest = 0.0;
    for (std::size_t slot = 0; slot < space_.size(); ++slot) {
      const Candidate<Value>& split = candidates[slot];
      if (!split.is_valid() || !gains.is_enough(split.loss)) continue;
      const Sum left = cell_.weight(
          finder().left_totals(space_.column(slot), histogram(node, slot), split).data());
      const Sum right = cell_.weight(node.totals.data()) - left;
      const double ratio = gain_ratio(gains.of(split.loss), left, right);
      if (best < space_.size() && !(ratio > largest)) continue;
      best = slot;
      largest = ratio;
    }
    return best;
  }

  SearchContext context_;
  Cell cell_;
  HistogramStore store_;
  const FeatureSpace& space_;
  std::vector<SplitFinder<Cell>> finders_;  // of each thread
  std::vector<HistogramStore::Room> rooms_;
};

}  // namespace frugalboost
