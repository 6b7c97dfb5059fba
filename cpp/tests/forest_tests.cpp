// Prediction: all ways through a forest give the leaves and the sums of a plain walk, bit for bit.
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/predict/forest.hpp"
#include "core/predict/leaf_masks.hpp"
#include "core/predict/predict.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {

void test_forest() {
  std::vector<FlatNode> nodes(5);
  nodes[0] = {1.5, 0, 1, 2, -1, 0, 0};
  nodes[2] = {0.0, 1, 3, 4, 0, 3, 1};
  const Forest forest(nodes, {0, 5}, {0b101}, {0, 10, 0, 20, 30}, 1, 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> X{1.5, 0, inf, 0, nan, 1, 2, 2, 2, nan, 2, 1e300, 2, -1};
  std::vector<double> decision(7, 0.0);
  const MatrixView view{reinterpret_cast<const char*>(X.data()), 7, 2, 16, 8, Scalar::f64};
  add_trees(forest, view, 0, 1, 4, no_poll, decision.data());
  check(decision == std::vector<double>{10, 20, 30, 20, 20, 20, 20},
        "thresholds, categories and missing values go where they should");
}

// A small tree that grows where the dice say; shap_tests.cpp has use for it, too.
std::vector<FlatNode> random_tree(Random& random, int n_features) {
  std::vector<FlatNode> nodes(1);
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < 60; ++i) {
    if (draw(random, 0, 3) == 0) continue;
    const auto left = static_cast<std::int32_t>(nodes.size());
    nodes[i] = {draw(random, -12, 12) / 3.0,
                draw(random, 0, n_features - 1),
                left,
                left + 1,
                -1,
                0,
                static_cast<std::uint8_t>(draw(random, 0, 1))};
    nodes.resize(nodes.size() + 2);
  }
  return nodes;
}

namespace {

// Trees that grow where the dice say: without a split, of one word of leaves, of several, and too
// large for masks. Some split on categories.
struct RandomForest {
  std::vector<FlatNode> nodes;
  std::vector<std::int64_t> roots{0};
  std::vector<std::uint64_t> words;
  std::vector<double> values;

  RandomForest(Random& random, int n_features, int n_outputs) {
    const bool has_categories = draw(random, 0, 2) == 0;
    for (int tree = draw(random, 1, 4); tree > 0; --tree)
      add(random, n_features, has_categories && draw(random, 0, 1));
    values.resize(nodes.size() * n_outputs);
    for (double& value : values) value = draw(random, -999, 999) / 77.0;
  }

  void add(Random& random, int n_features, bool has_categories) {
    constexpr std::size_t sizes[] = {1, 5, 61, 63, 130, 300, 700};
    const std::size_t end = nodes.size() + sizes[draw(random, 0, 6)];
    const std::size_t root = nodes.size();
    nodes.emplace_back();
    for (std::size_t i = root; i < nodes.size() && nodes.size() + 2 <= end; ++i) {
      // The last node that can split must, or the tree would stay small.
      if (i + 1 < nodes.size() && draw(random, 0, 3) == 0) continue;
      const auto left = static_cast<std::int32_t>(nodes.size());
      nodes[i] = {threshold(random),
                  draw(random, 0, n_features - 1),
                  left,
                  left + 1,
                  -1,
                  0,
                  static_cast<std::uint8_t>(draw(random, 0, 1))};
      if (has_categories && draw(random, 0, 2) == 0) add_categories(random, nodes[i]);
      nodes.resize(nodes.size() + 2);
    }
    roots.push_back(static_cast<std::int64_t>(nodes.size()));
  }

  void add_categories(Random& random, FlatNode& node) {
    node.category_start = static_cast<std::int32_t>(words.size());
    node.n_categories = draw(random, 1, 70);
    for (int word = 0; word * 64 < node.n_categories; ++word)
      words.push_back(std::uint64_t(draw(random, 0, 1 << 30)) * 0x9E3779B97F4A7C15u);
  }

  // Thirds are no floats: rounded thresholds must still decide as the doubles. Quarters are, and
  // values are equal to them.
  static double threshold(Random& random) {
    const double infinity = std::numeric_limits<double>::infinity();
    const int kind = draw(random, 0, 19);
    if (kind < 2) return kind == 0 ? infinity : -infinity;
    return draw(random, -12, 12) / (kind % 2 ? 3.0 : 4.0);
  }

  bool goes_left(const FlatNode& node, double x) const {
    if (std::isnan(x)) return node.missing_left;
    if (node.category_start < 0) return x <= node.threshold;
    if (x < 0 || x >= node.n_categories) return node.missing_left;
    const auto code = static_cast<std::uint32_t>(x);
    return words[node.category_start + code / 64] >> (code % 64) & 1;
  }

  // Found step by step, in doubles.
  template <class T>
  std::int64_t plain_leaf(std::size_t tree, const T* row, std::ptrdiff_t stride) const {
    std::int64_t at = roots[tree];
    while (nodes[at].feature >= 0) {
      const auto x = static_cast<double>(row[nodes[at].feature * stride]);
      at = goes_left(nodes[at], x) ? nodes[at].left : nodes[at].right;
    }
    return at;
  }
};

template <class T>
T random_value(Random& random) {
  const int kind = draw(random, 0, 19);
  if constexpr (std::is_floating_point_v<T>) {
    if (kind < 3) return std::numeric_limits<T>::quiet_NaN();
    if (kind == 3) return std::numeric_limits<T>::infinity();
    if (kind == 4) return -std::numeric_limits<T>::infinity();
    return static_cast<T>(draw(random, -12, 12)) / (kind % 2 ? T(3) : T(4));
  }
  // Also what a float would not hold.
  if (kind == 0) return std::numeric_limits<T>::max();
  return static_cast<T>(draw(random, std::is_signed_v<T> ? -4 : 0, 12));
}

// So few rows that they walk, a tile or two, and so many that large trees have masks.
std::size_t random_size(Random& random) {
  const int kind = draw(random, 0, 2);
  return kind == 0   ? draw(random, 1, 30)
         : kind == 1 ? draw(random, 60, 200)
                     : draw(random, 300, 750);
}

template <class T>
void ways_agree(Random& random, Scalar type) {
  const int n_features = draw(random, 1, 5), n_outputs = draw(random, 0, 2) ? 1 : 3;
  const auto n = static_cast<std::ptrdiff_t>(random_size(random));
  const RandomForest trees(random, n_features, n_outputs);
  const Forest forest(trees.nodes, trees.roots, trees.words, trees.values, n_outputs, n_features);
  std::vector<T> X(n * n_features);
  for (T& x : X) x = random_value<T>(random);
  const bool by_columns = draw(random, 0, 1);
  const std::ptrdiff_t down = by_columns ? 1 : n_features, across = by_columns ? n : 1;
  const std::ptrdiff_t size = sizeof(T);
  const MatrixView view{reinterpret_cast<const char*>(X.data()),
                        X.size() / n_features,
                        static_cast<std::size_t>(n_features),
                        down * size,
                        across * size,
                        type};
  const std::size_t n_trees = forest.n_trees(), first = draw(random, 0, 1);
  std::vector<std::int32_t> leaves(n * (n_trees - first)), expected_leaves;
  std::vector<double> added(n * n_outputs, 0.5), summed(n * n_outputs), expected = added;
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (std::size_t tree = first; tree < n_trees; ++tree) {
      const std::int64_t leaf = trees.plain_leaf(tree, X.data() + i * down, across);
      expected_leaves.push_back(static_cast<std::int32_t>(leaf - trees.roots[tree]));
      for (int v = 0; v < n_outputs; ++v)
        expected[i * n_outputs + v] += trees.values[leaf * n_outputs + v];
    }
  const int n_threads = draw(random, 1, 4);
  find_leaves(forest, view, first, n_trees, n_threads, no_poll, leaves.data());
  add_trees(forest, view, first, n_trees, n_threads, no_poll, added.data());
  sum_trees(forest, view, first, n_trees, 0.5, n_threads, no_poll, summed.data());
  check(leaves == expected_leaves, "rows side by side reach the leaves that each reaches alone");
  check(added == expected, "sums are those of a plain walk, tree by tree");
  check(summed == expected, "and so they are from a baseline on");
}

// So that the others are known to judge masks, and not walks alone.
void masks_are_made(Random& random) {
  const RandomForest trees(random, 3, 1);
  const Forest forest(trees.nodes, trees.roots, trees.words, trees.values, 1, 3);
  const LeafMasks<float> masks(forest, 0, forest.n_trees(), 700), few(forest, 0, 1, 0);
  bool right = !few.tree(0).is_masked();
  for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
    const std::int64_t begin = trees.roots[tree], end = trees.roots[tree + 1];
    bool is_numeric = true;
    for (std::int64_t i = begin; i < end; ++i) is_numeric &= trees.nodes[i].category_start < 0;
    const bool is_small = (end - begin + 1) / 2 <= static_cast<std::int64_t>(most_masked_leaves);
    right &= masks.tree(tree).is_masked() == (is_numeric && is_small);
  }
  check(right, "trees have masks unless they are large or split on categories");
}

}  // namespace

void test_walks(Random& random) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    masks_are_made(random);
    for (const Scalar type : all_scalars)
      with_type(type, [&](auto zero) { ways_agree<decltype(zero)>(random, type); });
  }
}

}  // namespace frugalboost::testing
