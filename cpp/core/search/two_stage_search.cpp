// A pruning search made for speed: rounded weights of a node's heaviest rows for all features at
// once, read by rows, then only the features that may still win, one column at a time.
//
// When boosting has gone on for a while, a small share of the rows holds nearly all of the weight.
// Their histograms alone bound the error of every feature from below (splits.hpp), weights rounded
// down still do (narrow_cells.hpp), and most features fall without a look at the many light rows.
// Where too many are left, more rows are shown to all of them: each node takes what is cheaper.
#include <algorithm>

#include "core/histogram/for_slots.hpp"
#include "core/histogram/histogram_builder.hpp"
#include "core/histogram/narrow_store.hpp"
#include "core/histogram/whole_column.hpp"
#include "core/search/signed_splits.hpp"

namespace frugalboost {
namespace {

// Rows are shown to a feature in parts of decreasing weight; it is judged again after each.
struct Part {
  std::size_t end = 0;  // one past its last row
  Seen seen;            // of all rows of the node up to there
};

class TwoStageSearch final : public SplitSearch {
 public:
  explicit TwoStageSearch(const SearchContext& context)
      : context_(context),
        space_(context_.columns, context_.columns.row_blocks(), context_.features, 1),
        store_(context_, space_),
        builder_(context_, space_, context_.problem, context_.order),
        splits_(context_, space_),
        column_(context_.columns, context_.options.n_threads),
        lower_(space_.size()) {
    const double n_entries = context_.columns.row_blocks().read_share() * space_.size();
    most_survivors_ = static_cast<std::size_t>(survivors_per_entry * n_entries) + 1;
  }

  double node_loss(const Node& node) const override { return as_double(loss_of(node)); }
  bool is_pure(const Node& node) const override { return loss_of(node) == 0; }

  void recall(Node& root, RootMemory&, Work& work) override {
    if (space_.size() > 0) store_.begin(root, work);
  }

  void hand_down(Node& parent, Node& left, Node& right, Work& work) override {
    store_.hand_down(parent, left, right, work);
  }

  SplitChoice find(Node& node, Work& work) override {
    if (space_.size() == 0) return {};
    count_full(node, space_, work);
    store_.need(node, work);
    divide_rows(node);
    has_leader_ = false;
    leader_loss_ = loss_of(node);
    std::fill(lower_.begin(), lower_.end(), 0);
    judge(node, work);
    const std::size_t first = best_slot();
    const std::size_t seen_by_first = finish(node, first, work);
    while (n_survivors() > most_survivors_) {
      if (node.n_heavy == node.range.size()) return find_by_rows(node, work);
      show_more(node, seen_by_first, work);
      judge(node, work);
    }
    finish_survivors(node, work);
    if (!has_leader_) return splits_.first_split(node);
    return splits_.describe(node, leader_, leader_cells_.data(), node.mass - 2 * leader_loss_);
  }

 private:
  // For each entry of a row, as many columns as cost the same.
  static constexpr double survivors_per_entry = 0.5;

  static Sum loss_of(const Node& node) { return std::min(node.totals[0], node.totals[1]); }

  // The heavy rows are one part; each other holds half of the weight that is left.
  void divide_rows(const Node& node) {
    constexpr std::size_t step = 1024;
    parts_.clear();
    const Part all{node.range.end, {node.mass, difference(node)}};
    if (node.n_heavy == node.range.size()) return parts_.push_back(all);
    Part part{node.range.begin, {}};
    add_rows(node.range.begin + node.n_heavy, part);
    while (part.end < node.range.end) {
      parts_.push_back(part);
      const Sum goal = (node.mass - part.seen.mass) / 2;
      do {
        add_rows(std::min(part.end + step, node.range.end), part);
      } while (part.end < node.range.end && node.mass - part.seen.mass > goal);
    }
    parts_.push_back(part);
  }

  void add_rows(std::size_t end, Part& part) const {
    const Sum* weights = context_.order.weights();
    Sum mass = 0, difference = 0;
    for (std::size_t i = part.end; i < end; ++i) {
      mass += magnitude(weights[i]);
      difference += weights[i];
    }
    part = {end, {part.seen.mass + mass, part.seen.difference + difference}};
  }

  // Bounds from the narrow histograms, where no better ones are known.
  void judge(Node& node, Work& work) {
    const Seen seen = narrow_seen(node);
    work.scans += space_.n_searched_codes();
    for_slots(space_, context_.options.n_threads, [&](std::size_t slot) {
      const Sum loss = loss_after(slot, store_.cells(node, slot), seen);
      lower_[slot] = std::max(lower_[slot], loss << store_.shift());
    });
  }

  // Of the best split over the rows seen.
  template <class Cell>
  Sum loss_after(std::size_t slot, const Cell* cells, const Seen& seen) const {
    return (seen.mass - best_spread(splits_.cells_of(slot, cells, seen.difference))) / 2;
  }

  std::size_t best_slot() const {
    return std::min_element(lower_.begin(), lower_.end()) - lower_.begin();
  }

  // Without a leader: better than no split at all.
  bool may_win(std::size_t slot) const {
    return lower_[slot] < leader_loss_ ||
           (has_leader_ && lower_[slot] == leader_loss_ && slot < leader_);
  }

  std::size_t n_survivors() const {
    std::size_t n = 0;
    for (std::size_t slot = 0; slot < space_.size(); ++slot) n += may_win(slot);
    return n;
  }

  // To all features; one has seen some of it.
  void show_more(Node& node, std::size_t seen_by_one, Work& work) {
    const std::size_t end = node.range.begin + node.n_heavy;
    const auto next =
        std::find_if(parts_.begin(), parts_.end(), [end](const Part& p) { return p.end > end; });
    store_.extend(node, next->end - node.range.begin, work);
    work.assessments -= std::min(seen_by_one, next->end) - std::min(seen_by_one, end);
  }

  void finish_survivors(const Node& node, Work& work) {
    survivors_.clear();
    for (std::size_t slot = 0; slot < space_.size(); ++slot)
      if (may_win(slot)) survivors_.push_back(slot);
    std::stable_sort(survivors_.begin(), survivors_.end(),
                     [&](std::size_t a, std::size_t b) { return lower_[a] < lower_[b]; });
    for (std::size_t slot : survivors_) {
      if (may_win(slot)) finish(node, slot, work);
      context_.poll();
    }
    ++work.pruned_nodes;
  }

  // Shows the rows to one feature until it cannot win, or has won; returns one past the last. A
  // second look at a heavy row is a read, but no assessment.
  std::size_t finish(const Node& node, std::size_t slot, Work& work) {
    const std::size_t heavy_end = node.range.begin + node.n_heavy;
    const int n_codes = space_.column(slot).n_codes();
    column_.begin(space_.feature(slot), node.range.size());
    cells_.assign(n_codes, 0);
    std::size_t begin = node.range.begin;
    for (const Part& part : parts_) {
      column_.add(context_.order, {begin, part.end}, cells_.data());
      if (space_.rest_code(slot) >= 0) cells_[space_.rest_code(slot)] = 0;
      work.reads += part.end - begin;
      work.assessments += std::max(part.end, heavy_end) - std::max(begin, heavy_end);
      begin = part.end;
      work.scans += n_codes;
      lower_[slot] = std::max(lower_[slot], loss_after(slot, cells_.data(), part.seen));
      if (!may_win(slot)) return begin;
    }
    has_leader_ = true;
    leader_ = slot;
    leader_loss_ = lower_[slot];
    leader_cells_.swap(cells_);
    return begin;
  }

  // Many features come within a rounding of the best: exact histograms of all of them. All rows
  // were assessed before.
  SplitChoice find_by_rows(const Node& node, Work& work) {
    exact_.resize(space_.n_cells());
    work.reads += builder_.build(node.range, nullptr, Start::from_zero, exact_.data(), nullptr);
    work.scans += space_.n_searched_codes();
    const Seen all{node.mass, difference(node)};
    for_slots(space_, context_.options.n_threads, [&](std::size_t slot) {
      lower_[slot] = loss_after(slot, exact_.data() + space_.cell_offset(slot), all);
    });
    const std::size_t best = best_slot();
    if (lower_[best] >= loss_of(node)) return splits_.first_split(node);
    return splits_.describe(node, best, exact_.data() + space_.cell_offset(best),
                            node.mass - 2 * lower_[best]);
  }

  SearchContext context_;
  FeatureSpace space_;
  NarrowStore store_;
  HistogramBuilder builder_;
  SignedSplits splits_;
  WholeColumn column_;
  std::vector<Sum> lower_;  // bound on each feature's loss, or the loss itself once it is known
  std::size_t most_survivors_ = 0;
  std::vector<Part> parts_;
  std::vector<std::size_t> survivors_;
  std::vector<Sum> cells_, leader_cells_, exact_;
  bool has_leader_ = false;
  std::size_t leader_ = 0;
  Sum leader_loss_ = 0;
};

}  // namespace

std::unique_ptr<SplitSearch> make_two_stage_search(const SearchContext& context) {
  return std::make_unique<TwoStageSearch>(context);
}

}  // namespace frugalboost
