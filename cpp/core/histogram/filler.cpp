#include "core/histogram/filler.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/base/kernel_parts.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/histogram/lanes.hpp"
#include "core/histogram/wide_cells.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Rows that a thread should have to add, times the cells of each.
constexpr std::size_t updates_worth_a_thread = 4096;

// No more threads than a root has so many updates for each: on small tables a thread more costs as
// much as it does.
constexpr std::size_t updates_of_a_root = std::size_t{1} << 15;

// So few rows are added to all windows in turn: what they hold is in the cache for each of them.
constexpr std::size_t rows_at_once = 1024;

bool has_tiles(const Columns& columns, std::size_t from) {
  std::size_t n_dense = 0;
  for (const Column& column : columns.columns) n_dense += column.storage == Storage::dense8;
  return n_dense * columns.n_rows >= from;
}

template <class Value>
FRUGALBOOST_PART void add_all(const Value* part, std::size_t n, Value* to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += part[i];
}

FRUGALBOOST_CLONES
void add_cells(const Sum* part, std::size_t n, Sum* cells) { add_all(part, n, cells); }

FRUGALBOOST_CLONES
void add_counts(const std::uint32_t* part, std::size_t n, std::uint32_t* counts) {
  add_all(part, n, counts);
}

FRUGALBOOST_CLONES
void subtract_counts(const std::uint32_t* whole, const std::uint32_t* part, std::size_t n,
                     std::uint32_t* rest) {
  for (std::size_t i = 0; i < n; ++i) rest[i] = whole[i] - part[i];
}

}  // namespace

Filler::Filler(const SearchContext& context, CellKind kind)
    : context_(context),
      kind_(kind),
      space_(context.columns, context.columns.row_blocks(context.options.n_threads, context.poll),
             context.features, context.problem.cell_channels(),
             has_tiles(context.columns, kind.tiles_from)
                 ? &context.columns.row_tiles(context.options.n_threads, context.poll)
                 : nullptr),
      windows_(space_, context.columns.n_rows, context.problem.cell_channels() * sizeof(Sum),
               kind.columns_at_once, context.options.n_threads),
      workers_(context.options.n_threads),
      parts_(context.options.n_threads) {
  const double updates = static_cast<double>(context.columns.n_rows * n_channels()) *
                         windows_.entries_of_a_row() / updates_of_a_root;
  most_threads_ = std::clamp(updates, 1.0, static_cast<double>(context.options.n_threads));
  for (std::size_t slot : space_.singles())
    has_sparse_columns_ |= space_.column(slot).storage == Storage::sparse;
}

void Filler::resize(NodeHistograms& histograms) const {
  histograms.cells.resize(space_.n_cells());
  histograms.counts.resize(kind_.has_counts ? space_.n_codes() : 0);
}

Filler::Cells Filler::room_for(std::size_t n_codes, Room& room) const {
  return {room.sums.room_for(n_codes * n_channels()),
          kind_.has_counts ? room.counts.room_for(n_codes) : nullptr};
}

// The cells of `n_codes` codes from `offset` on: where they are kept, or in a room for a while.
Filler::Cells Filler::cells_of(NodeHistograms* kept, std::size_t offset, std::size_t n_codes,
                               Room& room) const {
  if (kept == nullptr) return room_for(n_codes, room);
  return at({kept->cells.data(), kind_.has_counts ? kept->counts.data() : nullptr}, offset);
}

void Filler::clear(const Cells& cells, std::size_t n_codes) const {
  std::fill_n(cells.sums, n_codes * n_channels(), Sum{0});
  if (cells.counts != nullptr) std::fill_n(cells.counts, n_codes, std::uint32_t{0});
}

void Filler::subtract(const NodeHistograms& whole, std::size_t offset, const Cells& part,
                      std::size_t n_codes, const Cells& rest) const {
  subtract_cells(whole.cells.data() + offset * n_channels(), part.sums, n_codes * n_channels(),
                 rest.sums);
  if (rest.counts != nullptr)
    subtract_counts(whole.counts.data() + offset, part.counts, n_codes, rest.counts);
}

double Filler::worth(std::size_t n_rows) const {
  const double updates = static_cast<double>(n_rows) * windows_.entries_of_a_row();
  const double cells = static_cast<double>(space_.n_cells()) * 2.0;
  return updates * static_cast<double>(n_channels()) / updates_worth_a_thread +
         cells / static_cast<double>(kind_.cells_worth_a_thread);
}

int Filler::threads_worth(const FillJob& job) const {
  const double worthy = worth(job.has_rows ? job.range.size() : 0);
  // To wake the first of them takes as long as a little work.
  if (worthy < 3.0 || is_in_team()) return 1;
  return static_cast<int>(std::clamp(worthy, 1.0, most_threads_));
}

void Filler::run(const FillJob& job, Work& work) {
  const int n_threads = threads_worth(job);
  if (is_by_windows(job, n_threads))
    run_by_windows(job, n_threads);
  else
    run_by_rows(job, n_threads);
  if (is_in_team()) {
    work.reads += std::exchange(workers_[this_thread()].reads, 0);
  } else {
    for (Worker& worker : workers_) work.reads += std::exchange(worker.reads, 0);
  }
  context_.poll();
}

bool Filler::is_by_windows(const FillJob& job, int n_threads) const {
  // Some rows of a sparse column cannot be found without a look at the others.
  if (n_threads == 1 || has_sparse_columns_) return true;
  // Cells of their own for all threads would have to stay in their caches.
  constexpr std::size_t most_own_cells = std::size_t{1} << 17;
  return job.has_rows && (windows_.size() >= 2 * static_cast<std::size_t>(n_threads) ||
                          space_.n_cells() > most_own_cells);
}

// Window by window, each from its rows to its splits.
void Filler::run_by_windows(const FillJob& job, int n_threads) {
  const double updates = job.has_rows ? static_cast<double>(job.range.size() * n_channels()) *
                                            windows_.entries_of_a_row()
                                      : 0.0;
  const auto cost = static_cast<std::size_t>(updates / static_cast<double>(windows_.size()));
  parallel_for(windows_.size(), cost + space_.n_cells() / windows_.size(), n_threads, context_.poll,
               [&](std::size_t w) { run_window(job, windows_[w]); });
}

void Filler::run_window(const FillJob& job, const Window& window) {
  Worker& worker = workers_[this_thread()];
  const std::size_t n = window.n_codes, first = window.offset;
  const Cells cells = cells_of(job.sides[0].kept, first, n, worker.rooms[0]);
  if (job.has_rows) {
    if (job.is_fresh) clear(cells, n);
    worker.reads += add_rows(window, job, job.range, cells);
  }
  for (std::size_t slot : window.slots) {
    const Cells of_slot = at(cells, space_.code_offset(slot) - first);
    fill_rest(slot, job, of_slot);
    scan(job, 0, slot, of_slot);
  }
  if (job.sides[1].node == nullptr) return;
  const Cells rest = cells_of(job.sides[1].kept, first, n, worker.rooms[1]);
  subtract(*job.whole, first, cells, n, rest);
  for (std::size_t slot : window.slots)
    scan(job, 1, slot, at(rest, space_.code_offset(slot) - first));
}

// Rows first, each thread some of them in cells of its own, then feature by feature.
void Filler::run_by_rows(const FillJob& job, int n_threads) {
  Cells cells[2] = {};
  for (int s = 0; s < 2; ++s)
    if (s == 0 || job.sides[s].node != nullptr)
      cells[s] = cells_of(job.sides[s].kept, 0, space_.n_codes(), unkept_[s]);
  const int n_parts = job.has_rows ? add_in_parts(job, n_threads, cells[0]) : 0;
  const std::size_t n_slices = slices_worth(2 * space_.n_cells() + n_parts * space_.n_cells() / 4,
                                            kind_.cells_worth_a_thread, n_threads);
  parallel_slices(space_.size(), n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t first = space_.code_offset(slot);
      const Cells of_slot = at(cells[0], first);
      merge_parts(slot, n_parts, of_slot, job.counts_rows);
      fill_rest(slot, job, of_slot);
      scan(job, 0, slot, of_slot);
      if (job.sides[1].node == nullptr) continue;
      const Cells rest = at(cells[1], first);
      subtract(*job.whole, first, of_slot, space_.column(slot).n_codes(), rest);
      scan(job, 1, slot, rest);
    }
  });
}

// Adds some of the rows to `cells` and the others to cells of parts; returns how many there are.
int Filler::add_in_parts(const FillJob& job, int n_threads, const Cells& cells) {
  // Cells of a part are cleared and added once more, so it should have rows enough for that.
  const double updates = static_cast<double>(job.range.size()) * windows_.entries_of_a_row();
  const auto n_parts = static_cast<std::size_t>(std::clamp(
      updates / static_cast<double>(space_.n_codes()), 1.0, static_cast<double>(n_threads)));
  const std::size_t n_pauses =
      parts_between_polls(windows_.entries_of_a_row(), job.range.size() * n_channels());
  for (std::size_t pause = 0; pause < n_pauses; ++pause) {
    add_together(job, part_of(job.range, pause, n_pauses), n_parts, pause == 0, cells);
    if (pause + 1 < n_pauses) context_.poll();
  }
  return static_cast<int>(n_parts);
}

// Some of the rows, to cells that hold the sums of those before unless it is the first time.
void Filler::add_together(const FillJob& job, Range range, std::size_t n_parts, bool is_first,
                          const Cells& cells) {
  // Who has added the rows of its own part helps the others.
  struct alignas(64) Cursor {
    std::atomic<std::size_t> next{0};
  };
  std::vector<Cursor> cursors(n_parts);
  parallel_slices(n_parts, n_parts, [&](std::size_t part, std::size_t, std::size_t) {
    const Cells to = part == 0 ? cells : room_for(space_.n_codes(), parts_[part]);
    if (is_first && (part > 0 || job.is_fresh)) clear(to, space_.n_codes());
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

std::size_t Filler::add_to_all(const FillJob& job, Range rows, const Cells& cells) const {
  std::size_t reads = 0;
  for (const Window& window : windows_.all())
    reads += add_rows(window, job, rows, at(cells, window.offset));
  return reads;
}

void Filler::merge_parts(std::size_t slot, int n_parts, const Cells& cells,
                         bool counts_rows) const {
  const std::size_t first = space_.code_offset(slot), n = space_.column(slot).n_codes();
  for (int part = 1; part < n_parts; ++part) {
    add_cells(parts_[part].sums.data() + first * n_channels(), n * n_channels(), cells.sums);
    if (cells.counts != nullptr && counts_rows)
      add_counts(parts_[part].counts.data() + first, n, cells.counts);
  }
}

std::size_t Filler::add_rows(const Window& window, const FillJob& job, Range range,
                             const Cells& cells) const {
  const Problem& problem = context_.problem;
  return problem.layout == Layout::real || problem.signed_cells
             ? add_numbers(window, job, range, cells.sums)
             : add_labelled(window, job, range, cells);
}

// Rows whose numbers are added as they are.
std::size_t Filler::add_numbers(const Window& window, const FillJob& job, Range range,
                                Sum* cells) const {
  const RowOrder& order = *job.order;
  const RowValues values{order.is_identity() ? nullptr : order.rows(),
                         n_channels() == 1 ? order.weights() : context_.problem.weights,
                         n_channels()};
  if (window.tile != nullptr && !is_read_by_columns(*window.tile, job))
    return add_tile(*window.tile, values, range, cells);
  if (window.block != nullptr)
    return add_entries(window.row_start_at(), window.entries_at(), values, range, cells);
  return add_by_columns(window, job, values, range, cells);
}

std::size_t Filler::add_by_columns(const Window& window, const FillJob& job,
                                   const RowValues& values, Range range, Sum* cells) const {
  const auto cells_of_slot = [&](std::size_t slot) {
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
      reads += Accumulator(context_.problem, *job.order)
                   .add({&column, cells_of_slot(slot), nullptr}, range);
      continue;
    }
    group[n++] = {column.codes8, cells_of_slot(slot)};
    if (n == group.size()) add_group();
  }
  add_group();
  return reads;
}

// Rows that are added to the cells of their label.
std::size_t Filler::add_labelled(const Window& window, const FillJob& job, Range range,
                                 const Cells& cells) const {
  const Accumulator accumulator(context_.problem, *job.order);
  std::uint32_t* counts = job.counts_rows ? cells.counts : nullptr;
  if (window.block != nullptr)
    return accumulator.add_entries(window.row_start_at(), window.entries_at(), range, cells.sums,
                                   counts);
  std::array<Target, Accumulator::group_size> targets{};
  for (std::size_t i = 0; i < window.slots.size(); ++i) {
    const std::size_t slot = window.slots[i];
    const Cells of_slot = at({cells.sums, counts}, space_.code_offset(slot) - window.offset);
    targets[i] = {&space_.column(slot), of_slot.sums, of_slot.counts};
  }
  return accumulator.add_group(targets.data(), window.slots.size(), range);
}

// Where many of the rows of the table are in a node, each cache line of a column holds several of
// them, and the cells of four columns are in the first-level cache.
bool Filler::is_read_by_columns(const RowTile& tile, const FillJob& job) const {
  constexpr std::size_t sparsest = 8;
  return tile.has_bytes && n_channels() == 1 &&
         sparsest * job.range.size() >= context_.columns.n_rows;
}

// The cell of a code that rows are not added to.
void Filler::fill_rest(std::size_t slot, const FillJob& job, const Cells& cells) const {
  if (!job.has_rows || !kind_.fills_rest || space_.rest_code(slot) < 0) return;
  Accumulator::fill_rest(
      {&space_.column(slot), cells.sums, job.counts_rows ? cells.counts : nullptr},
      space_.rest_code(slot), job.totals->data(), space_.n_channels(), job.range.size());
}

void Filler::scan(const FillJob& job, int side, std::size_t slot, const Cells& cells) const {
  if (job.sides[side].node != nullptr)
    job.scanner->scan(*job.sides[side].node, slot, cells.sums, cells.counts);
}

}  // namespace frugalboost
