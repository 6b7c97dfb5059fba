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
