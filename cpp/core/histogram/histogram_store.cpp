#include "core/histogram/histogram_store.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/histogram/wide_cells.hpp"

namespace frugalboost {
namespace {

void subtract(const SearchContext& context, const NodeHistograms& whole, const NodeHistograms& part,
              NodeHistograms& rest) {
  rest.cells.resize(whole.cells.size());
  rest.counts.resize(whole.counts.size());
  frugalboost::subtract(whole.cells.data(), part.cells.data(), whole.cells.size(),
                        context.options.n_threads, rest.cells.data());
  for (std::size_t i = 0; i < whole.counts.size(); ++i)
    rest.counts[i] = whole.counts[i] - part.counts[i];
}

// The same in place, looking only at what `part` holds.
void take_away(const NodeHistograms& part, std::size_t n_channels, NodeHistograms& from) {
  for (std::size_t code = 0; code < part.counts.size(); ++code) {
    if (part.counts[code] == 0) continue;
    from.counts[code] -= part.counts[code];
    Sum* cell = from.cells.data() + code * n_channels;
    subtract_cells(cell, part.cells.data() + code * n_channels, n_channels, cell);
  }
}

void clear(std::size_t n_channels, NodeHistograms& histograms) {
  for (std::size_t code = 0; code < histograms.counts.size(); ++code) {
    if (histograms.counts[code] == 0) continue;
    histograms.counts[code] = 0;
    std::fill_n(histograms.cells.begin() + static_cast<std::ptrdiff_t>(code * n_channels),
                n_channels, Sum{0});
  }
}

}  // namespace

void subtract(const Sum* whole, const Sum* part, std::size_t n, int n_threads, Sum* rest) {
  parallel_slices(n, slices_worth(n, cells_worth_a_thread, n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    subtract_cells(whole + begin, part + begin, end - begin, rest + begin);
                  });
}

HistogramStore::HistogramStore(const SearchContext& context, const FeatureSpace& space)
    : context_(context),
      space_(space),
      builder_(context, space, context.problem, context.order),
      change_builder_(context, space, context.problem, changes_),
      is_wide_(space.n_channels() >= wide_channels),
      with_counts_(is_wide_ || context.options.min_samples_leaf > 1) {}

void HistogramStore::recall(Node& root, RootMemory& memory, Work& work) {
  if (space_.size() == 0) return;
  if (!apply_changes(root, memory, work)) {
    build(root.range, root.totals.data(), memory.histograms, work);
    count(root.range.size(), work);
  }
  memory.keep(*context_.problem.changes, context_.features);
  root.borrowed = &memory.histograms;
}

bool HistogramStore::apply_changes(const Node& root, RootMemory& memory, Work& work) {
  const Changes& changes = *context_.problem.changes;
  if (!memory.is_of(changes, context_.features)) return false;
  if (memory.version == changes.version) return true;
  if (!memory.is_one_step_behind(changes)) return false;
  memory.is_filled = false;  // until all is added: an interrupt may come in between
  changes_.reset_to_changes(context_.problem, context_.columns.any_sparse_outside_blocks());
  add_changes(changes.n, root.totals.data(), memory, work);
  return true;
}

// Counts of rows do not change.
void HistogramStore::add_changes(std::size_t n, const Sum* totals, RootMemory& memory, Work& work) {
  work.reads += change_builder_.build({0, n}, totals, Start::from_cells,
                                      memory.histograms.cells.data(), nullptr);
  changes_ = RowOrder();
  count(n, work);
}

void HistogramStore::need(Node& node, Work& work) {
  if (node.has_histograms()) return;
  node.histograms = context_.pool.take();
  build(node.range, node.totals.data(), *node.histograms, work);
  count(node.range.size(), work);
}

void HistogramStore::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  if (!parent.has_histograms()) return;  // given up for want of memory: the children start afresh
  Node& smaller = *smaller_of(left, right);
  Node& larger = &smaller == &left ? right : left;
  need(smaller, work);
  if (!larger.is_wanted) return;
  if (is_wide_ && parent.histograms) {
    larger.histograms = std::move(parent.histograms);
    return take_away(*smaller.histograms, space_.n_channels(), *larger.histograms);
  }
  const NodeHistograms& whole = parent.held();
  // In place, unless the parent's are to be kept for the next tree.
  larger.histograms = parent.histograms ? std::move(parent.histograms) : context_.pool.take();
  subtract(context_, whole, *smaller.histograms, *larger.histograms);
}

void HistogramStore::build(Range range, const Sum* totals, NodeHistograms& out, Work& work) const {
  const bool is_cleared = is_wide_ && out.counts.size() == space_.n_codes();
  if (is_cleared) {
    clear(space_.n_channels(), out);
  } else {
    out.cells.resize(space_.n_cells());
    out.counts.resize(with_counts_ ? space_.n_codes() : 0);
  }
  work.reads += builder_.build(range, totals, is_cleared ? Start::from_cells : Start::from_zero,
                               out.cells.data(), with_counts_ ? out.counts.data() : nullptr);
}

void HistogramStore::count(std::size_t n_rows, Work& work) const {
  if (context_.options.kind == SearchKind::incremental)
    work.assessments += static_cast<std::uint64_t>(n_rows) * space_.size();
}

}  // namespace frugalboost
