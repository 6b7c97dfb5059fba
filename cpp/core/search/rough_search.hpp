// Many outputs: all features on rough cells, which bound each from below, then the few that may
// still win on whole weights.
//
// A Kind tells how: votes by Schapire and Singer's normaliser, or real targets by variance.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/histogram/rough_windows.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/search.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

template <class Kind>
class RoughSearch final : public SplitSearch {
 public:
  using Cell = typename Kind::Cell;

  // `plain` tells what nodes are worth.
  RoughSearch(const SearchContext& context, std::unique_ptr<SplitSearch> plain)
      : context_(context),
        plain_(std::move(plain)),
        cell_{context.problem.n_outputs},
        space_(context_.columns, context_.columns.row_blocks(), context_.features,
               cell_.n_channels()),
        half_(Kind::half(cell_.n_outputs())),
        windows_(space_, context.columns.n_rows, 2 * half_ * sizeof(Rough)),
        finder_(cell_, context.options.min_samples_leaf),
        workers_(context.options.n_threads) {
    for (Worker& worker : workers_)
      for (auto& scratch : worker.scratch) scratch.resize(windows_.most_codes() * 2 * half_);
  }

  double node_loss(const Node& node) const override { return plain_->node_loss(node); }
  bool is_pure(const Node& node) const override { return plain_->is_pure(node); }

  void recall(Node&, RootMemory&, Work&) override {}

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    const SearchKind kind = context_.options.kind;
    count_full(kind != SearchKind::incremental, node, space_.size(), work);
    if (node.rough.lower.empty()) scan_alone(node, infinite, work);
    return decide(node, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    left.rough.unit = right.rough.unit = parent.rough.unit;
    if (!parent.has_histograms()) return;
    Node& smaller = left.range.size() <= right.range.size() ? left : right;
    Node& larger = &smaller == &left ? right : left;
    if (!larger.is_wanted || is_too_rough(larger) || is_too_rough(smaller)) return;
    scan_both(parent, smaller, larger, work);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  // A node's histograms while its features are scanned.
  struct Side {
    Node* node = nullptr;  // null: not scanned
    Rough* kept = nullptr;
    double limit = infinite;
  };

  struct Worker {
    std::vector<Rough> scratch[2];
    float limit[2];
    std::size_t reads = 0;
  };

  RoughUnit finest(const Node& node) const {
    return Kind::finest(context_.problem, rows().rows, node);
  }

  // A node that holds much less than its rows' unit was chosen for gets a finer one.
  bool is_too_rough(const Node& node) const {
    constexpr int spare_bits = 5;
    const RoughUnit unit = finest(node);
    return node.rough.unit.weight - unit.weight >= spare_bits ||
           node.rough.unit.numerator - unit.numerator >= spare_bits;
  }

  RoughRows rows() const {
    return {context_.order.is_identity() ? nullptr : context_.order.rows(), values_.data(), half_};
  }

  // Histograms are kept for the children if adding their rows would cost more than clearing cells.
  bool is_kept(const Node& node) const {
    if (node.is_last) return false;
    const double n_rows = static_cast<double>(std::max<std::size_t>(1, context_.columns.n_rows));
    const double entries = static_cast<double>(windows_.n_entries()) / n_rows;
    return static_cast<double>(node.range.size()) * entries > static_cast<double>(space_.n_codes());
  }

  void prepare(Node& node) {
    node.rough.lower.assign(space_.size(), std::numeric_limits<float>::infinity());
    node.rough.totals.assign(2 * half_, 0);
  }

  void take_cells(Node& node) {
    node.histograms = context_.pool.take();
    node.histograms->narrow.resize(space_.n_codes() * 2 * half_);
  }

  Rough* kept_cells(Node& node) {
    return node.histograms ? node.histograms->narrow.data() : nullptr;
  }

  void scan_alone(Node& node, double limit, Work& work) {
    const bool is_root = node.rough.unit.weight < 0;
    if (is_root) values_.resize(context_.columns.n_rows * 2 * half_);
    if (is_root || is_too_rough(node)) {
      node.rough.unit = finest(node);
      Kind::round(context_.problem, rows().rows, node, half_, values_.data());
    }
    prepare(node);
    add_rough_totals(rows(), node.range, node.rough.totals.data());
    if (!node.histograms && is_kept(node)) take_cells(node);
    scan(node.range, {&node, kept_cells(node), limit}, {}, nullptr, work);
  }

  // The smaller child's cells from its rows, the larger one's by subtraction.
  void scan_both(Node& parent, Node& smaller, Node& larger, Work& work) {
    prepare(smaller);
    prepare(larger);
    add_rough_totals(rows(), smaller.range, smaller.rough.totals.data());
    subtract_rough(parent.rough.totals.data(), smaller.rough.totals.data(), 2 * half_,
                   larger.rough.totals.data());
    const Rough* whole = parent.histograms->narrow.data();
    if (smaller.is_wanted && is_kept(smaller)) take_cells(smaller);
    if (is_kept(larger)) larger.histograms = std::move(parent.histograms);
    scan(smaller.range, {smaller.is_wanted ? &smaller : nullptr, kept_cells(smaller)},
         {&larger, kept_cells(larger)}, whole, work);
  }

  void scan(Range range, const Side& first, const Side& second, const Rough* whole, Work& work) {
    const Side* sides[2] = {&first, &second};
    for (Worker& worker : workers_)
      for (int s = 0; s < 2; ++s) worker.limit[s] = as_limit(*sides[s]);
    const std::size_t cost =
        (range.size() * windows_.n_entries() / std::max<std::size_t>(1, context_.columns.n_rows) +
         space_.n_codes()) /
        windows_.all().size();
    parallel_for(windows_.all().size(), cost, context_.options.n_threads, context_.poll,
                 [&](std::size_t w) {
                   scan_window(windows_.all()[w], range, sides, whole, workers_[this_thread()]);
                 });
    for (int s = 0; s < 2; ++s) {
      if (sides[s]->node == nullptr) continue;
      float& limit = sides[s]->node->rough.limit;
      limit = std::numeric_limits<float>::infinity();
      for (const Worker& worker : workers_) limit = std::min(limit, worker.limit[s]);
    }
    for (Worker& worker : workers_) work.reads += std::exchange(worker.reads, 0);
    if (context_.options.kind == SearchKind::incremental)
      work.assessments += static_cast<std::uint64_t>(range.size()) * space_.size();
  }

  void scan_window(const RoughWindows::Window& window, Range range, const Side* const* sides,
                   const Rough* whole, Worker& worker) {
    const std::size_t width = 2 * half_, n = window.n_codes * width, at = window.offset * width;
    const auto cells_of = [&](int s) {
      return sides[s]->kept != nullptr ? sides[s]->kept + at : worker.scratch[s].data();
    };
    Rough* cells = cells_of(0);
    std::fill_n(cells, n, Rough{0});
    worker.reads += windows_.add(window, rows(), range, cells);
    if (sides[0]->node != nullptr) scan_features(window, cells, *sides[0]->node, worker.limit[0]);
    if (sides[1]->node == nullptr) return;
    Rough* rest = cells_of(1);
    subtract_rough(whole + at, cells, n, rest);
    scan_features(window, rest, *sides[1]->node, worker.limit[1]);
  }

  void scan_features(const RoughWindows::Window& window, const Rough* cells, Node& node,
                     float& limit) const {
    for (std::size_t i = window.first; i < window.last; ++i) {
      const std::size_t slot = window.block == nullptr ? i : window.block->slots[i];
      if (slot == FeatureSpace::no_slot) continue;
      const std::size_t code = space_.code_offset(slot) - window.offset;
      const RoughScan scan{cells + code * 2 * half_, node.rough.totals.data(), half_,
                           space_.column(slot).n_bins, space_.rest_code(slot)};
      const float lowest = Kind::lowest(scan, context_, node, limit);
      node.rough.lower[slot] = lowest;
      if (Kind::passes_over) limit = std::min(limit, lowest * (1.0f + margin_));
    }
  }

  float as_limit(const Side& side) const {
    if (side.node == nullptr || side.limit == infinite)
      return std::numeric_limits<float>::infinity();
    return Kind::limit(side.limit, *side.node, rough_error(half_));
  }
  double as_bound(float lower, const Node& node) const {
    return Kind::bound(lower, node, rough_error(half_));
  }

  // Whole weights for features that may win, the likeliest first.
  SplitChoice decide(Node& node, Work& work) {
    best_ = {};
    judge_candidates(node, work);
    if (best_.is_valid() && !(best_.loss <= as_bound(node.rough.limit, node))) {
      // More was passed over than could be.
      margin_ = std::min(0.25f, 2.0f * margin_);
      scan_alone(node, best_.loss, work);
      judge_candidates(node, work);
    }
    if (!best_.is_valid()) return {};
    return describe_split(finder_, space_.column(best_slot_), space_.feature(best_slot_),
                          {kept_cells_.data(), kept_counts_.data(), node.totals.data()}, best_);
  }

  void judge_candidates(Node& node, Work& work) {
    const std::vector<float>& lower = node.rough.lower;
    candidates_.clear();
    for (std::size_t slot = 0; slot < lower.size(); ++slot)
      if (std::isfinite(lower[slot]) && lower[slot] <= node.rough.limit)
        candidates_.push_back(slot);
    std::sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      return lower[a] != lower[b] ? lower[a] < lower[b] : a < b;
    });
    for (std::size_t slot : candidates_) {
      if (best_.is_valid() && as_bound(lower[slot], node) > best_.loss) break;
      judge(slot, node, work);
    }
  }

  void judge(std::size_t slot, const Node& node, Work& work) {
    const Column& column = space_.column(slot);
    const std::size_t n_codes = column.n_codes(), n_channels = space_.n_channels();
    cells_.assign(n_codes * n_channels, 0);
    counts_.assign(n_codes, 0);
    work.reads += add_whole(slot, node);
    if (space_.rest_code(slot) >= 0)
      Accumulator::fill_rest({&column, cells_.data(), counts_.data()}, space_.rest_code(slot),
                             node.totals.data(), space_.n_channels(), node.range.size());
    const double to_beat = best_.is_valid() ? best_.loss : no_loss<double>();
    const Candidate<double> found = finder_.best(
        column, {cells_.data(), counts_.data(), node.totals.data()}, node.mass, to_beat);
    if (!found.is_valid()) return;
    const bool wins = !best_.is_valid() || found.loss < best_.loss ||
                      (found.loss == best_.loss && slot < best_slot_);
    if (!wins) return;
    best_ = found;
    best_slot_ = slot;
    std::swap(kept_cells_, cells_);
    std::swap(kept_counts_, counts_);
  }

  std::size_t add_whole(std::size_t slot, const Node& node) {
    const Accumulator accumulator(context_.problem, context_.order);
    const RowBlocks::Place place = context_.columns.row_blocks().place(space_.feature(slot));
    if (place.block == nullptr)
      return accumulator.add({&space_.column(slot), cells_.data(), counts_.data()}, node.range);
    const std::size_t first = place.block->first_code[place.index];
    return accumulator.add_codes(*place.block, first, first + space_.column(slot).n_codes(),
                                 node.range, cells_.data(), counts_.data());
  }

  SearchContext context_;
  std::unique_ptr<SplitSearch> plain_;
  Cell cell_;
  FeatureSpace space_;
  std::size_t half_;
  RoughWindows windows_;
  SplitFinder<Cell> finder_;
  std::vector<Worker> workers_;
  std::vector<Rough> values_;  // of all rows, in the unit of the node that holds them
  // By how much the best rough normaliser is raised to get what a feature must not exceed: any
  // value is correct, a larger one leaves more features, a smaller one may not suffice.
  float margin_ = 1.0f / 1024;
  Candidate<double> best_;
  std::size_t best_slot_ = 0;
  std::vector<Sum> cells_, kept_cells_;
  std::vector<std::uint32_t> counts_, kept_counts_;
  std::vector<std::size_t> candidates_;
};

}  // namespace frugalboost
