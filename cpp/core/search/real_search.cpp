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
  const Sum unit = packing.pack(0, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const Sum fallen = wrapped_product(step, packing.weight(leaf[i]));
    cells[i] = wrapped_sum(cells[i], wrapped_difference(leaf[i], wrapped_product(fallen, unit)));
  }
}

}  // namespace

RealSearch::RealSearch(const SearchContext& context)
    : context_(context),
      store_(context_,
             {0, context.problem.n_outputs == 1 ? columns_at_once : 1, cells_worth_a_thread}),
      space_(store_.space()),
      finest_terms_(
          finest_terms_of(context_.columns, context_.features, context.problem.n_outputs)),
      finders_(context.options.n_threads,
               SplitFinder<RealCell>(cell(), context.options.min_samples_leaf, context.poll)),
      rooms_(context.options.n_threads) {}

double RealSearch::node_loss(const Node& node) const {
  return cell().whole(cell().part(node.totals.data()), 0);
}

bool RealSearch::is_pure(const Node& node) const {
  return frugalboost::is_pure(context_.problem, context_.order, node, finest_terms_);
}

SplitChoice RealSearch::find(Node& node, Work& work) {
  if (space_.size() == 0) return {};
  count_unpruned(context_.options.kind != SearchKind::incremental, node, space_, work);
  if (!state(node).is_searched) {
    store_.search(node, *this, work);
    finish(node, {});
  }
  return std::move(state(node).choice);
}

void RealSearch::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  store_.hand_down(parent, left, right, *this, work);
  Node* smaller = smaller_of(left, right);
  Node* larger = smaller == &left ? &right : &left;
  if (smaller->state) finish(*smaller, {});
  if (larger->state) finish(*larger, {&parent, smaller});
}

void RealSearch::begin(Node& node) {
  if (is_in_team()) {
    finder().adapt(cell());
  } else {
    for (SplitFinder<RealCell>& each : finders_) each.adapt(cell());
  }
  state(node).results.begin(space_.size());
}

// Passes over what the best feature so far has beaten.
void RealSearch::scan(const Node& node, std::size_t slot, const Sum* cells, const std::uint32_t*) {
  ScanResults<double>& results = static_cast<State&>(*node.state).results;
  Split& split = results.candidates[slot];
  split = finder().best(space_.column(slot), {cells, nullptr, node.totals.data()}, 0,
                        results.to_beat());
  if (split.is_valid() && split.is_sure) results.lower(split.loss);
}

// The least loss, then the lowest feature. Splits that may leave a side too few rows are looked at
// more closely when they come out best: one or two columns are read, and if that is not enough, the
// rows of all codes are counted.
void RealSearch::finish(Node& node, Family family) {
  constexpr int most_columns = 2;
  State& found = state(node);
  found.is_searched = true;
  std::vector<Split>& candidates = found.results.candidates;
  for (int n_unsure = 0;; ++n_unsure) {
    const std::size_t slot = found.results.best();
    if (slot == candidates.size()) return;
    Split& best = candidates[slot];
    if (best.is_sure) {
      found.choice = describe(node, slot, best);
      candidates = {};
      return;
    }
    const bool is_read_fast = space_.column(slot).storage != Storage::sparse;
    if (!node.has_histograms() || (is_read_fast && n_unsure < most_columns)) {
      store_.read(node, slot, room());
      best = finder().best(space_.column(slot),
                           {room().cells.data(), room().counts.data(), node.totals.data()}, 0);
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
    room().counts.assign(counts, counts + column.n_codes());
    const Histogram histogram{node.held().cells.data() + space_.cell_offset(slot),
                              room().counts.data(), node.totals.data()};
    candidates[slot] = is_too_lopsided(column, histogram, context_.options.min_samples_leaf)
                           ? Split{}
                           : finder().best(column, histogram, 0);
  }
}

const Sum* RealSearch::known_counts(Node& node) {
  const UnfilledVector<Sum>& counts = is_whole(node) ? root_counts_ : state(node).counts;
  return counts.empty() ? nullptr : counts.data();
}

// Those of the larger child are what the smaller one leaves of the parent's, if those are known.
const Sum* RealSearch::counts_of(Node& node, Family family) {
  if (const Sum* known = known_counts(node)) return known;
  UnfilledVector<Sum>& counts = is_whole(node) ? root_counts_ : state(node).counts;
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

// Made by whichever thread first needs them.
const Sum* RealSearch::ones() {
  const std::lock_guard<std::mutex> lock(ones_mutex_);
  if (ones_.size() < context_.columns.n_rows) ones_.assign(context_.columns.n_rows, 1);
  return ones_.data();
}

// As any other number that rows add to cells, each 1.
void RealSearch::count_rows(const Node& node, UnfilledVector<Sum>& of_codes) {
  const RowOrder& order = context_.order;
  // Counted from the node's first row: there are ones for as many rows as the table has.
  const RowValues each_one{order.is_identity() ? nullptr : order.rows() + node.range.begin, ones(),
                           1};
  const Range all_rows{0, node.range.size()};
  of_codes.assign(space_.n_codes(), Sum{0});
  Sum* counts = of_codes.data();
  for (const Window& window : store_.windows().all()) {
    Sum* of_window = counts + window.offset;
    if (window.tile != nullptr) {
      add_tile(*window.tile, each_one, all_rows, of_window);
    } else if (window.block != nullptr) {
      add_entries(window.row_start_at(), window.entries_at(), each_one, all_rows, of_window);
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
  return describe_split(finder(), space_.column(slot), space_.feature(slot),
                        {store_.cells(node, slot, room()).cells, nullptr, node.totals.data()},
                        split);
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
  RowOrder others(n_threads);
  others.reset(problem, rest.data(), rest.size(), context_.columns.any_sparse_outside_blocks());
  std::vector<Sum> totals(1, 0);
  Accumulator(problem, others).add_rows({0, rest.size()}, totals.data());
  store_.fill(others, totals, rest.size(), memory.histograms, work);
  UnfilledVector<Sum>& cells = memory.histograms.cells;
  parallel_slices(cells.size(), slices_worth(cells.size() * leaves.size(), 8192, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (const KeptLeaf& leaf : leaves)
                      add_stepped(leaf.histograms->cells.data() + begin, end - begin,
                                  problem.packing, steps[leaf.id], cells.data() + begin);
                  });
  memory.keep(*problem.changes, context_.features);
}

}  // namespace frugalboost
