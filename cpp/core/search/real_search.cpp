#include "core/search/real_search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/columns/code_reader.hpp"
#include "core/histogram/add_rows.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/purity.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Cells whose features a thread should have to scan, and rows it should have to add.
constexpr std::size_t cells_worth_a_thread = 512, updates_worth_a_thread = 4096;

FRUGALBOOST_CLONES
void add_cells(const Sum* part, std::size_t n, Sum* cells) {
  for (std::size_t i = 0; i < n; ++i) cells[i] += part[i];
}

// Adds the cells of a leaf whose numerators have all fallen by `step`; its weights count rows.
FRUGALBOOST_CLONES
void add_stepped(const Sum* leaf, std::size_t n, Packing packing, Sum step, Sum* cells) {
  for (std::size_t i = 0; i < n; ++i)
    cells[i] += leaf[i] - packing.pack(0, step * packing.weight(leaf[i]));
}

}  // namespace

RealSearch::RealSearch(const SearchContext& context)
    : context_(context),
      space_(context_.columns, context_.columns.row_blocks(), context_.features,
             context.problem.n_channels(), &context_.columns.row_tiles(context.options.n_threads)),
      windows_(space_, context.columns.n_rows, context.problem.n_channels() * sizeof(Sum),
               context.options.n_threads),
      finest_terms_(
          finest_terms_of(context_.columns, context_.features, context.problem.n_outputs)),
      workers_(context.options.n_threads,
               Worker(SplitFinder<RealCell>(cell(), context.options.min_samples_leaf))),
      parts_(context.options.n_threads) {
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
  if (!state_of(node).is_searched) search_alone(node, work);
  return std::move(state_of(node).choice);
}

// Histograms are kept for the children if adding their rows would cost more than clearing cells.
bool RealSearch::is_kept(const Node& node) const {
  // Cells of one number are few enough to be kept in any case.
  constexpr std::size_t few_cells = std::size_t{1} << 17;
  if (node.is_remembered || (n_channels() == 1 && space_.n_cells() <= few_cells)) return true;
  return !node.is_last && static_cast<double>(node.range.size()) * windows_.entries_of_a_row() >
                              0.25 * static_cast<double>(space_.n_codes());
}

Sum* RealSearch::take_cells(Node& node) {
  node.histograms = context_.pool.take();
  node.histograms->cells.resize(space_.n_cells());
  return node.histograms->cells.data();
}

void RealSearch::count(std::size_t n_rows, Work& work) const {
  if (context_.options.kind == SearchKind::incremental)
    work.assessments += static_cast<std::uint64_t>(n_rows) * space_.size();
}

// A root, a node that has its histograms, or one whose parent gave them up.
void RealSearch::search_alone(Node& node, Work& work) {
  for (Worker& worker : workers_) worker.finder.adapt(cell());
  Job job;
  job.order = &context_.order;
  job.range = node.range;
  job.totals = &node.totals;
  job.has_rows = !node.has_histograms();
  job.sides[0] = {&node, nullptr, &candidates_[0]};
  if (!job.has_rows) {
    job.sides[0].kept = const_cast<Sum*>(node.held().cells.data());  // only read
  } else {
    count(node.range.size(), work);
    if (is_kept(node)) job.sides[0].kept = take_cells(node);
  }
  run(job, work);
  finish(node, candidates_[0]);
}

void RealSearch::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  if (!parent.has_histograms()) return;  // none were kept: the children start afresh
  Node& smaller = left.range.size() <= right.range.size() ? left : right;
  Node& larger = &smaller == &left ? right : left;
  if (!larger.is_wanted) return;
  count(smaller.range.size(), work);
  Job job;
  job.order = &context_.order;
  job.range = smaller.range;
  job.totals = &smaller.totals;
  job.whole = parent.held().cells.data();
  // Leaves that are kept for the next root need their cells even if they are not searched.
  if (smaller.is_wanted ? is_kept(smaller) : smaller.is_remembered)
    job.sides[0].kept = take_cells(smaller);
  if (smaller.is_wanted) {
    job.sides[0].node = &smaller;
    job.sides[0].candidates = &candidates_[0];
  }
  job.sides[1] = {&larger, nullptr, &candidates_[1]};
  if (is_kept(larger)) {
    // In place, unless the parent's are to be kept for the next tree.
    if (parent.histograms) {
      larger.histograms = std::move(parent.histograms);
      job.sides[1].kept = larger.histograms->cells.data();
    } else {
      job.sides[1].kept = take_cells(larger);
    }
  }
  run(job, work);
  if (smaller.is_wanted) finish(smaller, candidates_[0]);
  finish(larger, candidates_[1]);
}

// The least loss, then the lowest feature. Splits that may leave a side too few rows are looked at
// more closely when they come out best: one or two columns are read, and if that is not enough, the
// rows of all codes are counted.
void RealSearch::finish(Node& node, std::vector<Split>& candidates) {
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
      make_sure(node, candidates);
    }
  }
}

void RealSearch::make_sure(const Node& node, std::vector<Split>& candidates) {
  count_rows(node);
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
    if (!candidates[slot].is_valid() || candidates[slot].is_sure) continue;
    const Column& column = space_.column(slot);
    const Sum* counts = row_counts_.data() + space_.code_offset(slot);
    column_counts_.assign(counts, counts + column.n_codes());
    const Histogram histogram{node.held().cells.data() + space_.cell_offset(slot),
                              column_counts_.data(), node.totals.data()};
    candidates[slot] = is_too_lopsided(column, histogram, context_.options.min_samples_leaf)
                           ? Split{}
                           : workers_[0].finder.best(column, histogram, 0);
  }
}

// The rows behind each code of all features: as any other number that rows add to cells, each 1.
void RealSearch::count_rows(const Node& node) {
  if (ones_.size() < context_.columns.n_rows) ones_.assign(context_.columns.n_rows, 1);
  const RowOrder& order = context_.order;
  // Counted from the node's first row: there are ones for as many rows as the table has.
  const RowValues ones{order.is_identity() ? nullptr : order.rows() + node.range.begin,
                       ones_.data(), 1};
  const Range all_rows{0, node.range.size()};
  Sum* counts = row_counts_.room_for(space_.n_codes());
  std::fill_n(counts, space_.n_codes(), Sum{0});
  for (const Window& window : windows_.all()) {
    Sum* of_window = counts + window.offset;
    if (window.tile != nullptr) {
      add_tile(*window.tile, ones, all_rows, of_window);
    } else if (window.block != nullptr) {
      add_entries(window.row_start_at(), window.entries_at(), ones, all_rows, of_window);
    } else {
      const CodeReader read(context_.columns, space_.feature(window.first));
      for (std::size_t i = node.range.begin; i < node.range.end; ++i)
        ++of_window[read(order.row(i))];
      if (space_.rest_code(window.first) >= 0) of_window[space_.rest_code(window.first)] = 0;
    }
  }
  const std::vector<Sum> all{static_cast<Sum>(node.range.size())};
  for (std::size_t slot = 0; slot < space_.size(); ++slot)
    if (space_.rest_code(slot) >= 0)
      Accumulator::fill_rest({&space_.column(slot), counts + space_.code_offset(slot), nullptr},
                             space_.rest_code(slot), all.data(), 1, 0);
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

int RealSearch::threads_worth(const Job& job) const {
  const double updates =
      job.has_rows ? static_cast<double>(job.range.size()) * windows_.entries_of_a_row() : 0.0;
  const double cells = static_cast<double>(space_.n_cells()) * 2.0;
  const double worth = updates * static_cast<double>(n_channels()) / updates_worth_a_thread +
                       cells / cells_worth_a_thread;
  return static_cast<int>(std::clamp(worth, 1.0, static_cast<double>(context_.options.n_threads)));
}

void RealSearch::run(const Job& job, Work& work) {
  for (Worker& worker : workers_) std::fill_n(worker.lowest, 2, no_loss<double>());
  const int n_threads = threads_worth(job);
  // Cells of their own for all threads would have to stay in their caches.
  constexpr std::size_t most_own_cells = std::size_t{1} << 17;
  const bool has_windows_enough = windows_.size() >= 2 * static_cast<std::size_t>(n_threads) ||
                                  space_.n_cells() > most_own_cells;
  if (n_threads == 1 || (job.has_rows && has_windows_enough)) {
    run_by_windows(job, n_threads);
  } else {
    run_by_rows(job, n_threads);
  }
  for (Worker& worker : workers_) work.reads += std::exchange(worker.reads, 0);
  context_.poll();
}

// Window by window, each from its rows to its splits.
void RealSearch::run_by_windows(const Job& job, int n_threads) {
  parallel_each(windows_.size(), n_threads, [&](std::size_t w) {
    const Window& window = windows_[w];
    Worker& worker = workers_[this_thread()];
    const std::size_t n = window.n_codes * n_channels(), at = window.offset * n_channels();
    Sum* cells[2];
    for (int s = 0; s < 2; ++s)
      cells[s] =
          job.sides[s].kept != nullptr ? job.sides[s].kept + at : worker.scratch[s].room_for(n);
    if (job.has_rows) {
      std::fill_n(cells[0], n, Sum{0});
      worker.reads += add_rows(window, job, job.range, cells[0]);
    }
    for (std::size_t slot : window.slots) {
      const std::size_t of_slot = space_.cell_offset(slot) - at;
      if (job.has_rows) fill_rest(slot, *job.totals, cells[0] + of_slot);
      scan(slot, job.sides[0], 0, cells[0] + of_slot, worker);
    }
    if (job.sides[1].node == nullptr) return;
    subtract_cells(job.whole + at, cells[0], n, cells[1]);
    for (std::size_t slot : window.slots)
      scan(slot, job.sides[1], 1, cells[1] + (space_.cell_offset(slot) - at), worker);
  });
}

// Rows first, each thread some of them in cells of its own, then feature by feature.
void RealSearch::run_by_rows(const Job& job, int n_threads) {
  Sum* cells[2];
  for (int s = 0; s < 2; ++s)
    cells[s] =
        job.sides[s].kept != nullptr ? job.sides[s].kept : unkept_[s].room_for(space_.n_cells());
  int n_parts = 0;
  if (job.has_rows) {
    // Cells of a part are cleared and added once more, so it should have rows enough for that.
    const double updates = static_cast<double>(job.range.size()) * windows_.entries_of_a_row();
    n_parts = static_cast<int>(std::clamp(updates / static_cast<double>(space_.n_codes()), 1.0,
                                          static_cast<double>(n_threads)));
    parallel_slices(job.range.size(), n_parts,
                    [&](std::size_t part, std::size_t begin, std::size_t end) {
                      Sum* to = part == 0 ? cells[0] : parts_[part].room_for(space_.n_cells());
                      std::fill_n(to, space_.n_cells(), Sum{0});
                      const Range rows{job.range.begin + begin, job.range.begin + end};
                      std::size_t reads = 0;
                      for (const Window& window : windows_.all())
                        reads += add_rows(window, job, rows, to + window.offset * n_channels());
                      workers_[this_thread()].reads += reads;
                    });
  }
  const std::size_t n_slices = slices_worth(2 * space_.n_cells() + n_parts * space_.n_cells() / 4,
                                            cells_worth_a_thread, n_threads);
  parallel_slices(space_.size(), n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    Worker& worker = workers_[this_thread()];
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t at = space_.cell_offset(slot);
      if (job.has_rows) {
        merge_parts(slot, n_parts, cells[0] + at);
        fill_rest(slot, *job.totals, cells[0] + at);
      }
      scan(slot, job.sides[0], 0, cells[0] + at, worker);
      if (job.sides[1].node == nullptr) continue;
      subtract_cells(job.whole + at, cells[0] + at, space_.column(slot).n_codes() * n_channels(),
                     cells[1] + at);
      scan(slot, job.sides[1], 1, cells[1] + at, worker);
    }
  });
}

void RealSearch::merge_parts(std::size_t slot, int n_parts, Sum* cells) const {
  const std::size_t n = space_.column(slot).n_codes() * n_channels();
  for (int part = 1; part < n_parts; ++part)
    add_cells(parts_[part].data() + space_.cell_offset(slot), n, cells);
}

std::size_t RealSearch::add_rows(const Window& window, const Job& job, Range range,
                                 Sum* cells) const {
  const Problem& problem = context_.problem;
  const RowOrder& order = *job.order;
  const RowValues values{order.is_identity() ? nullptr : order.rows(),
                         n_channels() == 1 ? order.weights() : problem.weights, n_channels()};
  if (window.tile != nullptr) return add_tile(*window.tile, values, range, cells);
  if (window.block != nullptr)
    return add_entries(window.row_start_at(), window.entries_at(), values, range, cells);
  return Accumulator(problem, order).add({&space_.column(window.first), cells, nullptr}, range);
}

// The cell of a code that rows are not added to.
void RealSearch::fill_rest(std::size_t slot, const std::vector<Sum>& totals, Sum* cells) const {
  if (space_.rest_code(slot) < 0) return;
  Accumulator::fill_rest({&space_.column(slot), cells, nullptr}, space_.rest_code(slot),
                         totals.data(), space_.n_channels(), 0);
}

// Passes over what the thread's best feature so far has beaten.
void RealSearch::scan(std::size_t slot, const Side& side, int index, const Sum* cells,
                      Worker& worker) const {
  if (side.node == nullptr) return;
  Split& split = (*side.candidates)[slot];
  split = worker.finder.best(space_.column(slot), {cells, nullptr, side.node->totals.data()}, 0,
                             worker.lowest[index]);
  if (split.is_valid() && split.is_sure)
    worker.lowest[index] = std::min(worker.lowest[index], split.loss);
}

void RealSearch::recall(Node& root, RootMemory& memory, Work& work) {
  if (space_.size() == 0) return;
  const Changes& changes = *context_.problem.changes;
  const bool is_same = memory.is_filled && memory.source == changes.source &&
                       memory.features == context_.features && memory.version == changes.version;
  if (!is_same) {
    memory.is_filled = false;
    memory.histograms.cells.resize(space_.n_cells());
    Job job;
    job.order = &context_.order;
    job.range = root.range;
    job.totals = &root.totals;
    job.sides[0].kept = memory.histograms.cells.data();
    run(job, work);
    count(root.range.size(), work);
    remember(memory);
  }
  root.borrowed = &memory.histograms;
}

void RealSearch::remember(RootMemory& memory) const {
  memory.is_filled = true;
  memory.source = context_.problem.changes->source;
  memory.version = context_.problem.changes->version;
  memory.features = context_.features;
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
  Job job;
  job.order = &others;
  job.range = {0, rest.size()};
  job.totals = &totals;
  job.sides[0].kept = cells.data();
  run(job, work);
  parallel_slices(cells.size(), slices_worth(cells.size() * leaves.size(), 8192, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (const KeptLeaf& leaf : leaves)
                      add_stepped(leaf.histograms->cells.data() + begin, end - begin,
                                  problem.packing, steps[leaf.id], cells.data() + begin);
                  });
  count(rest.size(), work);
  remember(memory);
}

}  // namespace frugalboost
