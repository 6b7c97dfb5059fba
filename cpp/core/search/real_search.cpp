#include "core/search/real_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/columns/code_reader.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/histogram/add_rows.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/purity.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// A quotient or two for each.
constexpr std::size_t cells_worth_a_thread = 512;

// Adds the cells of a leaf whose numerators have all fallen by `step`; its weights count rows.
FRUGALBOOST_CLONES
void add_stepped(const Sum* leaf, std::size_t n, Packing packing, Sum step, Sum* cells) {
  for (std::size_t i = 0; i < n; ++i)
    cells[i] += leaf[i] - packing.pack(0, step * packing.weight(leaf[i]));
}

}  // namespace

RealSearch::RealSearch(const SearchContext& context)
    : context_(context),
      store_(context_, {0, cells_worth_a_thread, true}),
      space_(store_.space()),
      finest_terms_(
          finest_terms_of(context_.columns, context_.features, context.problem.n_outputs)),
      workers_(context.options.n_threads,
               Worker(SplitFinder<RealCell>(cell(), context.options.min_samples_leaf))) {
  for (std::vector<Split>& candidates : candidates_) candidates.resize(space_.size());
}

RealSearch::State& RealSearch::state_of(Node& node) {
  if (!node.state) node.state = std::make_unique<State>();
  return static_cast<State&>(*node.state);
}

double RealSearch::node_loss(const Node& node) const {
  return cell().whole(cell().part(node.totals.data()), 0);
}

bool RealSearch::is_pure(const Node& node) const {
  return frugalboost::is_pure(context_.problem, context_.order, node, finest_terms_);
}

SplitChoice RealSearch::find(Node& node, Work& work) {
  if (space_.size() == 0) return {};
  count_full(context_.options.kind != SearchKind::incremental, node, space_.size(), work);
  if (!state_of(node).is_searched) {
    begin_scans();
    store_.search(node, *this, work);
    finish(node, candidates_[0], {});
  }
  return std::move(state_of(node).choice);
}

void RealSearch::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  begin_scans();
  const auto [smaller, larger] = store_.hand_down(parent, left, right, *this, work);
  if (smaller != nullptr) finish(*smaller, candidates_[0], {});
  if (larger != nullptr) finish(*larger, candidates_[1], {&parent, smaller_of(left, right)});
}

void RealSearch::begin_scans() {
  for (Worker& worker : workers_) {
    worker.finder.adapt(cell());
    std::fill_n(worker.lowest, 2, no_loss<double>());
  }
}

// Passes over what the thread's best feature so far has beaten.
void RealSearch::scan(const Node& node, int side, std::size_t slot, const Sum* cells) {
  Worker& worker = workers_[this_thread()];
  Split& split = candidates_[side][slot];
  split = worker.finder.best(space_.column(slot), {cells, nullptr, node.totals.data()}, 0,
                             worker.lowest[side]);
  if (split.is_valid() && split.is_sure)
    worker.lowest[side] = std::min(worker.lowest[side], split.loss);
}

// The least loss, then the lowest feature. Splits that may leave a side too few rows are looked at
// more closely when they come out best: one or two columns are read, and if that is not enough, the
// rows of all codes are counted.
void RealSearch::finish(Node& node, std::vector<Split>& candidates, Family family) {
  constexpr int most_columns = 2;
  State& state = state_of(node);
  state.is_searched = true;
  for (int n_unsure = 0;; ++n_unsure) {
    const auto best =
        std::min_element(candidates.begin(), candidates.end(), [](const Split& a, const Split& b) {
          return a.is_valid() != b.is_valid() ? a.is_valid() : a.is_valid() && a.loss < b.loss;
        });
    if (best == candidates.end() || !best->is_valid()) return;
    const auto slot = static_cast<std::size_t>(best - candidates.begin());
    if (best->is_sure) {
      state.choice = describe(node, slot, *best);
      return;
    }
    const bool is_read_fast = space_.column(slot).storage != Storage::sparse;
    if (!node.has_histograms() || (is_read_fast && n_unsure < most_columns)) {
      read_column(slot, node);
      *best = workers_[0].finder.best(
          space_.column(slot), {column_cells_.data(), column_counts_.data(), node.totals.data()},
          0);
    } else {
      make_sure(node, counts_of(node, family), candidates);
    }
  }
}

void RealSearch::make_sure(const Node& node, const Sum* all_counts,
                           std::vector<Split>& candidates) {
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
    if (!candidates[slot].is_valid() || candidates[slot].is_sure) continue;
    const Column& column = space_.column(slot);
    const Sum* counts = all_counts + space_.code_offset(slot);
    column_counts_.assign(counts, counts + column.n_codes());
    const Histogram histogram{node.held().cells.data() + space_.cell_offset(slot),
                              column_counts_.data(), node.totals.data()};
    candidates[slot] = is_too_lopsided(column, histogram, context_.options.min_samples_leaf)
                           ? Split{}
                           : workers_[0].finder.best(column, histogram, 0);
  }
}

const Sum* RealSearch::known_counts(Node& node) {
  const UnfilledVector<Sum>& counts = is_whole(node) ? root_counts_ : state_of(node).counts;
  return counts.empty() ? nullptr : counts.data();
}

// Those of the larger child are what the smaller one leaves of the parent's, if those are known.
const Sum* RealSearch::counts_of(Node& node, Family family) {
  if (const Sum* known = known_counts(node)) return known;
  UnfilledVector<Sum>& counts = is_whole(node) ? root_counts_ : state_of(node).counts;
  const Sum* whole = family.parent == nullptr ? nullptr : known_counts(*family.parent);
  if (whole == nullptr) {
    count_rows(node, counts);
  } else {
    const Sum* part = counts_of(*family.smaller, {});
    counts.resize(space_.n_codes());
    subtract_cells(whole, part, counts.size(), counts.data());
  }
  return counts.data();
}

// As any other number that rows add to cells, each 1.
void RealSearch::count_rows(const Node& node, UnfilledVector<Sum>& of_codes) {
  if (ones_.size() < context_.columns.n_rows) ones_.assign(context_.columns.n_rows, 1);
  const RowOrder& order = context_.order;
  // Counted from the node's first row: there are ones for as many rows as the table has.
  const RowValues ones{order.is_identity() ? nullptr : order.rows() + node.range.begin,
                       ones_.data(), 1};
  const Range all_rows{0, node.range.size()};
  of_codes.assign(space_.n_codes(), Sum{0});
  Sum* counts = of_codes.data();
  for (const Window& window : store_.windows().all()) {
    Sum* of_window = counts + window.offset;
    if (window.tile != nullptr) {
      add_tile(*window.tile, ones, all_rows, of_window);
    } else if (window.block != nullptr) {
      add_entries(window.row_start_at(), window.entries_at(), ones, all_rows, of_window);
    } else {
      for (std::size_t slot : window.slots) count_column(node, slot, counts);
    }
  }
  const auto all = static_cast<Sum>(node.range.size());
  for (std::size_t slot = 0; slot < space_.size(); ++slot)
    if (space_.rest_code(slot) >= 0)
      Accumulator::fill_rest({&space_.column(slot), counts + space_.code_offset(slot), nullptr},
                             space_.rest_code(slot), &all, 1, 0);
}

void RealSearch::count_column(const Node& node, std::size_t slot, Sum* counts) const {
  Sum* of_column = counts + space_.code_offset(slot);
  const CodeReader read(context_.columns, space_.feature(slot));
  for (std::size_t i = node.range.begin; i < node.range.end; ++i)
    ++of_column[read(context_.order.row(i))];
  if (space_.rest_code(slot) >= 0) of_column[space_.rest_code(slot)] = 0;
}

SplitChoice RealSearch::describe(const Node& node, std::size_t slot, const Split& split) {
  const Sum* cells = nullptr;
  if (node.has_histograms()) {
    cells = node.held().cells.data() + space_.cell_offset(slot);
  } else {
    read_column(slot, node);
    cells = column_cells_.data();
  }
  return describe_split(workers_[0].finder, space_.column(slot), space_.feature(slot),
                        {cells, nullptr, node.totals.data()}, split);
}

// The cells of one feature, and the rows behind each.
void RealSearch::read_column(std::size_t slot, const Node& node) {
  const std::size_t n = n_channels(), n_codes = space_.column(slot).n_codes();
  const std::size_t n_parts =
      slices_worth(node.range.size(), 4 * rows_worth_a_thread, context_.options.n_threads);
  std::vector<std::vector<Sum>> cells(n_parts);
  std::vector<std::vector<std::uint32_t>> counts(n_parts);
  const CodeReader read(context_.columns, space_.feature(slot));
  const RowOrder& order = context_.order;
  parallel_slices(
      node.range.size(), n_parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
        cells[part].assign(n_codes * n, 0);
        counts[part].assign(n_codes, 0);
        for (std::size_t i = node.range.begin + begin; i < node.range.begin + end; ++i) {
          const auto code = static_cast<std::size_t>(read(order.row(i)));
          const Sum* values = n == 1 ? order.weights() + i : order.values(i);
          for (std::size_t c = 0; c < n; ++c) cells[part][code * n + c] += values[c];
          ++counts[part][code];
        }
      });
  column_cells_.swap(cells[0]);
  column_counts_.swap(counts[0]);
  for (std::size_t part = 1; part < n_parts; ++part) {
    for (std::size_t i = 0; i < n_codes * n; ++i) column_cells_[i] += cells[part][i];
    for (std::size_t i = 0; i < n_codes; ++i) column_counts_[i] += counts[part][i];
  }
}

void RealSearch::recall(Node& root, RootMemory& memory, Work& work) {
  store_.recall(root, memory, work);
}

// A leaf's cells are added to as many of the root's, so that should take a small part of the time
// that adding all rows takes.
bool RealSearch::can_follow(std::size_t n_leaves) const {
  constexpr std::size_t cells_worth_a_row = 4;
  return cells_worth_a_row * n_leaves * space_.n_codes() < context_.columns.n_rows * space_.size();
}

void RealSearch::follow(const std::vector<KeptLeaf>& leaves, const std::vector<Sum>& steps,
                        const std::vector<Row>& rest, RootMemory& memory, Work& work) {
  memory.is_filled = false;
  const Problem& problem = context_.problem;
  const int n_threads = context_.options.n_threads;
  UnfilledVector<Sum>& cells = memory.histograms.cells;
  RowOrder others(n_threads);
  others.reset(problem, rest.data(), rest.size(), context_.columns.any_sparse_outside_blocks());
  std::vector<Sum> totals(1, 0);
  Accumulator(problem, others).add_rows({0, rest.size()}, totals.data());
  store_.fill(others, totals, rest.size(), cells.data(), work);
  parallel_slices(cells.size(), slices_worth(cells.size() * leaves.size(), 8192, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (const KeptLeaf& leaf : leaves)
                      add_stepped(leaf.histograms->cells.data() + begin, end - begin,
                                  problem.packing, steps[leaf.id], cells.data() + begin);
                  });
  memory.keep(*problem.changes, context_.features);
}

}  // namespace frugalboost
