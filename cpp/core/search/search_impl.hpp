// A search for one criterion and layout; included only by the files that instantiate it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/search/exhaustive_search.hpp"
#include "core/search/pruned_search.hpp"

namespace frugalboost {

template <class Cell>
class TypedSearch final : public SplitSearch {
 public:
  using Value = typename Cell::Value;

  TypedSearch(const SearchContext& context, Cell cell)
      : context_(context),
        cell_(cell),
        space_(context_.columns, context_.columns.row_blocks(), context_.features,
               cell.n_channels()),
        arms_(context_, space_, cell),
        exhaustive_(context_, space_, cell) {
    if (cell.n_orders() < 2) return;
    for (std::uint32_t f : context_.features) {
      const Column& column = context_.columns.columns[f];
      if (column.is_categorical) finest_terms_ = std::max(finest_terms_, column.n_codes());
    }
  }

  double node_loss(const Node& node) const override {
    return static_cast<double>(exact_node_loss(node));
  }

  bool is_pure(const Node& node) const override {
    if (!Cell::cancels) return exact_node_loss(node) == 0;
    // Least squares of equal targets is not quite zero: the mass was rounded up, by less than one
    // unit for each row and output, and the difference is rounded once more.
    const double rounded_up = static_cast<double>(node.range.size()) * cell_.n_outputs();
    return node_loss(node) <= rounded_up + slack(node);
  }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    const SearchKind kind = context_.options.kind;
    count_full(kind == SearchKind::exhaustive || kind == SearchKind::two_stage, node, space_.size(),
               work);
    if (is_exhaustive(kind)) return exhaustive_.find(node, work);
    arms_.reset(node);
    const std::uint64_t before = work.assessments;
    const Arm<Cell>* winner = search(node, work);
    work.pruned_nodes += work.assessments - before < node.range.size() * space_.size();
    if (winner == nullptr) return {};
    return describe_split(arms_.finder(), arms_.column(*winner), space_.feature(winner->slot),
                          arms_.histogram(*winner), winner->best);
  }

  void recall(Node& root, RootMemory& memory, Work& work) override {
    exhaustive_.recall(root, memory, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    if (is_exhaustive(context_.options.kind)) exhaustive_.hand_down(parent, left, right, work);
  }

  bool can_follow(std::size_t n_leaves) const override {
    return is_exhaustive(context_.options.kind) && exhaustive_.can_follow(n_leaves);
  }

  void follow(const std::vector<KeptLeaf>& leaves, const std::vector<Sum>& steps,
              const std::vector<Row>& rest, RootMemory& memory, Work& work) override {
    exhaustive_.follow(leaves, steps, rest, memory, work);
  }

 private:
  Value exact_node_loss(const Node& node) const {
    return cell_.whole(cell_.part(node.totals.data()), node.mass);
  }

  const Arm<Cell>* search(const Node& node, Work& work) {
    const Value allowance = static_cast<Value>(slack(node));
    if (context_.options.kind == SearchKind::quick)
      return quick_search(arms_, context_, allowance, work);
    return AdaptiveSearch<Cell>(arms_, context_, allowance, work).run();
  }

  // How far a computed loss may be from the true one, twice over: docs/exactness.md.
  double slack(const Node& node) const {
    if (std::is_same_v<Value, Sum>) return 0.0;
    const double terms = cell_.n_channels() + finest_terms_ + 16;
    constexpr double unit_roundoff = 1.0 / (std::int64_t{1} << 53);
    return 4.0 * terms * unit_roundoff * cell_.scale(exact_node_loss(node), node.mass);
  }

  SearchContext context_;
  Cell cell_;
  FeatureSpace space_;
  Arms<Cell> arms_;
  ExhaustiveSearch<Cell> exhaustive_;
  int finest_terms_ = 0;
};

template <class Cell>
std::unique_ptr<SplitSearch> typed_search(const SearchContext& context) {
  return std::make_unique<TypedSearch<Cell>>(context, Cell{context.problem.n_outputs});
}

}  // namespace frugalboost
