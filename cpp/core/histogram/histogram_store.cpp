#include "core/histogram/histogram_store.hpp"

#include <algorithm>
#include <utility>

#include "core/columns/code_reader.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

HistogramStore::HistogramStore(const SearchContext& context, CellKind kind)
    : context_(context), filler_(context, kind) {}

// Histograms are kept for the children if adding their rows would cost more than clearing cells.
bool HistogramStore::is_kept(const Node& node) const {
  // Cells of one number are few enough to be kept in any case.
  constexpr std::size_t few_cells = std::size_t{1} << 17;
  if (node.is_remembered || filler_.kind().keeps_all) return true;
  if (space().n_channels() == 1 && space().n_cells() <= few_cells) return true;
  return !node.is_last && static_cast<double>(node.range.size()) * windows().entries_of_a_row() >
                              0.25 * static_cast<double>(space().n_codes());
}

NodeHistograms* HistogramStore::take(Node& node) {
  node.histograms = context_.pool.take();
  filler_.resize(*node.histograms);
  return node.histograms.get();
}

// What looking at some rows adds to the assessments of a search that counts what it looks at.
void HistogramStore::count(std::size_t n_rows, Work& work) const {
  if (context_.options.kind == SearchKind::incremental)
    work.assessments += static_cast<std::uint64_t>(n_rows) * space().size();
}

FillJob HistogramStore::job_of(const Node& node) const {
  FillJob job;
  job.order = &context_.order;
  job.range = node.range;
  job.totals = &node.totals;
  return job;
}

void HistogramStore::search(Node& node, CellScanner& scanner, Work& work) {
  FillJob job = job_of(node);
  job.scanner = &scanner;
  job.has_rows = !node.has_histograms();
  job.sides[0].node = &node;
  if (!job.has_rows) {
    job.sides[0].kept = const_cast<NodeHistograms*>(&node.held());  // only read
  } else {
    count(node.range.size(), work);
    if (is_kept(node)) job.sides[0].kept = take(node);
  }
  scanner.begin(node);
  filler_.run(job, work);
}

void HistogramStore::hand_down(Node& parent, Node& left, Node& right, CellScanner& scanner,
                               Work& work) {
  if (!parent.has_histograms()) return;
  Node& smaller = *smaller_of(left, right);
  Node& larger = &smaller == &left ? right : left;
  if (!larger.is_wanted) return;
  count(smaller.range.size(), work);
  FillJob job = job_of(smaller);
  job.scanner = &scanner;
  job.whole = &parent.held();
  // Leaves that are kept for the next root need their cells even if they are not searched.
  if (smaller.is_wanted ? is_kept(smaller) : smaller.is_remembered)
    job.sides[0].kept = take(smaller);
  if (is_kept(larger)) {
    job.sides[1].kept = &inherit(parent, larger, context_.pool);
    filler_.resize(*job.sides[1].kept);
  }
  for (Node* node : {&smaller, &larger}) {
    if (!node->is_wanted) continue;
    scanner.begin(*node);
    job.sides[node == &larger].node = node;
  }
  filler_.run(job, work);
}

void HistogramStore::recall(Node& root, RootMemory& memory, Work& work) {
  if (space().size() == 0) return;
  if (!apply_changes(root, memory, work)) {
    memory.is_filled = false;  // until all is added: an interrupt may come in between
    fill(context_.order, root.totals, root.range.size(), memory.histograms, work);
  }
  memory.keep(*context_.problem.changes, context_.features);
  root.borrowed = &memory.histograms;
}

bool HistogramStore::apply_changes(const Node& root, RootMemory& memory, Work& work) {
  const Changes& changes = *context_.problem.changes;
  if (!memory.is_of(changes, context_.features)) return false;
  if (memory.version == changes.version) return true;
  if (!memory.is_one_step_behind(changes)) return false;
  memory.is_filled = false;
  changes_.reset_to_changes(context_.problem, context_.columns.any_sparse_outside_blocks());
  FillJob job;
  job.order = &changes_;
  job.range = {0, changes.n};
  job.is_fresh = false;
  job.counts_rows = false;  // no row comes or goes
  job.totals = &root.totals;
  job.sides[0].kept = &memory.histograms;
  filler_.run(job, work);
  changes_ = RowOrder();
  count(changes.n, work);
  return true;
}

void HistogramStore::fill(const RowOrder& order, const std::vector<Sum>& totals, std::size_t n_rows,
                          NodeHistograms& histograms, Work& work) {
  filler_.resize(histograms);
  FillJob job;
  job.order = &order;
  job.range = {0, n_rows};
  job.totals = &totals;
  job.sides[0].kept = &histograms;
  filler_.run(job, work);
  count(n_rows, work);
}

HistogramStore::ColumnCells HistogramStore::cells(const Node& node, std::size_t slot,
                                                  Room& room) const {
  if (node.has_histograms()) {
    const NodeHistograms& held = node.held();
    return {held.cells.data() + space().cell_offset(slot),
            held.counts.empty() ? nullptr : held.counts.data() + space().code_offset(slot)};
  }
  read(node, slot, room);
  return {room.cells.data(), room.counts.data()};
}

void HistogramStore::read(const Node& node, std::size_t slot, Room& room) const {
  const std::size_t n_codes = space().column(slot).n_codes();
  const std::size_t n_cells = n_codes * static_cast<std::size_t>(space().n_channels());
  const std::size_t n_parts =
      slices_worth(node.range.size(), 4 * rows_worth_a_thread, context_.options.n_threads);
  std::vector<Room> parts(n_parts);
  const CodeReader code_of(context_.columns, space().feature(slot));
  const Accumulator accumulator(context_.problem, context_.order);
  parallel_slices(
      node.range.size(), n_parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
        parts[part].cells.assign(n_cells, 0);
        parts[part].counts.assign(n_codes, 0);
        accumulator.add_codes(code_of, {node.range.begin + begin, node.range.begin + end},
                              parts[part].cells.data(), parts[part].counts.data());
      });
  room.cells.swap(parts[0].cells);
  room.counts.swap(parts[0].counts);
  for (std::size_t part = 1; part < n_parts; ++part) {
    for (std::size_t i = 0; i < n_cells; ++i) room.cells[i] += parts[part].cells[i];
    for (std::size_t i = 0; i < n_codes; ++i) room.counts[i] += parts[part].counts[i];
  }
}

}  // namespace frugalboost
