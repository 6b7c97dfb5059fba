#include "core/grow/grower.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <utility>

#include "core/grow/root_sums.hpp"
#include "core/grow/routes.hpp"
#include "core/search/purity.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

std::size_t bytes_of(const Node& node) {
  if (!node.histograms) return 0;
  return node.histograms->cells.size() * sizeof(Sum) +
         node.histograms->narrow.size() * sizeof(std::int32_t) +
         node.histograms->counts.size() * sizeof(std::uint32_t);
}

GrowOptions with_served_search(GrowOptions options) {
  options.search = served(options.criterion, options.search);
  return options;
}

}  // namespace

Grower::Grower(const Columns& columns, GrowOptions options)
    : columns_(columns),
      options_(with_served_search(options)),
      track_positions_(is_exhaustive(options_.search.kind) ? columns.any_sparse_outside_blocks()
                                                           : columns.any_sparse()),
      sharing_{options.search.n_threads, options.search.eagerness},
      writer_(columns, problem_),
      order_(options.search.n_threads, options.search.large_node),
      sides_(columns, options.search.n_threads) {}

void Grower::prepare(const Problem& problem, const std::vector<std::uint32_t>& features,
                     const Poll& poll) {
  // Searches that prune keep the units of real targets.
  const bool has_units = problem.layout == Layout::real && !is_exhaustive(options_.search.kind);
  const bool is_new = !search_ || has_units || features != features_ ||
                      problem.layout != problem_.layout || problem.n_outputs != problem_.n_outputs;
  problem_ = problem;
  problem_.signed_cells = suits_signed_cells(options_.criterion, problem, options_.search);
  // Threads that expand nodes leave it to the caller's to listen.
  poll_ = [poll, caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() == caller) poll();
  };
  for (KeptLeaf& leaf : kept_) pool_.give_back(std::move(leaf.histograms));
  frontier_.clear();
  put_off_.clear();
  kept_.clear();
  labelled_.clear();
  ranges_.clear();
  histogram_bytes_ = 0;
  if (!is_new) return;
  search_.reset();
  features_ = features;
  searched_.clear();
  for (std::uint32_t f : features)
    if (!columns_.columns[f].is_constant()) searched_.push_back(f);
  search_ = make_search(options_.criterion,
                        {columns_, problem_, order_, searched_, options_.search, pool_, poll_});
}

GrownTree Grower::grow(const Problem& problem, const Row* rows, std::size_t n_rows,
                       const std::vector<std::uint32_t>& features, const Poll& poll) {
  prepare(problem, features, poll);
  order_.reset(problem_, rows, n_rows, track_positions_);
  node_of_row_.resize(problem.n_rows);
  if (n_rows < problem.n_rows) std::fill(node_of_row_.begin(), node_of_row_.end(), -1);
  GrownTree tree;
  tree.work = std::exchange(work_ahead_, Work{});
  tree.reserve(last_n_nodes_, problem.n_sums());
  const bool is_incremental =
      options_.search.kind == SearchKind::incremental && problem.changes && rows == nullptr;
  Open root = open_root(tree, n_rows, is_incremental);
  if (can_share()) expand_all(root);
  add_child(std::move(root), 0);

  std::size_t n_leaves = 1;
  while (!frontier_.empty() &&
         (options_.max_leaf_nodes == 0 || n_leaves < options_.max_leaf_nodes)) {
    ++n_leaves;
    commit(tree, take_next(), n_leaves == options_.max_leaf_nodes);
    poll_();
  }
  split_rest(tree);
  for (Open& open : frontier_) keep_leaf(open.id, open.node);
  record_leaves(tree);
  if (n_rows < problem.n_rows)
    route_rest(columns_, problem_, options_.search.n_threads, sides_, node_of_row_, tree);
  last_n_nodes_ = tree.n_nodes();
  return tree;
}

Open Grower::open_root(GrownTree& tree, std::size_t n_rows, bool is_incremental) {
  Node root;
  root.range = {0, n_rows};
  sum_rows(problem_, order_, options_.search.n_threads, root);
  root.n_heavy = problem_.n_heavy > 0 ? problem_.n_heavy : n_rows;
  tree.mass = root_mass(root);
  root.is_wanted = may_split(root, 0) && !search_->is_pure(root);
  root.is_last = options_.max_depth == 1;
  writer_.add_node(tree, root, search_->node_loss(root));
  ranges_.push_back(root.range);
  // Where the depth alone limits a tree, nothing is known of its leaves.
  keeps_leaves_ = is_incremental && problem_.layout == Layout::real &&
                  options_.max_leaf_nodes > 0 && search_->can_follow(options_.max_leaf_nodes);
  root.is_remembered = keeps_leaves_;
  const bool remembers =
      (options_.search.kind == SearchKind::two_stage && problem_.signed_cells) || is_incremental;
  if (root.is_wanted && remembers) search_->recall(root, memory_, tree.work);
  return consider(std::move(root), 0, tree.work);
}

bool Grower::may_split(const Node& node, int depth) const {
  return depth < options_.max_depth && node.range.size() >= 2 * options_.search.min_samples_leaf;
}

// Whether its children may have children.
bool Grower::can_expand(const Open& open) const {
  return open.choice.found && open.depth + 1 < options_.max_depth;
}

// Looks for the node's split.
Open Grower::consider(Node node, int depth, Work& work) {
  Open open;
  open.depth = depth;
  open.loss = search_->node_loss(node);
  if (node.is_wanted) open.choice = search_->find(node, work);
  open.gain = std::max(0.0, open.loss - open.choice.loss);
  open.node = std::move(node);
  const bool can_have_children = can_expand(open);
  if (!can_have_children) open.node.state.reset();
  if (!(can_have_children || keeps_leaves_) ||
      histogram_bytes_ + bytes_of(open.node) > options_.histogram_budget)
    pool_.give_back(std::move(open.node.histograms));
  histogram_bytes_ += bytes_of(open.node);
  return open;
}

// Divides the rows of a node and searches its children.
void Grower::expand(Open& open) {
  const int depth = open.depth + 1;
  auto children = std::make_unique<Children>();
  auto [left, right] = divide(open);
  weigh(open.node, left, right);
  for (Node* child : {&left, &right}) {
    child->is_wanted = may_split(*child, depth) && !search_->is_pure(*child);
    child->is_last = depth + 1 == options_.max_depth;
    child->is_remembered = keeps_leaves_;
  }
  histogram_bytes_ -= bytes_of(open.node);
  if (left.is_wanted || right.is_wanted) search_->hand_down(open.node, left, right, children->work);
  pool_.give_back(std::move(open.node.histograms));
  open.node.state.reset();  // what the search knows of it may be large
  children->right = consider(std::move(right), depth, children->work);
  children->left = consider(std::move(left), depth, children->work);
  open.children = std::move(children);
}

// Writes a split into the tree, and puts the children on the frontier. After the final one there is
// room for no other.
void Grower::commit(GrownTree& tree, Open open, bool is_final) {
  if (is_final || !can_expand(open)) return end_tree(tree, std::move(open));
  if (!open.children) expand(open);
  auto& [left, right, work] = *open.children;
  tree.work += work;
  const auto left_id = static_cast<int>(tree.n_nodes()), right_id = left_id + 1;
  writer_.make_room_for_categories(tree, open);
  writer_.record_split(tree, open, left.node, right.node);
  tree.left[open.id] = left_id;
  tree.right[open.id] = right_id;
  for (const Open* child : {&left, &right}) {
    writer_.add_node(tree, child->node, child->loss);
    ranges_.push_back(child->node.range);
  }
  add_child(std::move(right), right_id);
  add_child(std::move(left), left_id);
}

// Those that can be split wait on the frontier.
void Grower::add_child(Open child, int id) {
  child.id = id;
  if (!child.choice.found) return keep_leaf(id, child.node);
  frontier_.push_back(std::move(child));
}

// Best first: the largest gain, then the lowest id. Otherwise depth first, left before right, so
// that few nodes wait at a time.
Open Grower::take_next() {
  auto next = frontier_.end() - 1;
  if (options_.max_leaf_nodes > 0)
    next = std::max_element(frontier_.begin(), frontier_.end(), [](const Open& a, const Open& b) {
      return a.gain != b.gain ? a.gain < b.gain : a.id > b.id;
    });
  Open open = std::move(*next);
  frontier_.erase(next);
  return open;
}

// Where the depth alone limits a tree all nodes are needed. They wait until they are committed, so
// there should not be too many. Rows of a sparse column are found by their places, which must not
// change meanwhile.
bool Grower::can_share() const {
  constexpr int deepest = 12;
  return sharing_.n_threads > 1 && options_.max_leaf_nodes == 0 && options_.max_depth <= deepest &&
         !track_positions_ && search_->worth(0) >= 0.0 && has_room_to_share();
}

// For all tips, and for two nodes on every level below the one that a thread has. So no histogram
// is ever given up for want of room, and the work is that of one thread.
bool Grower::has_room_to_share() const {
  const std::size_t n_held =
      most_tips() + 2 * static_cast<std::size_t>(sharing_.n_threads * options_.max_depth);
  return n_held * search_->bytes_of_node() <= options_.histogram_budget;
}

// Nodes are expanded by all threads, the largest first, and once it pays, whole subtrees by a
// thread each.
void Grower::expand_all(Open& root) {
  std::vector<Open*> tips;
  std::vector<double> costs;
  const auto add = [&](Open& open) {
    if (!can_expand(open)) return;
    tips.push_back(&open);
    costs.push_back(cost_of(open));
  };
  add(root);
  while (!tips.empty() && tips.size() < most_tips() && !sharing_.pays(costs)) {
    const auto largest = std::max_element(costs.begin(), costs.end());
    Open& open = *tips[largest - costs.begin()];
    tips.erase(tips.begin() + (largest - costs.begin()));
    costs.erase(largest);
    expand(open);
    add(open.children->left);
    add(open.children->right);
    poll_();
  }
  std::sort(tips.begin(), tips.end(), [](const Open* a, const Open* b) {
    return a->node.range.size() > b->node.range.size();
  });
  expand_subtrees(tips);
}

// An exception in one of them, such as an interrupt, ends all. The caller listens until the last is
// done: every one is in the hands of a thread by then, so there is none to wait for in vain.
void Grower::expand_subtrees(const std::vector<Open*>& tips) {
  constexpr int looks_awake = 1 << 12;
  const auto caller = std::this_thread::get_id();
  std::atomic<std::size_t> next{0}, n_done{0};
  is_over_ = false;
  const int n_team =
      static_cast<int>(std::min(tips.size(), static_cast<std::size_t>(sharing_.n_threads)));
  parallel_team(n_team, [&](int, int) {
    try {
      for (std::size_t i; (i = next.fetch_add(1)) < tips.size(); ++n_done) expand_below(*tips[i]);
      if (std::this_thread::get_id() != caller) return;
      for (int look = 0; n_done < tips.size() && !is_over_; ++look) {
        if (look < looks_awake) {
          std::this_thread::yield();
        } else {
          poll_();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    } catch (...) {
      is_over_ = true;
      throw;
    }
  });
}

void Grower::expand_below(Open& open) {
  if (!can_expand(open) || is_over_) return;
  expand(open);
  expand_below(open.children->left);
  expand_below(open.children->right);
}

// Splits a node whose children are leaves: their rows need not be put in order.
void Grower::end_tree(GrownTree& tree, Open open) {
  histogram_bytes_ -= bytes_of(open.node);
  pool_.give_back(std::move(open.node.histograms));
  open.node.state.reset();
  writer_.make_room_for_categories(tree, open);
  if (options_.max_leaf_nodes == 0 &&
      !sides_.is_faster_alone(open.choice.feature, open.node.range.size()))
    return put_off(tree, std::move(open));
  const auto left_id = static_cast<int>(tree.n_nodes());
  auto [left, right] = label(open, left_id);
  writer_.record_split(tree, open, left, right);
  weigh(open.node, left, right);
  for (const Node* leaf : {&left, &right}) writer_.add_node(tree, *leaf, search_->node_loss(*leaf));
  tree.left[open.id] = left_id;
  tree.right[open.id] = left_id + 1;
}

// Where the depth alone limits a tree, nothing waits to be known of its leaves.
void Grower::put_off(GrownTree& tree, Open open) {
  Node unknown;
  unknown.totals.assign(open.node.totals.size(), 0);
  tree.left[open.id] = static_cast<int>(tree.n_nodes());
  tree.right[open.id] = tree.left[open.id] + 1;
  for (int child = 0; child < 2; ++child) {
    writer_.add_node(tree, unknown, 0.0);
    ranges_.push_back({});
  }
  put_off_.push_back(std::move(open));
}

void Grower::split_rest(GrownTree& tree) {
  std::vector<SideFinder::Look> looks;
  looks.reserve(put_off_.size());
  for (const Open& open : put_off_) looks.push_back(look_of(open, tree.left[open.id]));
  sides_.look_all(looks, order_, node_of_row_.data());
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Open& open = put_off_[i];
    auto [left, right] = children_of(open, looks[i].division);
    writer_.record_split(tree, open, left, right);
    weigh(open.node, left, right);
    writer_.set_node(tree, tree.left[open.id], left, search_->node_loss(left));
    writer_.set_node(tree, tree.right[open.id], right, search_->node_loss(right));
  }
}

// The children, whose rows are put in order.
std::pair<Node, Node> Grower::divide(const Open& open) {
  const std::uint32_t feature = open.choice.feature;
  return children_of(
      open,
      sides_.divide(feature, open.node.range, side_of_code(columns_.columns[feature], open.choice),
                    open.node.n_heavy, open.choice.left_totals.empty(), order_));
}

SideFinder::Look Grower::look_of(const Open& open, int left_id) const {
  const std::uint32_t feature = open.choice.feature;
  const std::vector<std::uint8_t> sides = side_of_code(columns_.columns[feature], open.choice);
  return {feature,
          open.node.range,
          sides,
          open.node.n_heavy,
          open.choice.left_totals.empty(),
          {left_id + 1, left_id},
          last_left(sides)};
}

// Two leaves, whose rows need not be put in order: they are told where they are at once.
std::pair<Node, Node> Grower::label(const Open& open, int left_id) {
  ranges_.push_back({});
  ranges_.push_back({});
  labelled_.push_back(open.node.range);
  SideFinder::Look look = look_of(open, left_id);
  sides_.look(look, order_, node_of_row_.data());
  return children_of(open, look.division);
}

std::pair<Node, Node> Grower::children_of(const Open& open, const Division& division) {
  Node left, right;
  left.range = division.left();
  right.range = division.right();
  left.totals = open.choice.left_totals.empty() ? division.left_totals() : open.choice.left_totals;
  right.totals = open.node.totals;
  for (std::size_t c = 0; c < right.totals.size(); ++c) right.totals[c] -= left.totals[c];
  left.n_heavy = division.n_heavy_left;
  right.n_heavy = open.node.n_heavy - left.n_heavy;
  return {std::move(left), std::move(right)};
}

// Nobody asks what real targets weigh.
void Grower::weigh(const Node& parent, Node& left, Node& right) const {
  if (problem_.layout == Layout::real) return;
  left.mass =
      std::accumulate(left.totals.begin(), left.totals.begin() + problem_.n_outputs, Sum{0});
  right.mass = parent.mass - left.mass;
}

Sum Grower::root_mass(const Node& root) const {
  if (problem_.layout != Layout::real) return root.mass;
  if (problem_.total_mass >= 0 && root.range.size() == problem_.n_rows) return problem_.total_mass;
  return squares_of(problem_, order_, root.range);
}

// A leaf is done with: its histograms may serve the next tree's root.
void Grower::keep_leaf(int id, Node& node) {
  if (!node.histograms) return;
  if (keeps_leaves_) {
    kept_.push_back({id, std::move(node.histograms)});
  } else {
    histogram_bytes_ -= bytes_of(node);
    pool_.give_back(std::move(node.histograms));
  }
}

void Grower::record_leaves(const GrownTree& tree) {
  leaves_.clear();
  std::vector<std::pair<Range, std::int32_t>> pieces;
  for (std::size_t id = 0; id < tree.n_nodes(); ++id) {
    if (tree.feature[id] >= 0) continue;
    leaves_.push_back(id);
    if (ranges_[id].size() > 0) pieces.push_back({ranges_[id], static_cast<std::int32_t>(id)});
  }
  std::size_t n = 0;
  for (const auto& [range, id] : pieces) n += range.size();
  const int n_threads = options_.search.n_threads;
  const std::size_t n_slices =
      shared_slices_worth(n, rows_worth_a_thread, n_threads, pieces.size());
  if (order_.is_ascending() && !order_.is_identity() && n_slices > 1) {
    // Each thread has rows next to each other, so that no two write to one cache line.
    const Row* rows = order_.rows();
    parallel_shared_slices(problem_.n_rows, n_slices, n_threads,
                           [&](std::size_t, std::size_t begin, std::size_t end) {
                             for (const auto& [range, id] : pieces) {
                               const Range part = order_.between(range, {begin, end});
                               for (std::size_t i = part.begin; i < part.end; ++i)
                                 node_of_row_[rows[i]] = id;
                             }
                           });
    return;
  }
  parallel_shared_slices(
      n, n_slices, n_threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        std::size_t before = 0;
        for (const auto& [range, id] : pieces) {
          const std::size_t first = std::clamp(begin, before, before + range.size()) - before;
          const std::size_t last = std::clamp(end, before, before + range.size()) - before;
          for (std::size_t i = first; i < last; ++i) node_of_row_[order_.row(range.begin + i)] = id;
          before += range.size();
        }
      });
}

std::vector<Row> Grower::rows_not_kept() const {
  std::vector<std::uint8_t> is_kept(ranges_.size(), 0);
  for (const KeptLeaf& leaf : kept_) is_kept[leaf.id] = 1;
  std::vector<Row> rows;
  const auto add = [&](Range range) {
    for (std::size_t i = range.begin; i < range.end; ++i) rows.push_back(order_.row(i));
  };
  for (std::size_t id : leaves_)
    if (!is_kept[id]) add(ranges_[id]);
  for (Range range : labelled_) add(range);
  return rows;
}

void Grower::follow(const Problem& problem, const std::vector<Sum>& steps) {
  if (!keeps_leaves_ || steps.empty()) return;
  problem_ = problem;
  const std::vector<Row> rest = rows_not_kept();
  if (rest.size() > problem.n_rows / 2) return;
  search_->follow(kept_, steps, rest, memory_, work_ahead_);
}

}  // namespace frugalboost
