#include "core/histogram/narrow_store.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/histogram/for_slots.hpp"
#include "core/threads/lists.hpp"

namespace frugalboost {

namespace {

// Past this share of changed rows, adding all of them is as fast.
constexpr double largest_change = 0.6;

NarrowRows part_of_rows(const NarrowRows& rows, Range part) {
  return {rows.rows == nullptr ? nullptr : rows.rows + part.begin, rows.first + part.begin,
          rows.weights + part.begin, part.size()};
}

}  // namespace

struct NarrowStore::Task {
  const NarrowStore& store;
  const NarrowRows& rows;
  Range range;
  NarrowSum* cells;
  bool is_fresh;
  bool is_divisible = true;

  void clear(const Lane& lane) const {
    if (is_fresh) std::fill_n(cells + lane.first_code, lane.n_codes, NarrowSum{0});
  }
  std::size_t add(const Lane& lane, Range part, NarrowSum* to) const {
    return store.add_lane(lane, part_of_rows(rows, part), to);
  }
};

NarrowStore::NarrowStore(const SearchContext& context, const FeatureSpace& space)
    : context_(context),
      space_(space),
      lanes_(space, context.columns.n_rows, 1),
      team_(lanes_, space.n_codes(), 1) {}

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

bool NarrowStore::update_root(Node& root, Work& work) {
  const std::size_t n = root.n_heavy;
  narrow_seen(root) = round_weights({0, n});
  const std::size_t n_changed = list_changed(n);
  if (static_cast<double>(n_changed) > largest_change * static_cast<double>(n)) return false;
  root_weights_.swap(weights_);
  change_weights_.resize(n);
  parallel_slices(n_changed,
                  slices_worth(n_changed, rows_worth_a_thread, context_.options.n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      const Row place = changed_[i];
                      change_weights_[i] = root_weights_[place] - weights_[place];
                      changed_[i] = context_.order.row(place);
                    }
                  });
  add({changed_.data(), 0, change_weights_.data(), n_changed}, false, root_, work);
  return true;
}

// The places of the rows whose rounded weight is not the last root's.
std::size_t NarrowStore::list_changed(std::size_t n) {
  const NarrowSum *now = weights_.data(), *last = root_weights_.data();
  return list_numbers(
      n, slices_worth(n, rows_worth_a_thread, context_.options.n_threads),
      [=](std::size_t i) { return now[i] != last[i]; }, changed_, changed_aside_);
}

// Into weights_.
Seen NarrowStore::round_weights(Range range) {
  weights_.resize(range.size());
  const Sum* weights = context_.order.weights() + range.begin;
  const std::size_t n_slices =
      slices_worth(range.size(), rows_worth_a_thread, context_.options.n_threads);
  std::vector<Seen> seen(n_slices);
  parallel_slices(
      range.size(), n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
        seen[slice] = to_narrow(weights + begin, end - begin, shift_, weights_.data() + begin);
      });
  return std::accumulate(seen.begin(), seen.end(), Seen{});
}

void NarrowStore::need(Node& node, Work& work) {
  if (node.has_histograms()) return;
  node.histograms = context_.pool.take();
  build(node, *node.histograms, work);
}

void NarrowStore::extend(Node& node, std::size_t n_heavy, Work& work) {
  const Range added{node.range.begin + node.n_heavy, node.range.begin + n_heavy};
  Seen seen;
  add(round_rows(added, seen), false, own(node), work);
  narrow_seen(node) = narrow_seen(node) + seen;
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
  narrow_seen(larger) = narrow_seen(parent) - narrow_seen(smaller);
  const std::vector<NarrowSum>& whole = parent.held().narrow;
  std::vector<NarrowSum>& narrow = inherit(parent, larger, context_.pool).narrow;
  narrow.resize(whole.size());
  NarrowSum* rest = narrow.data();
  const NarrowSum* part = smaller.histograms->narrow.data();
  const std::size_t n = whole.size();
  parallel_slices(n, slices_worth(n, narrow_cells_worth_a_thread, context_.options.n_threads),
                  [&](std::size_t, std::size_t begin, std::size_t end) {
                    subtract_narrow(whole.data() + begin, part + begin, end - begin, rest + begin);
                  });
}

void NarrowStore::build(Node& node, NodeHistograms& out, Work& work) {
  out.narrow.resize(space_.n_codes());
  const Range heavy{node.range.begin, node.range.begin + node.n_heavy};
  add(round_rows(heavy, narrow_seen(node)), true, out, work);
}

NarrowRows NarrowStore::round_rows(Range range, Seen& seen) {
  seen = round_weights(range);
  const Row* rows = context_.order.is_identity() ? nullptr : context_.order.rows() + range.begin;
  return {rows, range.begin, weights_.data(), range.size()};
}

void NarrowStore::add(const NarrowRows& rows, bool is_fresh, NodeHistograms& out,
                      Work& work) const {
  const std::size_t n_parts = parts_between_polls(lanes_.cost(), rows.n);
  for (std::size_t part = 0; part < n_parts; ++part) {
    const Task task{*this, rows, part_of({0, rows.n}, part, n_parts), out.narrow.data(),
                    is_fresh && part == 0};
    work.reads += team_.run(task, context_.options.n_threads);
    context_.poll();
  }
  work.assessments += static_cast<std::uint64_t>(rows.n) * space_.size();
}

std::size_t NarrowStore::add_lane(const Lane& lane, const NarrowRows& rows,
                                  NarrowSum* cells) const {
  if (lane.block != nullptr)
    return add_narrow_block(*lane.block->rows, rows, cells + lane.first_code);
  const std::size_t slot = space_.singles()[lane.first_single];
  add_narrow_column(context_.columns, space_.feature(slot), rows, cells + lane.first_code);
  if (space_.rest_code(slot) >= 0) cells[lane.first_code + space_.rest_code(slot)] = 0;
  return rows.n;
}

}  // namespace frugalboost
