#include "core/histogram_store.hpp"

#include <utility>

namespace frugalboost {
namespace {

// Past this share of changed rows, adding everything in order is as fast.
constexpr double largest_change = 0.6;

void subtract(const NodeHistograms& whole, const NodeHistograms& part, NodeHistograms& rest) {
  rest.cells.resize(whole.cells.size());
  rest.counts.resize(whole.counts.size());
  for (std::size_t i = 0; i < whole.cells.size(); ++i)
    rest.cells[i] = whole.cells[i] - part.cells[i];
  for (std::size_t i = 0; i < whole.counts.size(); ++i)
    rest.counts[i] = whole.counts[i] - part.counts[i];
}

}  // namespace

HistogramStore::HistogramStore(const SearchContext& context, const FeatureSpace& space)
    : context_(context),
      space_(space),
      builder_(context, space, context.problem, context.order),
      with_counts_(context.options.min_samples_leaf > 1) {}

void HistogramStore::recall(Node& root, RootMemory& memory, Work& work) {
  if (space_.size() == 0) return;
  const Changes& changes = *context_.problem.changes;
  if (!apply_changes(root, memory, work)) {
    build(root.range, cell_totals(root), memory.histograms, work);
    count(root.range.size(), work);
  }
  memory.is_filled = true;
  memory.source = changes.source;
  memory.version = changes.version;
  memory.features = context_.features;
  root.borrowed = &memory.histograms;
}

bool HistogramStore::apply_changes(const Node& root, RootMemory& memory, Work& work) const {
  const Changes& changes = *context_.problem.changes;
  if (!memory.is_filled || memory.source != changes.source || memory.features != context_.features)
    return false;
  if (memory.version == changes.version) return true;
  if (memory.version + 1 != changes.version || changes.all ||
      static_cast<double>(changes.n) > largest_change * static_cast<double>(root.range.size()))
    return false;
  memory.is_filled = false;  // until all is added: an interrupt may come in between
  RowOrder order;
  order.reset_to_changes(context_.problem, context_.columns.any_sparse_outside_blocks());
  // Counts of rows do not change.
  work.reads += HistogramBuilder(context_, space_, context_.problem, order)
                    .build({0, changes.n}, cell_totals(root).data(),
                           memory.histograms.cells.data(), nullptr);
  count(changes.n, work);
  return true;
}

void HistogramStore::need(Node& node, Work& work) {
  if (node.has_histograms()) return;
  node.histograms = context_.pool.take();
  build(node.range, cell_totals(node), *node.histograms, work);
  count(node.range.size(), work);
}

void HistogramStore::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  if (!parent.has_histograms()) return;  // given up for want of memory: the children start afresh
  Node& smaller = left.range.size() <= right.range.size() ? left : right;
  Node& larger = &smaller == &left ? right : left;
  need(smaller, work);
  if (!larger.is_wanted) return;
  const NodeHistograms& whole = parent.held();
  // In place, unless the parent's are to be kept for the next tree.
  larger.histograms = parent.histograms ? std::move(parent.histograms) : context_.pool.take();
  subtract(whole, *smaller.histograms, *larger.histograms);
}

void HistogramStore::build(Range range, const std::vector<Sum>& totals, NodeHistograms& out,
                           Work& work) const {
  out.cells.assign(space_.n_cells(), 0);
  out.counts.assign(with_counts_ ? space_.n_codes() : 0, 0);
  work.reads += builder_.build(range, totals.data(), out.cells.data(),
                               with_counts_ ? out.counts.data() : nullptr);
}

std::vector<Sum> HistogramStore::cell_totals(const Node& node) const {
  if (context_.problem.signed_cells) return {node.totals[1] - node.totals[0]};
  return node.totals;
}

void HistogramStore::count(std::size_t n_rows, Work& work) const {
  if (context_.options.kind == SearchKind::incremental)
    work.assessments += static_cast<std::uint64_t>(n_rows) * space_.size();
}

}  // namespace frugalboost
