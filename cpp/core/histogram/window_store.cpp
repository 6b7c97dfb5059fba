#include "core/histogram/window_store.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/histogram/add_rows.hpp"
#include "core/histogram/lanes.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Rows that a thread should have to add, times the cells of each.
constexpr std::size_t updates_worth_a_thread = 4096;

// So few rows are added to all windows in turn: what they hold is in the cache for each of them.
constexpr std::size_t rows_at_once = 1024;

bool has_tiles(const Columns& columns, std::size_t from) {
  std::size_t n_dense = 0;
  for (const Column& column : columns.columns) n_dense += column.storage == Storage::dense8;
  return n_dense * columns.n_rows >= from;
}

FRUGALBOOST_CLONES
void add_cells(const Sum* part, std::size_t n, Sum* cells) {
  for (std::size_t i = 0; i < n; ++i) cells[i] += part[i];
}

}  // namespace

WindowStore::WindowStore(const SearchContext& context, Kind kind)
    : context_(context),
      kind_(kind),
      space_(context.columns, context.columns.row_blocks(), context.features,
             context.problem.cell_channels(),
             has_tiles(context.columns, kind.tiles_from)
                 ? &context.columns.row_tiles(context.options.n_threads)
                 : nullptr),
      windows_(space_, context.columns.n_rows, context.problem.cell_channels() * sizeof(Sum),
               context.options.n_threads),
      workers_(context.options.n_threads),
      parts_(context.options.n_threads) {
  for (std::size_t slot : space_.singles())
    has_sparse_columns_ |= space_.column(slot).storage == Storage::sparse;
}

// Histograms are kept for the children if adding their rows would cost more than clearing cells.
bool WindowStore::is_kept(const Node& node) const {
  // Cells of one number are few enough to be kept in any case.
  constexpr std::size_t few_cells = std::size_t{1} << 17;
  if (node.is_remembered || (n_channels() == 1 && space_.n_cells() <= few_cells)) return true;
  return !node.is_last && static_cast<double>(node.range.size()) * windows_.entries_of_a_row() >
                              0.25 * static_cast<double>(space_.n_codes());
}

Sum* WindowStore::take_cells(Node& node) {
  node.histograms = context_.pool.take();
  node.histograms->cells.resize(space_.n_cells());
  return node.histograms->cells.data();
}

// What looking at some rows adds to the assessments of a search that counts what it looks at.
void WindowStore::count(std::size_t n_rows, Work& work) const {
  if (context_.options.kind == SearchKind::incremental)
    work.assessments += static_cast<std::uint64_t>(n_rows) * space_.size();
}

WindowStore::Job WindowStore::job_of(const Node& node) const {
  Job job;
  job.order = &context_.order;
  job.range = node.range;
  job.totals = &node.totals;
  return job;
}

void WindowStore::search(Node& node, CellScanner& scanner, Work& work) {
  Job job = job_of(node);
  job.scanner = &scanner;
  job.has_rows = !node.has_histograms();
  job.sides[0].node = &node;
  if (!job.has_rows) {
    job.sides[0].kept = const_cast<Sum*>(node.held().cells.data());  // only read
  } else {
    count(node.range.size(), work);
    if (is_kept(node)) job.sides[0].kept = take_cells(node);
  }
  run(job, work);
}

std::pair<Node*, Node*> WindowStore::hand_down(Node& parent, Node& left, Node& right,
                                               CellScanner& scanner, Work& work) {
  if (!parent.has_histograms()) return {};
  Node& smaller = *smaller_of(left, right);
  Node& larger = &smaller == &left ? right : left;
  if (!larger.is_wanted) return {};
  count(smaller.range.size(), work);
  Job job = job_of(smaller);
  job.scanner = &scanner;
  job.whole = parent.held().cells.data();
  // Leaves that are kept for the next root need their cells even if they are not searched.
  if (smaller.is_wanted ? is_kept(smaller) : smaller.is_remembered)
    job.sides[0].kept = take_cells(smaller);
  if (smaller.is_wanted) job.sides[0].node = &smaller;
  job.sides[1].node = &larger;
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
  return {smaller.is_wanted ? &smaller : nullptr, &larger};
}

void WindowStore::recall(Node& root, RootMemory& memory, Work& work) {
  if (space_.size() == 0) return;
  if (!apply_changes(memory, work)) {
    memory.is_filled = false;
    memory.histograms.cells.resize(space_.n_cells());
    fill(context_.order, root.totals, root.range.size(), memory.histograms.cells.data(), work);
  }
  memory.keep(*context_.problem.changes, context_.features);
  root.borrowed = &memory.histograms;
}

bool WindowStore::apply_changes(RootMemory& memory, Work& work) {
  const Changes& changes = *context_.problem.changes;
  if (!memory.is_of(changes, context_.features)) return false;
  if (memory.version == changes.version) return true;
  if (!memory.is_one_step_behind(changes)) return false;
  memory.is_filled = false;  // until all is added: an interrupt may come in between
  changes_.reset_to_changes(context_.problem, context_.columns.any_sparse_outside_blocks());
  Job job;
  job.order = &changes_;
  job.range = {0, changes.n};
  job.is_fresh = false;
  job.sides[0].kept = memory.histograms.cells.data();
  run(job, work);
  changes_ = RowOrder();
  count(changes.n, work);
  return true;
}

void WindowStore::fill(const RowOrder& order, const std::vector<Sum>& totals, std::size_t n_rows,
                       Sum* cells, Work& work) {
  Job job;
  job.order = &order;
  job.range = {0, n_rows};
  job.totals = &totals;
  job.sides[0].kept = cells;
  run(job, work);
  count(n_rows, work);
}

int WindowStore::threads_worth(const Job& job) const {
  const double updates =
      job.has_rows ? static_cast<double>(job.range.size()) * windows_.entries_of_a_row() : 0.0;
  const double cells = static_cast<double>(space_.n_cells()) * 2.0;
  const double worth = updates * static_cast<double>(n_channels()) / updates_worth_a_thread +
                       cells / static_cast<double>(kind_.cells_worth_a_thread);
  // To wake the first of them takes as long as a little work.
  if (worth < 3.0) return 1;
  return static_cast<int>(std::clamp(worth, 1.0, static_cast<double>(context_.options.n_threads)));
}

void WindowStore::run(const Job& job, Work& work) {
  const int n_threads = threads_worth(job);
  if (is_by_windows(job, n_threads))
    run_by_windows(job, n_threads);
  else
    run_by_rows(job, n_threads);
  for (Worker& worker : workers_) work.reads += std::exchange(worker.reads, 0);
  context_.poll();
}

bool WindowStore::is_by_windows(const Job& job, int n_threads) const {
  // Some rows of a sparse column cannot be found without a look at the others.
  if (n_threads == 1 || has_sparse_columns_) return true;
  // Cells of their own for all threads would have to stay in their caches.
  constexpr std::size_t most_own_cells = std::size_t{1} << 17;
  return job.has_rows && (windows_.size() >= 2 * static_cast<std::size_t>(n_threads) ||
                          space_.n_cells() > most_own_cells);
}

// Window by window, each from its rows to its splits.
void WindowStore::run_by_windows(const Job& job, int n_threads) {
  const double updates =
      job.has_rows ? static_cast<double>(job.range.size()) * windows_.entries_of_a_row() : 0.0;
  const auto cost = static_cast<std::size_t>(updates / static_cast<double>(windows_.size()));
  parallel_for(windows_.size(), cost + space_.n_cells() / windows_.size(), n_threads, context_.poll,
               [&](std::size_t w) { run_window(job, windows_[w]); });
}

void WindowStore::run_window(const Job& job, const Window& window) {
  Worker& worker = workers_[this_thread()];
  const std::size_t n = window.n_codes * n_channels(), at = window.offset * n_channels();
  Sum* cells[2];
  for (int s = 0; s < 2; ++s)
    cells[s] =
        job.sides[s].kept != nullptr ? job.sides[s].kept + at : worker.scratch[s].room_for(n);
  if (job.has_rows) {
    if (job.is_fresh) std::fill_n(cells[0], n, Sum{0});
    worker.reads += add_rows(window, job, job.range, cells[0]);
  }
  for (std::size_t slot : window.slots) {
    const std::size_t of_slot = space_.cell_offset(slot) - at;
    fill_rest(slot, job, cells[0] + of_slot);
    scan(job, 0, slot, cells[0] + of_slot);
  }
  if (job.sides[1].node == nullptr) return;
  subtract_cells(job.whole + at, cells[0], n, cells[1]);
  for (std::size_t slot : window.slots)
    scan(job, 1, slot, cells[1] + (space_.cell_offset(slot) - at));
}

// Rows first, each thread some of them in cells of its own, then feature by feature.
void WindowStore::run_by_rows(const Job& job, int n_threads) {
  Sum* cells[2];
  for (int s = 0; s < 2; ++s)
    cells[s] =
        job.sides[s].kept != nullptr ? job.sides[s].kept : unkept_[s].room_for(space_.n_cells());
  const int n_parts = job.has_rows ? add_in_parts(job, n_threads, cells[0]) : 0;
  const std::size_t n_slices = slices_worth(2 * space_.n_cells() + n_parts * space_.n_cells() / 4,
                                            kind_.cells_worth_a_thread, n_threads);
  parallel_slices(space_.size(), n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t at = space_.cell_offset(slot);
      merge_parts(slot, n_parts, cells[0] + at);
      fill_rest(slot, job, cells[0] + at);
      scan(job, 0, slot, cells[0] + at);
      if (job.sides[1].node == nullptr) continue;
      subtract_cells(job.whole + at, cells[0] + at, space_.column(slot).n_codes() * n_channels(),
                     cells[1] + at);
      scan(job, 1, slot, cells[1] + at);
    }
  });
}

// Adds some of the rows to `cells` and the others to cells of parts; returns how many there are.
int WindowStore::add_in_parts(const Job& job, int n_threads, Sum* cells) {
  // Cells of a part are cleared and added once more, so it should have rows enough for that.
  const double updates = static_cast<double>(job.range.size()) * windows_.entries_of_a_row();
  const auto n_parts = static_cast<std::size_t>(std::clamp(
      updates / static_cast<double>(space_.n_codes()), 1.0, static_cast<double>(n_threads)));
  const std::size_t n_pauses = parts_between_polls(windows_.entries_of_a_row(), job.range.size());
  for (std::size_t pause = 0; pause < n_pauses; ++pause) {
    add_together(job, part_of(job.range, pause, n_pauses), n_parts, pause == 0, cells);
    if (pause + 1 < n_pauses) context_.poll();
  }
  return static_cast<int>(n_parts);
}

// Some of the rows, to cells that hold the sums of those before unless it is the first time.
void WindowStore::add_together(const Job& job, Range range, std::size_t n_parts, bool is_first,
                               Sum* cells) {
  // Who has added the rows of its own part helps the others.
  struct alignas(64) Cursor {
    std::atomic<std::size_t> next{0};
  };
  std::vector<Cursor> cursors(n_parts);
  parallel_slices(n_parts, n_parts, [&](std::size_t part, std::size_t, std::size_t) {
    Sum* to = part == 0 ? cells : parts_[part].room_for(space_.n_cells());
    if (is_first && (part > 0 || job.is_fresh)) std::fill_n(to, space_.n_cells(), Sum{0});
    std::size_t reads = 0;
    for (std::size_t i = 0; i < n_parts; ++i) {
      const std::size_t whose = (part + i) % n_parts;
      const Range rows = part_of(range, whose, n_parts);
      for (std::size_t at; (at = cursors[whose].next.fetch_add(rows_at_once)) < rows.size();)
        reads += add_to_all(
            job, {rows.begin + at, std::min(rows.end, rows.begin + at + rows_at_once)}, to);
    }
    workers_[this_thread()].reads += reads;
  });
}

std::size_t WindowStore::add_to_all(const Job& job, Range rows, Sum* cells) const {
  std::size_t reads = 0;
  for (const Window& window : windows_.all())
    reads += add_rows(window, job, rows, cells + window.offset * n_channels());
  return reads;
}

void WindowStore::merge_parts(std::size_t slot, int n_parts, Sum* cells) const {
  const std::size_t n = space_.column(slot).n_codes() * n_channels();
  for (int part = 1; part < n_parts; ++part)
    add_cells(parts_[part].data() + space_.cell_offset(slot), n, cells);
}

std::size_t WindowStore::add_rows(const Window& window, const Job& job, Range range,
                                  Sum* cells) const {
  const Problem& problem = context_.problem;
  const RowOrder& order = *job.order;
  const RowValues values{order.is_identity() ? nullptr : order.rows(),
                         n_channels() == 1 ? order.weights() : problem.weights, n_channels()};
  if (window.tile != nullptr && !is_read_by_columns(*window.tile, job))
    return add_tile(*window.tile, values, range, cells);
  if (window.block != nullptr)
    return add_entries(window.row_start_at(), window.entries_at(), values, range, cells);
  return add_by_columns(window, job, values, range, cells);
}

std::size_t WindowStore::add_by_columns(const Window& window, const Job& job,
                                        const RowValues& values, Range range, Sum* cells) const {
  const auto cells_of = [&](std::size_t slot) {
    return cells + (space_.code_offset(slot) - window.offset) * n_channels();
  };
  std::size_t reads = 0, n = 0;
  std::array<ColumnCells, columns_at_once> group;
  const auto add_group = [&] {
    if (n > 0) reads += add_columns(group.data(), n, values, range);
    n = 0;
  };
  for (std::size_t slot : window.slots) {
    const Column& column = space_.column(slot);
    if (n_channels() > 1 || column.storage != Storage::dense8) {
      reads +=
          Accumulator(context_.problem, *job.order).add({&column, cells_of(slot), nullptr}, range);
      continue;
    }
    group[n++] = {column.codes8, cells_of(slot)};
    if (n == group.size()) add_group();
  }
  add_group();
  return reads;
}

// Where many of the rows of the table are in a node, each cache line of a column holds several of
// them, and the cells of four columns are in the first-level cache.
bool WindowStore::is_read_by_columns(const RowTile& tile, const Job& job) const {
  constexpr std::size_t sparsest = 8;
  return tile.has_bytes && n_channels() == 1 &&
         sparsest * job.range.size() >= context_.columns.n_rows;
}

// The cell of a code that rows are not added to.
void WindowStore::fill_rest(std::size_t slot, const Job& job, Sum* cells) const {
  if (!job.has_rows || !kind_.fills_rest || space_.rest_code(slot) < 0) return;
  Accumulator::fill_rest({&space_.column(slot), cells, nullptr}, space_.rest_code(slot),
                         job.totals->data(), space_.n_channels(), 0);
}

void WindowStore::scan(const Job& job, int side, std::size_t slot, const Sum* cells) const {
  if (job.sides[side].node != nullptr) job.scanner->scan(*job.sides[side].node, side, slot, cells);
}

}  // namespace frugalboost
