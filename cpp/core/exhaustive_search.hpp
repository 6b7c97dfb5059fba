// Looks at every row on every feature; a node's larger child costs a subtraction only.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/arms.hpp"

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
        builder_(context, space),
        with_counts_(context.options.min_samples_leaf > 1),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf)),
        candidates_(space.size()) {}

  SplitChoice find(Node& node, Work& work) {
    work.assessments += static_cast<std::uint64_t>(node.range.size()) * space_.size();
    if (!node.histograms) build(node, work);
    judge(node);
    const std::size_t winner = best_slot();
    if (winner == space_.size()) return {};
    return describe_split(finders_[0], space_.column(winner), space_.feature(winner),
                          histogram(node, winner), candidates_[winner]);
  }

  void recall(Node& root, RootMemory& memory, Work& work) {
    if (space_.size() == 0) return;
    if (!recall_changes(root, memory, work)) build(root, work);
    remember(root, memory);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) {
    if (!parent.histograms) return;  // given up for want of memory: the children start afresh
    Node& smaller = left.range.size() <= right.range.size() ? left : right;
    Node& larger = &smaller == &left ? right : left;
    build(smaller, work);
    if (!larger.is_wanted) return;
    larger.histograms = std::move(parent.histograms);
    subtract(*larger.histograms, *smaller.histograms);
  }

 private:
  // Past this share of changed rows, adding everything in order is as fast.
  static constexpr double largest_change = 0.6;

  bool is_same_problem(const RootMemory& memory) const {
    return memory.features == context_.features &&
           std::equal(memory.labels.begin(), memory.labels.end(), context_.problem.labels);
  }

  bool recall_changes(Node& root, RootMemory& memory, Work& work) {
    const Problem& problem = context_.problem;
    const std::size_t n = problem.n_rows;
    if (!memory.is_filled || !is_same_problem(memory)) return false;
    memory.change.resize(n);
    memory.changed.resize(n);
    std::size_t n_changed = 0;
    for (std::size_t row = 0; row < n; ++row) {
      memory.change[row] = problem.weights[row] - memory.weights[row];
      memory.changed[n_changed] = static_cast<Row>(row);
      n_changed += memory.change[row] != 0;
    }
    memory.changed.resize(n_changed);
    if (n_changed > largest_change * n) return false;
    root.histograms = context_.pool.take();
    *root.histograms = memory.histograms;
    add_changes(root, memory.changed, memory.change, work);
    return true;
  }

  void add_changes(Node& root, const std::vector<Row>& changed, const std::vector<Sum>& change,
                   Work& work) {
    if (changed.empty()) return;
    Problem problem = context_.problem;
    problem.weights = change.data();
    RowOrder order;
    order.reset(problem, changed.data(), changed.size(), context_.columns.any_sparse());
    const SearchContext context{context_.columns, problem,       order,        context_.features,
                                context_.options, context_.pool, context_.poll};
    // Counts of rows do not change.
    work.reads +=
        HistogramBuilder(context, space_)
            .build({0, changed.size()}, root.totals.data(), root.histograms->cells.data(), nullptr);
  }

  void remember(const Node& root, RootMemory& memory) const {
    const Problem& problem = context_.problem;
    if (!memory.is_filled || !is_same_problem(memory)) {
      memory.features = context_.features;
      memory.labels.assign(problem.labels, problem.labels + problem.n_rows);
    }
    memory.weights.assign(problem.weights, problem.weights + problem.n_rows);
    memory.histograms = *root.histograms;
    memory.is_filled = true;
  }

  void build(Node& node, Work& work) {
    node.histograms = context_.pool.take();
    node.histograms->cells.assign(space_.n_cells(), 0);
    node.histograms->counts.assign(with_counts_ ? space_.n_codes() : 0, 0);
    work.reads += builder_.build(node.range, node.totals.data(), node.histograms->cells.data(),
                                 with_counts_ ? node.histograms->counts.data() : nullptr);
  }

  static void subtract(NodeHistograms& from, const NodeHistograms& part) {
    for (std::size_t i = 0; i < from.cells.size(); ++i) from.cells[i] -= part.cells[i];
    for (std::size_t i = 0; i < from.counts.size(); ++i) from.counts[i] -= part.counts[i];
  }

  Histogram histogram(const Node& node, std::size_t slot) const {
    const NodeHistograms& all = *node.histograms;
    return {all.cells.data() + space_.cell_offset(slot),
            with_counts_ ? all.counts.data() + space_.code_offset(slot) : nullptr,
            node.totals.data()};
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
  HistogramBuilder builder_;
  bool with_counts_;
  std::vector<SplitFinder<Cell>> finders_;
  std::vector<Candidate<Value>> candidates_;
};

}  // namespace frugalboost
