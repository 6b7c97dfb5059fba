#include "core/narrow_store.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace frugalboost {

// Past this share of changed rows, adding all of them is as fast.
constexpr double largest_change = 0.6;

NarrowStore::NarrowStore(const SearchContext& context, const FeatureSpace& space)
    : context_(context), space_(space) {}

void NarrowStore::begin(Node& root, Work& work) {
  const std::uint64_t version = context_.problem.heavy_version;
  const bool is_same = version != 0 && version == root_version_ && fits_narrow(root.mass, shift_);
  root_version_ = 0;  // until all is added: an interrupt may come in between
  if (!is_same || !update_root(root, work)) {
    shift_ = narrow_shift(root.mass);
    build(root, root_, work);
    root_weights_.swap(weights_);
  }
  root_version_ = version;
  root.borrowed = &root_;
}

bool NarrowStore::update_root(const Node& root, Work& work) {
  const std::size_t n = root.n_heavy;
  weights_.resize(n);
  changed_.resize(n);
  to_narrow(context_.order.weights(), n, shift_, weights_.data());
  std::size_t n_changed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    changed_[n_changed] = static_cast<Row>(i);
    n_changed += weights_[i] != root_weights_[i];
  }
  if (static_cast<double>(n_changed) > largest_change * static_cast<double>(n)) return false;
  root_weights_.swap(weights_);
  // What was a weight becomes what it changed by.
  for (std::size_t i = 0; i < n_changed; ++i) {
    const Row place = changed_[i];
    weights_[i] = root_weights_[place] - weights_[place];
    changed_[i] = context_.order.row(place);
  }
  add({changed_.data(), 0, weights_.data(), n_changed}, root_, work);
  return true;
}

void NarrowStore::need(Node& node, Work& work) {
  if (node.has_histograms()) return;
  node.histograms = context_.pool.take();
  build(node, *node.histograms, work);
}

void NarrowStore::extend(Node& node, std::size_t n_heavy, Work& work) {
  const Range added{node.range.begin + node.n_heavy, node.range.begin + n_heavy};
  add(round_rows(added), own(node), work);
  node.n_heavy = n_heavy;
}

// Those of the root are kept for the next tree.
NodeHistograms& NarrowStore::own(Node& node) const {
  if (!node.histograms) {
    node.histograms = context_.pool.take();
    node.histograms->narrow = node.borrowed->narrow;
  }
  return *node.histograms;
}

void NarrowStore::hand_down(Node& parent, Node& left, Node& right, Work& work) {
  if (!parent.has_histograms()) return;  // given up for want of memory: the children start afresh
  Node& smaller = left.n_heavy <= right.n_heavy ? left : right;
  Node& larger = &smaller == &left ? right : left;
  need(smaller, work);
  if (!larger.is_wanted) return;
  const std::vector<NarrowSum>& whole = parent.held().narrow;
  larger.histograms = parent.histograms ? std::move(parent.histograms) : context_.pool.take();
  larger.histograms->narrow.resize(whole.size());
  subtract_narrow(whole.data(), smaller.histograms->narrow.data(), whole.size(),
                  larger.histograms->narrow.data());
}

Seen NarrowStore::seen(const Node& node) {
  weights_.resize(node.n_heavy);
  return to_narrow(context_.order.weights() + node.range.begin, node.n_heavy, shift_,
                   weights_.data());
}

void NarrowStore::build(const Node& node, NodeHistograms& out, Work& work) {
  out.narrow.assign(space_.n_codes(), 0);
  add(round_rows({node.range.begin, node.range.begin + node.n_heavy}), out, work);
}

NarrowRows NarrowStore::round_rows(Range range) {
  weights_.resize(range.size());
  to_narrow(context_.order.weights() + range.begin, range.size(), shift_, weights_.data());
  const Row* rows = context_.order.is_identity() ? nullptr : context_.order.rows() + range.begin;
  return {rows, range.begin, weights_.data(), range.size()};
}

void NarrowStore::add(const NarrowRows& rows, NodeHistograms& out, Work& work) const {
  const std::size_t n_blocks = space_.blocks().size();
  std::vector<std::size_t> reads(context_.options.n_threads, 0);
  const auto add_block = [&](const FeatureSpace::Block& block) {
    return add_narrow_block(*block.rows, rows, out.narrow.data() + block.first_code);
  };
  const auto add_column = [&](std::size_t slot) {
    NarrowSum* cells = out.narrow.data() + space_.code_offset(slot);
    add_narrow_column(context_.columns, space_.feature(slot), rows, cells);
    if (space_.rest_code(slot) >= 0) cells[space_.rest_code(slot)] = 0;
    return rows.n;
  };
  parallel_for(n_blocks + space_.singles().size(), rows.n, context_.options.n_threads,
               context_.poll, [&](std::size_t task) {
                 reads[this_thread()] += task < n_blocks
                                             ? add_block(space_.blocks()[task])
                                             : add_column(space_.singles()[task - n_blocks]);
               });
  for (std::size_t n : reads) work.reads += n;
  work.assessments += static_cast<std::uint64_t>(rows.n) * space_.size();
}

}  // namespace frugalboost
