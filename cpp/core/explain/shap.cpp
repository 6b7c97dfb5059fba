#include "core/explain/shap.hpp"

#include <algorithm>

#include "core/base/scratch.hpp"
#include "core/explain/shap_kernel.hpp"
#include "core/predict/walk.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Rows that go through one tree after another while its steps stay in the cache.
constexpr std::size_t rows_per_block = 64;
static_assert(rows_per_block % shap_lanes == 0);

// The room of one thread, enough for every tree.
struct ThreadRoom {
  Scratch<Lanes8> products, sums;
  Scratch<const ShapStep*> path;
  Scratch<Mask8> follows, goes_left;

  ShapRoom make(const std::vector<ShapTree>& trees, std::size_t n_outputs) {
    std::size_t n_products = 0, n_levels = 0, n_nodes = 0;
    for (const ShapTree& tree : trees) {
      n_levels = std::max(n_levels, tree.depth + 1);
      n_products = std::max(n_products, (tree.depth + 1) * tree.n_points);
      n_nodes = std::max(n_nodes, tree.n_steps);
    }
    goes_left.room_for(n_nodes);
    return {products.room_for(n_products), sums.room_for(n_products * n_outputs),
            follows.room_for(n_levels), path.room_for(n_levels)};
  }
};

// Which way each of the rows would go at every node of a tree, met or not.
template <class Way>
void find_sides(const Way& walk, std::size_t first_row, std::size_t n_rows, std::int32_t begin,
                std::int32_t end, Mask8* goes_left) {
  const char* row[shap_lanes];
  for (std::size_t lane = 0; lane < shap_lanes; ++lane)
    row[lane] = walk.row(first_row + std::min(lane, n_rows - 1));
  for (std::int32_t at = begin; at < end; ++at, ++goes_left) {
    const std::int32_t left = walk.nodes[at].link >> 1;
    if (left == at) continue;  // a leaf
    for (std::size_t lane = 0; lane < shap_lanes; ++lane)
      (*goes_left)[lane] = walk.next(at, row[lane]) == left ? -1 : 0;
  }
}

// The path of a walk so far, with what is known of each feature on it.
struct PathSoFar {
  struct Place {
    std::int32_t feature, before;
    double shares, reach;  // of the feature's steps, of all steps
  };
  std::vector<Place> places;
  std::vector<std::int32_t> last_level;  // of each feature; 0 if it is not on the path
  std::size_t n_distinct = 0;

  explicit PathSoFar(std::size_t n_features) : last_level(n_features) {}

  void go_to(ShapStep& step) {
    go_up_to(step.level);
    if (step.level == 0)
      places.push_back({-1, 0, 1.0, 1.0});
    else
      go_down(step);
  }

  void go_up_to(std::size_t level) {
    for (; places.size() > level; places.pop_back()) {
      const Place& place = places.back();
      if (place.feature < 0) continue;  // the root
      last_level[place.feature] = place.before;
      n_distinct -= place.before == 0;
    }
  }

  void go_down(ShapStep& step) {
    step.before = last_level[step.feature];
    step.shares_before = step.before == 0 ? 1.0 : places[step.before].shares;
    step.shares_now = step.shares_before * step.share;
    n_distinct += step.before == 0;
    last_level[step.feature] = step.level;
    places.push_back(
        {step.feature, step.before, step.shares_now, places.back().reach * step.share});
  }
};

// Puts the nodes of one tree after another in the order of a walk.
struct StepMaker {
  const Forest& forest;
  const std::vector<double>& rows_of_node;
  std::vector<ShapStep>& steps;
  std::vector<double>& expected;
  PathSoFar path;
  std::vector<ShapStep> waiting;

  ShapTree make(std::size_t tree) {
    const auto root = static_cast<std::int32_t>(forest.roots[tree]);
    ShapTree made{steps.size(), 0, 0, 0, 0};
    std::size_t most_features = 0;
    waiting.push_back({root, root, -1, 0, 0, false, false, 1.0, 1.0, 1.0});
    while (!waiting.empty()) {
      ShapStep step = waiting.back();
      waiting.pop_back();
      path.go_to(step);
      most_features = std::max(most_features, path.n_distinct);
      made.depth = std::max<std::size_t>(made.depth, step.level);
      visit(step, root);
    }
    made.n_steps = steps.size() - made.first_step;
    made.n_points = (most_features + 1) / 2;
    return made;
  }

  void visit(ShapStep& step, std::int32_t root) {
    const PackedNode<double>& node = forest.double_nodes[step.node];
    const std::int32_t left = node.link >> 1, right = left + 1;
    step.is_leaf = left == step.node;
    steps.push_back(step);
    if (step.is_leaf) return add_leaf(step.node);
    const double left_rows = rows_of_node[root + forest.number[left]];
    const double right_rows = rows_of_node[root + forest.number[right]];
    const auto wait = [&](std::int32_t child, double rows) {
      waiting.push_back({child, step.node, node.feature, step.level + 1, 0, child == left, false,
                         rows / (left_rows + right_rows), 1.0, 1.0});
    };
    wait(right, right_rows);
    wait(left, left_rows);
  }

  void add_leaf(std::int32_t at) {
    const double* value = &forest.values[at * expected.size()];
    for (double& sum : expected) sum += path.places.back().reach * *value++;
  }
};

}  // namespace

ShapForest::ShapForest(const Forest& forest, const std::vector<double>& rows_of_node,
                       const Poll& poll)
    : forest_(&forest), expected_(forest.n_outputs, 0.0) {
  StepMaker maker{forest, rows_of_node, steps_, expected_, PathSoFar(forest.n_features), {}};
  for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) trees_.push_back(maker.make(tree));
  Listener listener(poll);
  for (ShapTree& tree : trees_) make_factors(tree, listener);
}

void ShapForest::make_factors(ShapTree& tree, Listener& listener) {
  tree.first_factor = factors_.size();
  const Quadrature& points = quadrature(tree.n_points, listener);
  const std::size_t n = tree.n_points;
  factors_.resize(tree.first_factor + tree.n_steps * factors_per_point * n);
  double* out = factors_.data() + tree.first_factor;
  for (std::size_t k = 0; k < tree.n_steps; ++k, out += factors_per_point * n) {
    const ShapStep& step = steps_[tree.first_step + k];
    listener.goes_on(factors_per_point * n);
    for (std::size_t q = 0; q < n; ++q) {
      const double t = points.point[q], rest = points.rest[q];
      // The feature's own factor of the product before the step, and after it.
      const double before = rest * step.shares_before + t, kept = rest * step.shares_now + t;
      const double lost = rest * step.shares_now;
      // Steps above on the same feature have added what they would if they were the last.
      const double gain_before = (1.0 - step.shares_before) / before;
      out[q] = kept / before;
      out[n + q] = lost / before;
      out[2 * n + q] = (1.0 - step.shares_now) / kept - gain_before;
      out[3 * n + q] = -1.0 / rest - gain_before;
    }
  }
}

// Only those that trees ask for: one of n points takes time by the square of n.
const Quadrature& ShapForest::quadrature(std::size_t n_points, Listener& listener) {
  const auto known = quadratures_.find(n_points);
  if (known != quadratures_.end()) return known->second;
  return quadratures_.try_emplace(n_points, n_points, listener).first->second;
}

void ShapForest::add(const MatrixView& X, int n_threads, const Poll& poll, double* values) const {
  const Forest& forest = *forest_;
  const std::size_t n_outputs = forest.n_outputs, row_stride = forest.n_features * n_outputs;
  const std::size_t n_blocks = (X.n_rows + rows_per_block - 1) / rows_per_block;
  const int team = static_cast<int>(std::clamp<std::size_t>(n_blocks, 1, n_threads));
  std::vector<ThreadRoom> rooms(team);
  std::vector<ShapRoom> views;
  for (ThreadRoom& room : rooms) views.push_back(room.make(trees_, n_outputs));
  Listener listener(poll);
  with_walk(forest, X, [&](const auto& walk) {
    const auto explain = [&](std::size_t row, std::size_t n_rows, const ShapTree& tree) {
      const int thread = this_thread();
      const std::int32_t begin = steps_[tree.first_step].node;
      Mask8* goes_left = rooms[thread].goes_left.data();
      find_sides(walk, row, n_rows, begin, begin + static_cast<std::int32_t>(tree.n_steps),
                 goes_left);
      const ShapStep* first = steps_.data() + tree.first_step;
      explain_rows({first, first + tree.n_steps, factors_.data() + tree.first_factor,
                    &quadratures_.at(tree.n_points), forest.values.data(), n_outputs, goes_left,
                    begin, values + row * row_stride, row_stride, n_rows},
                   views[thread]);
    };
    // A node's turn is worth about two cell updates for each point and output.
    const std::size_t cost = rows_per_block * steps_.size() * 2 * n_outputs;
    parallel_for(n_blocks, cost, team, poll, [&](std::size_t block) {
      const std::size_t end = std::min(X.n_rows, (block + 1) * rows_per_block);
      for (const ShapTree& tree : trees_)
        for (std::size_t row = block * rows_per_block; row < end; row += shap_lanes) {
          // Long paths make a block take seconds.
          if (!listener.goes_on(tree.n_steps * (1 + tree.n_points * n_outputs))) return;
          explain(row, std::min(shap_lanes, end - row), tree);
        }
    });
  });
}

}  // namespace frugalboost
