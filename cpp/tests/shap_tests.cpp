// Shapley values: what the sum over all subsets of the features says, on small trees.
#include <cmath>
#include <vector>

#include "core/explain/shap.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {

std::vector<FlatNode> random_tree(Random& random, int n_features);  // forest_tests.cpp

namespace {

struct CountedTree {
  std::vector<FlatNode> nodes;
  std::vector<double> values, rows;
};

CountedTree counted_tree(Random& random, int n_features) {
  CountedTree tree{random_tree(random, n_features), {}, {}};
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    tree.values.push_back(tree.nodes[i].feature < 0 ? draw(random, -9, 9) : 0.0);
    tree.rows.push_back(draw(random, 1, 50));
  }
  return tree;
}

// What the tree expects of a row of which the features in the bits of `known` are known.
double expect(const CountedTree& tree, const double* row, unsigned known, std::int32_t at = 0) {
  const FlatNode& node = tree.nodes[at];
  if (node.feature < 0) return tree.values[at];
  const double x = row[node.feature];
  if (known >> node.feature & 1) {
    const bool left = std::isnan(x) ? node.missing_left : x <= node.threshold;
    return expect(tree, row, known, left ? node.left : node.right);
  }
  const double left = tree.rows[node.left], right = tree.rows[node.right];
  return (left * expect(tree, row, known, node.left) +
          right * expect(tree, row, known, node.right)) /
         (left + right);
}

double shapley(const CountedTree& tree, const double* row, int feature, int n_features) {
  double sum = 0.0;
  for (unsigned known = 0; known < 1u << n_features; ++known) {
    if (known >> feature & 1) continue;
    const int size = __builtin_popcount(known);
    const double sets =
        std::tgamma(n_features + 1) / (std::tgamma(size + 1) * std::tgamma(n_features - size));
    sum += (expect(tree, row, known | 1u << feature) - expect(tree, row, known)) / sets;
  }
  return sum;
}

void values_are_shapleys(Random& random) {
  const int n_features = draw(random, 1, 5);
  const CountedTree tree = counted_tree(random, n_features);
  const auto n_nodes = static_cast<std::int64_t>(tree.nodes.size());
  const Forest forest(tree.nodes, {0, n_nodes}, {}, tree.values, 1, n_features);
  const ShapForest shap(forest, tree.rows);
  const std::size_t n = draw(random, 1, 20);
  std::vector<double> X(n * n_features), found(n * n_features);
  for (double& x : X) x = draw(random, 0, 5) ? draw(random, -12, 12) / 3.0 : std::nan("");
  const std::ptrdiff_t size = sizeof(double);
  const MatrixView view{reinterpret_cast<const char*>(X.data()),
                        n,
                        static_cast<std::size_t>(n_features),
                        n_features * size,
                        size,
                        Scalar::f64};
  shap.add(view, draw(random, 0, 1) ? 4 : 2, no_poll, found.data());
  bool right = std::abs(shap.expected()[0] - expect(tree, X.data(), 0)) < 1e-12;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double* row = &X[i / n_features * n_features];
    const double exact = shapley(tree, row, static_cast<int>(i % n_features), n_features);
    right &= std::abs(found[i] - exact) < 1e-12;
  }
  check(right, "what features add is what the sum over all subsets says");
}

}  // namespace

void test_shap(Random& random) {
  for (int repeat = 0; repeat < 200; ++repeat) values_are_shapleys(random);
}

}  // namespace frugalboost::testing
