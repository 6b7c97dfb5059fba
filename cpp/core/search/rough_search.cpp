// Votes of many classes by Schapire and Singer's normaliser: all features on rough cells, which
// bound each from below, then the few that may still win on whole weights.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/histogram/accumulate.hpp"
#include "core/histogram/rough_cells.hpp"
#include "core/histogram/windows.hpp"
#include "core/search/describe_split.hpp"
#include "core/search/search.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

class RoughSearch final : public SplitSearch {
 public:
  using Cell = VotesCell<ZLoss>;

  // `plain` tells what nodes are worth.
  RoughSearch(const SearchContext& context, std::unique_ptr<SplitSearch> plain)
      : context_(context),
        plain_(std::move(plain)),
        cell_{context.problem.n_outputs},
        space_(context_.columns, context_.columns.row_blocks(), context_.features,
               cell_.n_channels()),
        half_(rough_half(cell_.n_outputs())),
        windows_(space_, context.columns.n_rows, 2 * half_ * sizeof(Rough), 1,
                 context.options.n_threads),
        finder_(cell_, context.options.min_samples_leaf, context.poll),
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
    count_unpruned(kind != SearchKind::incremental, node, space_, work);
    if (state_of(node).lower.empty()) scan_alone(node, infinite, work);
    return decide(node, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    state_of(left).unit = state_of(right).unit = state_of(parent).unit;
    if (!parent.has_histograms()) return;
    Node& smaller = *smaller_of(left, right);
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

  // What rough cells say about a node.
  struct State : SearchState {
    int unit = -1;  // weights of its rows are in units of 2^unit; -1: not chosen yet
    std::vector<Rough> totals;
    std::vector<float> lower;  // of each slot, exact if at most `limit`; none: not scanned yet
    float limit = 0.0f;
  };

  static State& state_of(Node& node) { return frugalboost::state_of<State>(node); }

  // Weights of rough rows add up to less than 2^31 for each output.
  int finest(const Node& node) const {
    const auto weights = node.totals.begin();
    const Sum most = *std::max_element(weights, weights + cell_.n_outputs());
    int shift = 0;
    while ((most >> shift) >= (Sum{1} << 31)) ++shift;
    return shift;
  }

  // A node that holds much less than its rows' unit was chosen for gets a finer one.
  bool is_too_rough(Node& node) const {
    constexpr int spare_bits = 5;
    return state_of(node).unit - finest(node) >= spare_bits;
  }

  RoughRows rows() const {
    return {context_.order.is_identity() ? nullptr : context_.order.rows(), values_.data(), half_};
  }

  // Histograms are kept for the children if adding their rows would cost more than clearing cells.
  bool is_kept(const Node& node) const {
    if (node.is_last) return false;
    return static_cast<double>(node.range.size()) * windows_.entries_of_a_row() >
           static_cast<double>(space_.n_codes());
  }

  void prepare(State& state) {
    state.lower.assign(space_.size(), std::numeric_limits<float>::infinity());
    state.totals.assign(2 * half_, 0);
  }

  void take_cells(Node& node) {
    node.histograms = context_.pool.take();
    node.histograms->narrow.resize(space_.n_codes() * 2 * half_);
  }

  Rough* kept_cells(Node& node) {
    return node.histograms ? node.histograms->narrow.data() : nullptr;
  }

  void scan_alone(Node& node, double limit, Work& work) {
    State& state = state_of(node);
    const bool is_root = state.unit < 0;
    if (is_root) values_.resize(context_.columns.n_rows * 2 * half_);
    if (is_root || is_too_rough(node)) {
      state.unit = finest(node);
      const Problem& problem = context_.problem;
      round_down({problem.weights, problem.labels, static_cast<std::size_t>(problem.n_outputs)},
                 rows().rows, node.range, state.unit, half_, values_.data());
    }
    prepare(state);
    add_rough_totals(rows(), node.range, state.totals.data());
    if (!node.histograms && is_kept(node)) take_cells(node);
    scan(node.range, {&node, kept_cells(node), limit}, {}, nullptr, work);
  }

  // The smaller child's cells from its rows, the larger one's by subtraction.
  void scan_both(Node& parent, Node& smaller, Node& larger, Work& work) {
    State &of_smaller = state_of(smaller), &of_larger = state_of(larger);
    prepare(of_smaller);
    prepare(of_larger);
    add_rough_totals(rows(), smaller.range, of_smaller.totals.data());
    subtract_rough(state_of(parent).totals.data(), of_smaller.totals.data(), 2 * half_,
                   of_larger.totals.data());
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
    const auto n_entries =
        static_cast<std::size_t>(static_cast<double>(range.size()) * windows_.entries_of_a_row());
    const std::size_t cost = (n_entries + space_.n_codes()) / windows_.size();
    parallel_for(windows_.size(), cost, context_.options.n_threads, context_.poll,
                 [&](std::size_t w) {
                   scan_window(windows_[w], range, sides, whole, workers_[this_thread()]);
                 });
    for (int s = 0; s < 2; ++s) {
      if (sides[s]->node == nullptr) continue;
      float& limit = state_of(*sides[s]->node).limit;
      limit = std::numeric_limits<float>::infinity();
      for (const Worker& worker : workers_) limit = std::min(limit, worker.limit[s]);
    }
    for (Worker& worker : workers_) work.reads += std::exchange(worker.reads, 0);
    if (context_.options.kind == SearchKind::incremental)
      work.assessments += static_cast<std::uint64_t>(range.size()) * space_.size();
  }

  void scan_window(const Window& window, Range range, const Side* const* sides, const Rough* whole,
                   Worker& worker) {
    const std::size_t width = 2 * half_, n = window.n_codes * width, at = window.offset * width;
    const auto cells_of = [&](int s) {
      return sides[s]->kept != nullptr ? sides[s]->kept + at : worker.scratch[s].data();
    };
    Rough* cells = cells_of(0);
    std::fill_n(cells, n, Rough{0});
    worker.reads += add_rows(window, range, cells);
    if (sides[0]->node != nullptr) scan_features(window, cells, *sides[0]->node, worker.limit[0]);
    if (sides[1]->node == nullptr) return;
    Rough* rest = cells_of(1);
    subtract_rough(whole + at, cells, n, rest);
    scan_features(window, rest, *sides[1]->node, worker.limit[1]);
  }

  std::size_t add_rows(const Window& window, Range range, Rough* cells) const {
    if (window.block != nullptr)
      return add_rough_entries(window.row_start_at(), window.entries_at(), rows(), range, cells);
    for (std::size_t slot : window.slots) {
      const Column& column = space_.column(slot);
      Rough* of_column = cells + (space_.code_offset(slot) - window.offset) * 2 * half_;
      if (column.storage == Storage::dense8) {
        add_rough_codes(column.codes8, rows(), range, of_column);
      } else {
        add_rough_codes(column.codes16, rows(), range, of_column);
      }
    }
    return window.slots.size() * range.size();
  }

  void scan_features(const Window& window, const Rough* cells, Node& node, float& limit) const {
    State& state = state_of(node);
    for (std::size_t slot : window.slots) {
      const std::size_t code = space_.code_offset(slot) - window.offset;
      const RoughScan scan{cells + code * 2 * half_, state.totals.data(), half_,
                           space_.column(slot).n_bins, space_.rest_code(slot)};
      const float lowest = lowest_rough_z(scan, limit);
      state.lower[slot] = lowest;
      limit = std::min(limit, lowest * (1.0f + margin_));
    }
  }

  // Half a normaliser in rough units, and back.
  float as_limit(const Side& side) const {
    if (side.node == nullptr || side.limit == infinite)
      return std::numeric_limits<float>::infinity();
    const double error = rough_error(half_);
    return static_cast<float>(std::ldexp(side.limit, -1 - state_of(*side.node).unit) *
                              (1.0 + 2.0 * error));
  }
  double as_bound(float lower, Node& node) const {
    return std::ldexp(lower * (1.0 - rough_error(half_)), 1 + state_of(node).unit);
  }

  // Whole weights for features that may win, the likeliest first.
  SplitChoice decide(Node& node, Work& work) {
    best_ = {};
    judge_candidates(node, work);
    if (best_.is_valid() && !(best_.loss <= as_bound(state_of(node).limit, node))) {
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
    const State& state = state_of(node);
    const std::vector<float>& lower = state.lower;
    candidates_.clear();
    for (std::size_t slot = 0; slot < lower.size(); ++slot)
      if (std::isfinite(lower[slot]) && lower[slot] <= state.limit) candidates_.push_back(slot);
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
    Accumulator(context_.problem, context_.order)
        .add_codes(CodeReader(context_.columns, space_.feature(slot)), node.range, cells_.data(),
                   counts_.data());
    return node.range.size();
  }

  SearchContext context_;
  std::unique_ptr<SplitSearch> plain_;
  Cell cell_;
  FeatureSpace space_;
  std::size_t half_;
  Windows windows_;
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

bool is_plain(const Columns& columns, std::uint32_t feature) {
  const Column& column = columns.columns[feature];
  if (column.is_categorical || column.has_missing) return false;
  return column.storage != Storage::sparse || columns.row_blocks().place(feature).block != nullptr;
}

// Histograms that fit the cache are added to fast enough as they are, and whole weights for the
// likeliest features would cost more than rough cells save.
bool is_large(const SearchContext& context) {
  std::size_t n_codes = 0;
  for (std::uint32_t f : context.features) n_codes += context.columns.columns[f].n_codes();
  return n_codes * context.problem.n_channels() * sizeof(Sum) >= context.options.rough_from;
}

bool suits(const SearchContext& context) {
  return is_exhaustive(context.options.kind) && context.problem.n_channels() >= wide_channels &&
         context.columns.n_rows < (std::size_t{1} << 30) && is_large(context) &&
         std::all_of(
             context.features.begin(), context.features.end(),
             [&](std::uint32_t f) { return is_plain(context.columns, f); });
}

}  // namespace

std::unique_ptr<SplitSearch> with_rough_votes(const SearchContext& context,
                                              std::unique_ptr<SplitSearch> plain) {
  // Rough votes do not count rows.
  if (!suits(context) || context.options.min_samples_leaf > 1) return plain;
  return std::make_unique<RoughSearch>(context, std::move(plain));
}

}  // namespace frugalboost
