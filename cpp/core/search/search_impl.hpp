// A search for one criterion and layout; included only by the files that instantiate it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/search/exhaustive_search.hpp"
#include "core/search/printed_search.hpp"
#include "core/search/pruned_search.hpp"
#include "core/search/purity.hpp"

namespace frugalboost {

// Searches that prune.
template <class Cell>
class ArmSearch final : public SplitSearch {
 public:
  using Value = typename Cell::Value;

  ArmSearch(const SearchContext& context, Cell cell)
      : context_(context),
        cell_(cell),
        space_(context_.columns, context_.columns.row_blocks(), context_.features,
               cell.n_channels()),
        arms_(context_, space_, cell),
        finest_terms_(finest_terms_of(context_.columns, context_.features, cell.n_orders())) {}

  double node_loss(const Node& node) const override { return static_cast<double>(loss_of(node)); }

  bool is_pure(const Node& node) const override {
    if constexpr (Cell::cancels)
      return frugalboost::is_pure(context_.problem, context_.order, node, finest_terms_);
    return loss_of(node) == 0;
  }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_full(node, space_, work);
    arms_.reset(node);
    const std::uint64_t before = work.assessments;
    const Arm<Cell>* winner = search(node, work);
    work.pruned_nodes += work.assessments - before < node.range.size() * space_.size();
    if (winner == nullptr) return {};
    return describe_split(arms_.finder(), arms_.column(*winner), space_.feature(winner->slot),
                          arms_.histogram(*winner), winner->best);
  }

  // Arms start over at every node.
  void recall(Node&, RootMemory&, Work&) override {}
  void hand_down(Node&, Node&, Node&, Work&) override {}

 private:
  Value loss_of(const Node& node) const { return cell_.whole(cell_.part(node.totals.data()), 0); }

  const Arm<Cell>* search(const Node& node, Work& work) {
    const Value allowance = static_cast<Value>(slack(node));
    if (context_.options.kind == SearchKind::quick)
      return quick_search(arms_, context_, allowance, work);
    if (context_.options.kind == SearchKind::ap_boost)
      return PrintedSearch<Cell>(arms_, context_, allowance, work).run();
    return AdaptiveSearch<Cell>(arms_, context_, allowance, work).run();
  }

  // How far a computed loss may be from the true one, twice over: docs/exactness.md.
  double slack(const Node& node) const {
    if (std::is_same_v<Value, Sum>) return 0.0;
    if constexpr (Cell::cancels)
      return loss_slack(context_.problem, as_double(arms_.prefix().total_mass()), finest_terms_);
    const double terms = cell_.n_channels() + finest_terms_ + 16;
    constexpr double unit_roundoff = 1.0 / (std::int64_t{1} << 53);
    return 4.0 * terms * unit_roundoff * node_loss(node);
  }

  SearchContext context_;
  Cell cell_;
  FeatureSpace space_;
  Arms<Cell> arms_;
  int finest_terms_;
};

template <class Cell>
std::unique_ptr<SplitSearch> arm_search(const SearchContext& context) {
  return std::make_unique<ArmSearch<Cell>>(context, cell_of<Cell>(context.problem));
}

template <class Cell>
std::unique_ptr<SplitSearch> typed_search(const SearchContext& context) {
  if (!is_exhaustive(context.options.kind)) return arm_search<Cell>(context);
  return std::make_unique<ExhaustiveSearch<Cell>>(context, cell_of<Cell>(context.problem));
}

}  // namespace frugalboost
