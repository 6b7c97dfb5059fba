// A pruning search made for speed: the heaviest rows of a node for all features at once, read by
// rows, then only the features that may still win, one column at a time.
//
// When boosting has gone on for a while, a small share of the rows holds nearly all of the weight.
// Their histograms alone bound the error of every feature from below (splits.hpp), and most
// features fall without a look at the many light rows. Where too many are left, the node's light
// rows are read for all features after all: each node takes what is cheaper.
#include <algorithm>

#include "core/histogram_store.hpp"
#include "core/sides.hpp"
#include "core/signed_splits.hpp"

namespace frugalboost {
namespace {

// Light rows are shown in parts of decreasing weight; a feature is judged again after each.
struct Part {
  std::size_t end = 0;           // one past its last row
  Sum mass = 0, difference = 0;  // of all rows of the node up to there
};

class TwoStageSearch final : public SplitSearch {
 public:
  explicit TwoStageSearch(const SearchContext& context)
      : context_(context),
        space_(context_.columns, context_.columns.row_blocks(), context_.features, 1),
        builder_(context_, space_, context_.problem, context_.order),
        splits_(context_, space_),
        lower_(space_.size()) {
    const double n_entries = context_.columns.row_blocks().read_share() * space_.size();
    most_survivors_ = static_cast<std::size_t>(survivors_per_entry * n_entries) + 1;
  }

  double node_loss(const Node& node) const override { return as_double(loss_of(node)); }
  bool is_pure(const Node& node) const override { return loss_of(node) == 0; }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_full(false, node, space_.size(), work);
    if (!node.histograms) build(node, work);
    judge(node);
    if (node.n_covered < node.range.size() && !finish_by_columns(node, work)) {
      cover_all(node, work);
      judge(node);
    }
    if (node.n_covered == node.range.size()) lead(best_slot(), cells(node, best_slot()));
    if (leader_loss_ >= loss_of(node)) return splits_.first_split(node);
    return splits_.describe(node, leader_, leader_cells_.data(), node.mass - 2 * leader_loss_);
  }

  void recall(Node&, RootMemory&, Work&) override {}

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    if (!parent.histograms) return;
    const bool all = parent.n_covered == parent.range.size();
    const auto size = [all](const Node& node) { return all ? node.range.size() : node.n_heavy; };
    Node& smaller = size(left) <= size(right) ? left : right;
    Node& larger = &smaller == &left ? right : left;
    smaller.n_covered = size(smaller);
    larger.n_covered = size(larger);
    build_covered(smaller, work);
    if (!larger.is_wanted) return;
    larger.histograms = std::move(parent.histograms);
    subtract(larger.histograms->cells, smaller.histograms->cells, context_.options.n_threads,
             larger.histograms->cells);
  }

 private:
  // For each entry of a row, as many columns as cost the same: a column is read all over memory.
  static constexpr double survivors_per_entry = 0.3;

  static Sum loss_of(const Node& node) { return std::min(node.totals[0], node.totals[1]); }

  Sum* cells(const Node& node, std::size_t slot) const {
    return node.histograms->cells.data() + space_.cell_offset(slot);
  }

  void build(Node& node, Work& work) {
    node.n_covered = node.n_heavy;
    build_covered(node, work);
  }

  void build_covered(Node& node, Work& work) {
    node.histograms = context_.pool.take();
    node.histograms->cells.resize(space_.n_cells());
    node.histograms->counts.clear();
    add_rows(node, {node.range.begin, node.range.begin + node.n_covered}, Start::from_zero, work);
  }

  void cover_all(Node& node, Work& work) {
    const std::size_t begin = node.range.begin + node.n_covered;
    node.n_covered = node.range.size();
    add_rows(node, {begin, node.range.end}, Start::from_cells, work);
  }

  void add_rows(Node& node, Range range, Start start, Work& work) {
    work.reads += builder_.build(range, nullptr, start, node.histograms->cells.data(), nullptr);
    work.assessments += static_cast<std::uint64_t>(range.size()) * space_.size();
  }

  Part sum_to(const Node& node, std::size_t end) const {
    if (end == node.range.end) return {end, node.mass, difference(node)};
    Part part{end, 0, 0};
    for (std::size_t i = node.range.begin; i < end; ++i) {
      part.mass += magnitude(context_.order.weights()[i]);
      part.difference += context_.order.weights()[i];
    }
    return part;
  }

  void judge(const Node& node) {
    covered_ = sum_to(node, node.range.begin + node.n_covered);
    for_slots(space_, context_.options.n_threads,
              [&](std::size_t slot) { lower_[slot] = loss(slot, cells(node, slot), covered_); });
  }

  // Of the best split over the rows up to the end of a part.
  Sum loss(std::size_t slot, const Sum* cells, const Part& seen) const {
    return (seen.mass - best_spread(splits_.cells_of(slot, cells, seen.difference))) / 2;
  }

  std::size_t best_slot() const {
    return std::min_element(lower_.begin(), lower_.end()) - lower_.begin();
  }

  void lead(std::size_t slot, const Sum* cells) {
    leader_ = slot;
    leader_loss_ = lower_[slot];
    leader_cells_.assign(cells, cells + space_.column(slot).n_codes());
  }

  bool may_win(std::size_t slot) const {
    return lower_[slot] < leader_loss_ || (lower_[slot] == leader_loss_ && slot < leader_);
  }

  // Shows the light rows to the features that may win; false if those are too many.
  bool finish_by_columns(const Node& node, Work& work) {
    divide_light_rows(node);
    leader_ = space_.size();
    leader_loss_ = no_loss<Sum>();
    finish(node, best_slot(), work);
    survivors_.clear();
    for (std::size_t slot = 0; slot < space_.size(); ++slot)
      if (slot != leader_ && may_win(slot)) survivors_.push_back(slot);
    if (survivors_.size() > most_survivors_) return false;
    std::stable_sort(survivors_.begin(), survivors_.end(),
                     [&](std::size_t a, std::size_t b) { return lower_[a] < lower_[b]; });
    for (std::size_t slot : survivors_) {
      if (may_win(slot)) finish(node, slot, work);
      context_.poll();
    }
    ++work.pruned_nodes;
    return true;
  }

  // Each part holds half of the weight that is left, and enough rows to be worth judging after.
  void divide_light_rows(const Node& node) {
    constexpr std::size_t fewest = 1024;
    parts_.clear();
    Part part = covered_;
    Sum goal = (node.mass - part.mass) / 2;
    std::size_t begin = part.end;
    for (std::size_t i = part.end; i < node.range.end; ++i) {
      const Sum weight = context_.order.weights()[i];
      part.mass += magnitude(weight);
      part.difference += weight;
      part.end = i + 1;
      if (part.end - begin < fewest || node.mass - part.mass > goal) continue;
      parts_.push_back(part);
      goal = (node.mass - part.mass) / 2;
      begin = part.end;
    }
    if (begin < node.range.end) parts_.push_back(part);
  }

  void finish(const Node& node, std::size_t slot, Work& work) {
    const Sum* seen = cells(node, slot);
    cells_.assign(seen, seen + space_.column(slot).n_codes());
    others_.assign(cells_.size(), 0);
    std::size_t begin = covered_.end;
    for (const Part& part : parts_) {
      add_column(slot, {begin, part.end});
      work.reads += part.end - begin;
      work.assessments += part.end - begin;
      begin = part.end;
      lower_[slot] = loss(slot, cells_.data(), part);
      if (!may_win(slot)) return;
    }
    lead(slot, cells_.data());
  }

  // Every other row goes to a second histogram: codes repeat, and each addition to a cell waits
  // for the last one.
  void add_column(std::size_t slot, Range range) {
    const Column& column = space_.column(slot);
    const Row* rows = context_.order.rows();
    const Sum* weights = context_.order.weights();
    const auto add = [&](auto&& code_of) {
      std::size_t i = range.begin;
      for (; i + 1 < range.end; i += 2) {
        cells_[code_of(rows[i])] += weights[i];
        others_[code_of(rows[i + 1])] += weights[i + 1];
      }
      if (i < range.end) cells_[code_of(rows[i])] += weights[i];
    };
    if (column.storage == Storage::dense8) {
      add([codes = column.codes8](Row row) { return codes[row]; });
    } else {
      add(CodeReader(context_.columns, space_.feature(slot)));
    }
    for (std::size_t code = 0; code < cells_.size(); ++code) cells_[code] += others_[code];
    std::fill(others_.begin(), others_.end(), 0);
    if (space_.rest_code(slot) >= 0) cells_[space_.rest_code(slot)] = 0;
  }

  SearchContext context_;
  FeatureSpace space_;
  HistogramBuilder builder_;
  SignedSplits splits_;
  std::vector<Sum> lower_;  // bound on each feature's loss, or the loss itself once it is known
  std::size_t most_survivors_ = 0;
  Part covered_;
  std::vector<Part> parts_;
  std::vector<std::size_t> survivors_;
  std::vector<Sum> cells_, others_, leader_cells_;
  std::size_t leader_ = 0;
  Sum leader_loss_ = 0;
};

}  // namespace

std::unique_ptr<SplitSearch> make_two_stage_search(const SearchContext& context) {
  return std::make_unique<TwoStageSearch>(context);
}

}  // namespace frugalboost
