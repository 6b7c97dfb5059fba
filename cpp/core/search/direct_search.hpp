// Small nodes of wide cells: a few features at a time, each judged as soon as its histogram is
// full.
//
// The histograms of all features may take tens of megabytes, however few rows a node has. To clear,
// subtract and scan them would cost many times what adding the rows does; here they never leave the
// cache, and nothing is kept for subtraction.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/accumulate.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/search.hpp"
#include "core/search/splits.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

template <class Cell>
class DirectSearch {
 public:
  using Value = typename Cell::Value;

  DirectSearch(const SearchContext& context, const FeatureSpace& space, Cell cell)
      : context_(context),
        space_(space),
        // Gain ratios need the gains of all features before one of them can be dropped.
        is_wide_(!Cell::by_ratio && context.problem.layout != Layout::classes &&
                 space.n_channels() >= wide_channels) {
    if (!is_wide_) return;
    find_groups();
    workers_.assign(context.options.n_threads,
                    Worker{SplitFinder<Cell>(cell, context.options.min_samples_leaf)});
  }

  // Whether cells would be read more often than they are added to.
  bool suits(std::size_t n_rows) const {
    return is_wide_ &&
           static_cast<double>(n_rows) * entries_per_row_ < static_cast<double>(space_.n_codes());
  }

  SplitChoice find(const Node& node, Work& work) {
    for (Worker& worker : workers_) worker.best = {};
    parallel_for(groups_.size(), node.range.size() * 64, context_.options.n_threads, context_.poll,
                 [&](std::size_t group) { search(groups_[group], node, workers_[this_thread()]); });
    Worker* winner = nullptr;
    for (Worker& worker : workers_) {
      work.reads += worker.reads;
      worker.reads = 0;
      if (worker.best.is_valid() && (winner == nullptr || is_better(worker, *winner)))
        winner = &worker;
    }
    if (winner == nullptr) return {};
    return describe_split(winner->finder, space_.column(winner->slot), space_.feature(winner->slot),
                          winner->kept(node), winner->best);
  }

 private:
  // Features whose histograms are filled together: of one block, or a single column.
  struct Group {
    const FeatureSpace::Block* block = nullptr;
    std::size_t first = 0, last = 0;  // features of the block, or the slot of the column
  };

  struct Worker {
    SplitFinder<Cell> finder;
    std::vector<Sum> cells = {}, kept_cells = {};
    std::vector<std::uint32_t> counts = {}, kept_counts = {};
    Candidate<Value> best = {};
    std::size_t slot = 0;
    std::size_t reads = 0;

    Histogram kept(const Node& node) const {
      return {kept_cells.data(), kept_counts.data(), node.totals.data()};
    }
  };

  static bool is_better(const Worker& a, const Worker& b) {
    return a.best.loss < b.best.loss || (a.best.loss == b.best.loss && a.slot < b.slot);
  }

  void find_groups() {
    constexpr std::size_t group_bytes = std::size_t{1} << 18;
    const std::size_t most = std::max<std::size_t>(1, group_bytes / (8 * space_.n_channels()));
    std::size_t n_entries = context_.columns.n_rows * space_.singles().size();
    for (const FeatureSpace::Block& block : space_.blocks()) {
      const RowBlock& rows = *block.rows;
      n_entries += rows.row_start.back();
      for (std::size_t first = 0, last = 0; first < rows.features.size(); first = last) {
        for (last = first + 1; last < rows.features.size(); ++last)
          if (end_code(rows, last) - rows.first_code[first] > most) break;
        groups_.push_back({&block, first, last});
      }
    }
    for (std::size_t slot : space_.singles()) groups_.push_back({nullptr, slot, slot + 1});
    entries_per_row_ = static_cast<double>(n_entries) /
                       static_cast<double>(std::max<std::size_t>(1, context_.columns.n_rows));
  }

  static std::size_t end_code(const RowBlock& rows, std::size_t index) {
    return index + 1 < rows.features.size() ? rows.first_code[index + 1] : rows.n_codes;
  }

  void search(const Group& group, const Node& node, Worker& worker) {
    if (group.block == nullptr) return search_column(group.first, node, worker);
    const RowBlock& rows = *group.block->rows;
    const std::size_t first = rows.first_code[group.first];
    const std::size_t last = end_code(rows, group.last - 1);
    clear(last - first, worker);
    Accumulator accumulator(context_.problem, context_.order);
    worker.reads += accumulator.add_codes(rows, first, last, node.range, worker.cells.data(),
                                          worker.counts.data());
    for (std::size_t i = group.first; i < group.last; ++i) {
      const std::size_t slot = group.block->slots[i];
      if (slot != FeatureSpace::no_slot)
        judge(slot, rows.first_code[i] - first, rows.default_code[i], node, worker);
    }
  }

  void search_column(std::size_t slot, const Node& node, Worker& worker) {
    const Column& column = space_.column(slot);
    clear(column.n_codes(), worker);
    worker.reads += Accumulator(context_.problem, context_.order)
                        .add({&column, worker.cells.data(), worker.counts.data()}, node.range);
    judge(slot, 0, space_.rest_code(slot), node, worker);
  }

  void clear(std::size_t n_codes, Worker& worker) const {
    worker.cells.assign(n_codes * space_.n_channels(), 0);
    worker.counts.assign(n_codes, 0);
  }

  void judge(std::size_t slot, std::size_t first_code, int rest, const Node& node,
             Worker& worker) const {
    const Column& column = space_.column(slot);
    Sum* cells = worker.cells.data() + first_code * space_.n_channels();
    std::uint32_t* counts = worker.counts.data() + first_code;
    if (rest >= 0)
      Accumulator::fill_rest({&column, cells, counts}, rest, node.totals.data(),
                             space_.n_channels(), node.range.size());
    const Value to_beat = worker.best.is_valid() ? worker.best.loss : no_loss<Value>();
    const Candidate<Value> found =
        worker.finder.best(column, {cells, counts, node.totals.data()}, node.mass, to_beat);
    if (!found.is_valid()) return;
    const bool wins = !worker.best.is_valid() || found.loss < worker.best.loss ||
                      (found.loss == worker.best.loss && slot < worker.slot);
    if (!wins) return;
    worker.best = found;
    worker.slot = slot;
    worker.kept_cells.assign(cells, cells + column.n_codes() * space_.n_channels());
    worker.kept_counts.assign(counts, counts + column.n_codes());
  }

  const SearchContext& context_;
  const FeatureSpace& space_;
  bool is_wide_;
  double entries_per_row_ = 0.0;
  std::vector<Group> groups_;
  std::vector<Worker> workers_;
};

}  // namespace frugalboost
