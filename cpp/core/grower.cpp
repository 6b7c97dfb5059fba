#include "core/grower.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace frugalboost {
namespace {

// Histograms kept for subtraction; past this, children build their own.
constexpr std::size_t histogram_budget = std::size_t{256} << 20;

std::size_t bytes_of(const Node& node) {
  if (!node.histograms) return 0;
  return node.histograms->cells.size() * sizeof(Sum) +
         node.histograms->counts.size() * sizeof(std::uint32_t);
}

void sum_rows(const Problem& problem, const RowOrder& order, Node& node) {
  node.totals.assign(problem.n_channels(), 0);
  Accumulator(problem, order).add_rows(node.range, node.totals.data());
  node.mass = 0;
  for (std::size_t i = node.range.begin; i < node.range.end; ++i)
    node.mass += problem.mass[order.rows()[i]];
}

// A child whose totals are known; only squares are not among the channels.
Sum mass_of(const Problem& problem, const RowOrder& order, const std::vector<Sum>& totals,
            Range range, const std::vector<std::uint8_t>& sides) {
  if (problem.layout != Layout::real)
    return std::accumulate(totals.begin(), totals.begin() + problem.n_outputs, Sum{0});
  Sum mass = 0;
  for (std::size_t i = 0; i < range.size(); ++i)
    mass += sides[i] ? problem.mass[order.rows()[range.begin + i]] : 0;
  return mass;
}

}  // namespace

Grower::Grower(const Columns& columns, GrowOptions options)
    : columns_(columns), options_(options), any_sparse_(columns.any_sparse()) {}

GrownTree Grower::grow(const Problem& problem, const Row* rows, std::size_t n_rows,
                       const std::vector<std::uint32_t>& features, const Poll& poll) {
  std::vector<std::uint32_t> searched;
  for (std::uint32_t f : features)
    if (!columns_.columns[f].is_constant()) searched.push_back(f);
  order_.reset(problem, rows, n_rows, any_sparse_);
  for (Open& open : frontier_) pool_.give_back(std::move(open.node.histograms));
  frontier_.clear();
  ranges_.clear();
  histogram_bytes_ = 0;

  const auto search = make_search(
      options_.criterion, {columns_, problem, order_, searched, options_.search, pool_, poll});
  GrownTree tree;
  Node root;
  root.range = {0, n_rows};
  sum_rows(problem, order_, root);
  root.is_wanted = is_wanted(root, 0, *search);
  const int id = add_node(tree, root, search->node_loss(root));
  ranges_.push_back(root.range);
  tree.leaf_of_row.assign(problem.n_rows, -1);
  // The wider layouts change all weights every round.
  if (root.is_wanted && problem.layout == Layout::classes && order_.is_identity())
    search->recall(root, memory_, tree.work);
  consider(tree, std::move(root), id, 0, *search);

  std::size_t n_leaves = 1;
  while (!frontier_.empty() &&
         (options_.max_leaf_nodes == 0 || n_leaves < options_.max_leaf_nodes)) {
    split(tree, take_next(), problem, *search);
    ++n_leaves;
    poll();
  }
  record_leaves(tree);
  return tree;
}

bool Grower::is_wanted(const Node& node, int depth, const SplitSearch& search) const {
  return depth < options_.max_depth && node.range.size() >= 2 * options_.search.min_samples_leaf &&
         !search.is_pure(node);
}

// Looks for the node's split and, if there is one, puts the node on the frontier.
void Grower::consider(GrownTree& tree, Node node, int id, int depth, SplitSearch& search) {
  if (!node.is_wanted) return pool_.give_back(std::move(node.histograms));
  SplitChoice choice = search.find(node, tree.work);
  if (!choice.found) return pool_.give_back(std::move(node.histograms));
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

void Grower::split(GrownTree& tree, Open open, const Problem& problem, SplitSearch& search) {
  auto [left, right] = divide(open, problem);
  record_split(tree, open, left, right);
  const int depth = open.depth + 1;
  left.is_wanted = is_wanted(left, depth, search);
  right.is_wanted = is_wanted(right, depth, search);
  const int left_id = add_node(tree, left, search.node_loss(left));
  const int right_id = add_node(tree, right, search.node_loss(right));
  tree.left[open.id] = left_id;
  tree.right[open.id] = right_id;
  if (left.is_wanted || right.is_wanted) {
    order_.partition(open.node.range, sides_.data());
    ranges_.push_back(left.range);
    ranges_.push_back(right.range);
    search.hand_down(open.node, left, right, tree.work);
  } else {
    label_rows(tree, open.node.range, left_id, right_id);
  }
  pool_.give_back(std::move(open.node.histograms));
  consider(tree, std::move(right), right_id, depth, search);
  consider(tree, std::move(left), left_id, depth, search);
}

// Children as they will be once the rows are partitioned by sides_.
std::pair<Node, Node> Grower::divide(const Open& open, const Problem& problem) {
  const SplitChoice& choice = open.choice;
  const Column& column = columns_.columns[choice.feature];
  side_of_code_.assign(column.n_codes(), 0);
  if (column.is_categorical) {
    for (int code : choice.left_codes) side_of_code_[code] = 1;
  } else {
    std::fill_n(side_of_code_.begin(), choice.bin + 1, std::uint8_t{1});
    if (column.has_missing) side_of_code_[column.missing_code()] = choice.missing_left;
  }
  const Range range = open.node.range;
  Accumulator(problem, order_).look_up(column, range, side_of_code_, sides_);
  const std::size_t border =
      range.begin + std::accumulate(sides_.begin(), sides_.end(), std::size_t{0});

  Node left, right;
  left.range = {range.begin, border};
  right.range = {border, range.end};
  left.totals = choice.left_totals;
  left.mass = mass_of(problem, order_, left.totals, range, sides_);
  right.totals = open.node.totals;
  for (std::size_t c = 0; c < right.totals.size(); ++c) right.totals[c] -= left.totals[c];
  right.mass = open.node.mass - left.mass;
  return {std::move(left), std::move(right)};
}

int Grower::add_node(GrownTree& tree, const Node& node, double loss) const {
  tree.feature.push_back(-1);
  tree.bin.push_back(-1);
  tree.left.push_back(-1);
  tree.right.push_back(-1);
  tree.missing_left.push_back(0);
  tree.category_start.push_back(-1);
  tree.loss.push_back(loss);
  tree.gain.push_back(0.0);
  tree.n_samples.push_back(static_cast<std::int64_t>(node.range.size()));
  tree.sums.insert(tree.sums.end(), node.totals.begin(), node.totals.end());
  return static_cast<int>(tree.n_nodes()) - 1;
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
  if (columns_.columns[choice.feature].is_categorical) {
    tree.category_start[open.id] = static_cast<std::int32_t>(tree.category_words.size());
    record_categories(tree, choice, missing_left);
  } else {
    tree.bin[open.id] = choice.bin;
  }
}

// Categories of the table that the node does not hold go the way of missing values.
void Grower::record_categories(GrownTree& tree, const SplitChoice& choice,
                               bool missing_left) const {
  const int n_bins = columns_.columns[choice.feature].n_bins;
  std::vector<std::uint8_t> goes_left = side_of_code_;
  for (int code : choice.absent_codes) goes_left[code] = missing_left;
  const std::size_t start = tree.category_words.size();
  tree.category_words.resize(start + (n_bins + 63) / 64, 0);
  for (int code = 0; code < n_bins; ++code)
    if (goes_left[code]) tree.category_words[start + code / 64] |= std::uint64_t{1} << (code % 64);
}

// Rows of two leaves need not be put in order first.
void Grower::label_rows(GrownTree& tree, Range range, int left_id, int right_id) {
  for (std::size_t i = 0; i < range.size(); ++i)
    tree.leaf_of_row[order_.rows()[range.begin + i]] = sides_[i] ? left_id : right_id;
  ranges_.push_back({});
  ranges_.push_back({});
}

void Grower::record_leaves(GrownTree& tree) const {
  std::vector<std::int32_t> number(tree.n_nodes());
  std::int32_t n_leaves = 0;
  for (std::size_t id = 0; id < tree.n_nodes(); ++id) {
    number[id] = n_leaves;
    if (tree.feature[id] >= 0) continue;
    ++n_leaves;
    for (std::size_t i = ranges_[id].begin; i < ranges_[id].end; ++i)
      tree.leaf_of_row[order_.rows()[i]] = static_cast<std::int32_t>(id);
  }
  for (std::int32_t& leaf : tree.leaf_of_row) leaf = leaf < 0 ? -1 : number[leaf];
}

}  // namespace frugalboost
