#include "core/grow/grower.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/dispatch.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/search/purity.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Histograms kept for subtraction; past this, children build their own.
constexpr std::size_t histogram_budget = std::size_t{256} << 20;

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

struct SignedSums {
  Sum difference, mass;
};

FRUGALBOOST_CLONES
SignedSums sum_signed(const Sum* weights, std::size_t n) {
  Sum difference = 0, mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    difference += weights[i];
    mass += weights[i] < 0 ? -weights[i] : weights[i];
  }
  return {difference, mass};
}

void sum_rows(const Problem& problem, const RowOrder& order, int n_threads, Node& node) {
  if (problem.is_two_classes()) {
    const std::size_t n = node.range.size();
    const std::size_t n_slices = slices_worth(n, rows_worth_a_thread, n_threads);
    std::vector<SignedSums> sums(n_slices);
    parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
      sums[slice] = sum_signed(order.weights() + node.range.begin + begin, end - begin);
    });
    Sum difference = 0, mass = 0;
    for (const SignedSums& part : sums) difference += part.difference, mass += part.mass;
    node.mass = mass;
    node.totals = {(mass - difference) / 2, (mass + difference) / 2};
    return;
  }
  if (problem.totals != nullptr && node.range.size() == problem.n_rows) {
    node.totals.assign(problem.totals, problem.totals + problem.n_channels());
    return;
  }
  node.totals.assign(problem.n_channels(), 0);
  Accumulator(problem, order).add_rows(node.range, node.totals.data());
  if (problem.layout == Layout::real) return;
  for (std::size_t i = node.range.begin; i < node.range.end; ++i)
    node.mass += problem.mass_of(order.row(i));
}

// Sums of some rows, as users see them.
void write_sums(const Problem& problem, const Sum* totals, Sum* sums) {
  if (problem.layout != Layout::real) {
    std::copy_n(totals, problem.n_channels(), sums);
    return;
  }
  for (int k = 0; k < problem.n_outputs; ++k) {
    sums[k] = problem.packing.weight(totals[k]);
    sums[problem.n_outputs + k] = problem.packing.numerator(totals[k]);
  }
}

}  // namespace

void GrownTree::reserve(std::size_t n_nodes, std::size_t n_channels) {
  feature.reserve(n_nodes);
  bin.reserve(n_nodes);
  left.reserve(n_nodes);
  right.reserve(n_nodes);
  missing_left.reserve(n_nodes);
  category_start.reserve(n_nodes);
  loss.reserve(n_nodes);
  gain.reserve(n_nodes);
  n_samples.reserve(n_nodes);
  sums.reserve(n_nodes * n_channels);
}

Grower::Grower(const Columns& columns, GrowOptions options)
    : columns_(columns),
      options_(with_served_search(options)),
      track_positions_(is_exhaustive(options_.search.kind) ? columns.any_sparse_outside_blocks()
                                                           : columns.any_sparse()),
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
  poll_ = poll;
  for (Open& open : frontier_) pool_.give_back(std::move(open.node.histograms));
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
  Node root;
  root.range = {0, n_rows};
  sum_rows(problem_, order_, options_.search.n_threads, root);
  root.n_heavy = problem.n_heavy > 0 ? problem.n_heavy : n_rows;
  tree.mass = root_mass(root);
  root.is_wanted = may_split(root, 0) && !search_->is_pure(root);
  root.is_last = options_.max_depth == 1;
  add_node(tree, root, search_->node_loss(root));
  ranges_.push_back(root.range);
  const bool is_incremental =
      options_.search.kind == SearchKind::incremental && problem.changes && rows == nullptr;
  // Where the depth alone limits a tree, nothing is known of its leaves.
  keeps_leaves_ = is_incremental && problem.layout == Layout::real && options_.max_leaf_nodes > 0 &&
                  search_->can_follow(options_.max_leaf_nodes);
  root.is_remembered = keeps_leaves_;
  const bool remembers =
      (options_.search.kind == SearchKind::two_stage && problem_.signed_cells) || is_incremental;
  if (root.is_wanted && remembers) search_->recall(root, memory_, tree.work);
  consider(tree, std::move(root), 0, 0);

  std::size_t n_leaves = 1;
  while (!frontier_.empty() &&
         (options_.max_leaf_nodes == 0 || n_leaves < options_.max_leaf_nodes)) {
    ++n_leaves;
    split(tree, take_next(), n_leaves == options_.max_leaf_nodes);
    poll_();
  }
  split_rest(tree);
  if (keeps_leaves_)
    for (Open& open : frontier_) keep_leaf(open.id, std::move(open.node));
  record_leaves(tree);
  if (n_rows < problem.n_rows) route_rest(tree);
  last_n_nodes_ = tree.n_nodes();
  return tree;
}

bool Grower::may_split(const Node& node, int depth) const {
  return depth < options_.max_depth && node.range.size() >= 2 * options_.search.min_samples_leaf;
}

// Looks for the node's split and, if there is one, puts the node on the frontier.
void Grower::consider(GrownTree& tree, Node node, int id, int depth) {
  if (!node.is_wanted) return keep_leaf(id, std::move(node));
  SplitChoice choice = search_->find(node, tree.work);
  if (!choice.found) return keep_leaf(id, std::move(node));
  if (histogram_bytes_ + bytes_of(node) > histogram_budget)
    pool_.give_back(std::move(node.histograms));
  histogram_bytes_ += bytes_of(node);
  const double gain = std::max(0.0, tree.loss[id] - choice.loss);
  frontier_.push_back({std::move(node), std::move(choice), id, depth, gain});
}

// Best first: the largest gain, then the lowest id. Otherwise depth first, left before right, so
// that few nodes wait at a time.
Grower::Open Grower::take_next() {
  auto next = frontier_.end() - 1;
  if (options_.max_leaf_nodes > 0)
    next = std::max_element(frontier_.begin(), frontier_.end(), [](const Open& a, const Open& b) {
      return a.gain != b.gain ? a.gain < b.gain : a.id > b.id;
    });
  Open open = std::move(*next);
  frontier_.erase(next);
  histogram_bytes_ -= bytes_of(open.node);
  return open;
}

// A leaf is done with: its histograms may serve the next tree's root.
void Grower::keep_leaf(int id, Node node) {
  if (!keeps_leaves_ || !node.histograms) return pool_.give_back(std::move(node.histograms));
  histogram_bytes_ += bytes_of(node);
  kept_.push_back({id, std::move(node.histograms)});
}

// After the final split there is room for no other: its children are not searched.
void Grower::split(GrownTree& tree, Open open, bool is_final) {
  const int depth = open.depth + 1;
  if (depth == options_.max_depth && options_.max_leaf_nodes == 0 &&
      !sides_.is_faster_alone(open.choice.feature, open.node.range.size()))
    return put_off(tree, std::move(open));
  // Rows of two leaves need not be put in order.
  const bool is_partitioned = !is_final && depth < options_.max_depth;
  const auto left_id = static_cast<int>(tree.n_nodes()), right_id = left_id + 1;
  auto [left, right] = is_partitioned ? divide(open) : label(open, left_id);
  make_room_for_categories(tree, open);
  record_split(tree, open, left, right);
  weigh(open.node, left, right);
  for (Node* child : {&left, &right}) {
    child->is_wanted = is_partitioned && may_split(*child, depth) && !search_->is_pure(*child);
    child->is_last = depth + 1 == options_.max_depth;
    child->is_remembered = keeps_leaves_;
  }
  add_node(tree, left, search_->node_loss(left));
  add_node(tree, right, search_->node_loss(right));
  tree.left[open.id] = left_id;
  tree.right[open.id] = right_id;
  if (is_partitioned) {
    ranges_.push_back(left.range);
    ranges_.push_back(right.range);
    if (left.is_wanted || right.is_wanted) search_->hand_down(open.node, left, right, tree.work);
  }
  pool_.give_back(std::move(open.node.histograms));
  consider(tree, std::move(right), right_id, depth);
  consider(tree, std::move(left), left_id, depth);
}

// Two leaves of a tree whose depth is limited: nothing waits to be known of them.
void Grower::put_off(GrownTree& tree, Open open) {
  pool_.give_back(std::move(open.node.histograms));
  open.node.state.reset();  // what the search knows of it may be large
  make_room_for_categories(tree, open);
  Node unknown;
  unknown.totals.assign(open.node.totals.size(), 0);
  tree.left[open.id] = static_cast<int>(tree.n_nodes());
  tree.right[open.id] = tree.left[open.id] + 1;
  for (int child = 0; child < 2; ++child) {
    add_node(tree, unknown, 0.0);
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
    record_split(tree, open, left, right);
    weigh(open.node, left, right);
    set_node(tree, tree.left[open.id], left, search_->node_loss(left));
    set_node(tree, tree.right[open.id], right, search_->node_loss(right));
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
  return {feature,
          open.node.range,
          side_of_code(columns_.columns[feature], open.choice),
          open.node.n_heavy,
          open.choice.left_totals.empty(),
          {left_id + 1, left_id}};
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

void Grower::add_node(GrownTree& tree, const Node& node, double loss) const {
  const auto id = static_cast<int>(tree.n_nodes());
  tree.feature.push_back(-1);
  tree.bin.push_back(-1);
  tree.left.push_back(-1);
  tree.right.push_back(-1);
  tree.missing_left.push_back(0);
  tree.category_start.push_back(-1);
  tree.loss.push_back(0.0);
  tree.gain.push_back(0.0);
  tree.n_samples.push_back(0);
  tree.sums.resize(tree.sums.size() + problem_.n_sums());
  set_node(tree, id, node, loss);
}

void Grower::set_node(GrownTree& tree, int id, const Node& node, double loss) const {
  tree.loss[id] = loss;
  tree.n_samples[id] = static_cast<std::int64_t>(node.range.size());
  const std::size_t n_sums = problem_.n_sums();
  write_sums(problem_, node.totals.data(),
             tree.sums.data() + n_sums * static_cast<std::size_t>(id));
}

void Grower::record_split(GrownTree& tree, const Open& open, const Node& left,
                          const Node& right) const {
  const SplitChoice& choice = open.choice;
  // Where nothing is known about missing values they follow the larger side.
  const bool missing_left =
      choice.missing_seen ? choice.missing_left : left.range.size() >= right.range.size();
  tree.feature[open.id] = static_cast<std::int32_t>(choice.feature);
  tree.gain[open.id] = open.gain;
  tree.missing_left[open.id] = missing_left;
  if (columns_.columns[choice.feature].is_categorical)
    record_categories(tree, open, missing_left);
  else
    tree.bin[open.id] = choice.bin;
}

// In the order in which nodes are split, whenever their sides are looked at.
void Grower::make_room_for_categories(GrownTree& tree, const Open& open) const {
  const Column& column = columns_.columns[open.choice.feature];
  if (!column.is_categorical) return;
  const std::size_t start = tree.category_words.size();
  tree.category_start[open.id] = static_cast<std::int32_t>(start);
  tree.category_words.resize(start + (column.n_bins + 63) / 64, 0);
}

// Categories of the table that the node does not hold go the way of missing values.
void Grower::record_categories(GrownTree& tree, const Open& open, bool missing_left) const {
  const Column& column = columns_.columns[open.choice.feature];
  std::vector<std::uint8_t> goes_left = side_of_code(column, open.choice);
  for (int code : open.choice.absent_codes) goes_left[code] = missing_left;
  std::uint64_t* words = tree.category_words.data() + tree.category_start[open.id];
  for (int code = 0; code < column.n_bins; ++code)
    if (goes_left[code]) words[code / 64] |= std::uint64_t{1} << (code % 64);
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
  const std::size_t n_slices = slices_worth(n, rows_worth_a_thread, options_.search.n_threads);
  if (order_.is_ascending() && !order_.is_identity() && n_slices > 1) {
    // Each thread has rows next to each other, so that no two write to one cache line.
    const Row* rows = order_.rows();
    parallel_slices(problem_.n_rows, n_slices,
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (const auto& [range, id] : pieces) {
                        const Range part = order_.between(range, {begin, end});
                        for (std::size_t i = part.begin; i < part.end; ++i)
                          node_of_row_[rows[i]] = id;
                      }
                    });
    return;
  }
  parallel_slices(n, n_slices, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::size_t before = 0;
    for (const auto& [range, id] : pieces) {
      const std::size_t first = std::clamp(begin, before, before + range.size()) - before;
      const std::size_t last = std::clamp(end, before, before + range.size()) - before;
      for (std::size_t i = first; i < last; ++i) node_of_row_[order_.row(range.begin + i)] = id;
      before += range.size();
    }
  });
}

// Rows that the tree did not grow on go down it node by node, like those that it did.
void Grower::route_rest(GrownTree& tree) {
  std::vector<Row> rest;
  for (std::size_t row = 0; row < node_of_row_.size(); ++row)
    if (node_of_row_[row] < 0) rest.push_back(static_cast<Row>(row));
  Problem bare;  // of a layout that carries no weights along
  bare.layout = Layout::votes;
  bare.n_rows = problem_.n_rows;
  RowOrder order(options_.search.n_threads);
  order.reset(bare, rest.data(), rest.size(), false);
  std::vector<std::pair<std::size_t, Range>> open{{0, {0, rest.size()}}};
  while (!open.empty()) {
    const auto [id, range] = open.back();
    open.pop_back();
    if (tree.feature[id] < 0) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        node_of_row_[order.row(i)] = static_cast<std::int32_t>(id);
      continue;
    }
    const auto feature = static_cast<std::uint32_t>(tree.feature[id]);
    const Division division =
        sides_.divide(feature, range, side_of_code_at(tree, id), 0, false, order);
    open.push_back({static_cast<std::size_t>(tree.left[id]), division.left()});
    open.push_back({static_cast<std::size_t>(tree.right[id]), division.right()});
  }
  Problem whole = problem_;
  whole.signed_cells = false;
  order.reset(whole, nullptr, whole.n_rows, false);
  const std::size_t n_channels = whole.n_channels();
  std::vector<Sum> totals(tree.n_nodes() * n_channels, 0);
  Accumulator(whole, order).add_by_node(node_of_row_.data(), totals.data());
  const std::size_t n_sums = whole.n_sums();
  tree.sums_of_all.resize(tree.n_nodes() * n_sums);
  for (std::size_t id = 0; id < tree.n_nodes(); ++id)
    write_sums(whole, totals.data() + id * n_channels, tree.sums_of_all.data() + id * n_sums);
}

std::vector<std::uint8_t> Grower::side_of_code_at(const GrownTree& tree, std::size_t id) const {
  const Column& column = columns_.columns[tree.feature[id]];
  std::vector<std::uint8_t> sides(column.n_codes(), 0);
  if (column.is_categorical) {
    const std::uint64_t* words = tree.category_words.data() + tree.category_start[id];
    for (int code = 0; code < column.n_bins; ++code)
      sides[code] = words[code / 64] >> (code % 64) & 1;
  } else {
    std::fill_n(sides.begin(), tree.bin[id] + 1, std::uint8_t{1});
  }
  if (column.has_missing) sides[column.missing_code()] = tree.missing_left[id];
  return sides;
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
