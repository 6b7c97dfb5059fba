// Prediction: all ways through a forest give the same leaves.
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/predict/forest.hpp"
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
  add_trees(forest, view, 0, 1, 2, no_poll, decision.data());
  check(decision == std::vector<double>{10, 20, 30, 20, 20, 20, 20},
        "thresholds, categories and missing values go where they should");
}

// A tree that grows where the dice say, and its leaf for a row, found step by step in doubles.
std::vector<FlatNode> random_tree(Random& random, int n_features) {
  std::vector<FlatNode> nodes(1);
  for (std::size_t i = 0; i < nodes.size() && nodes.size() < 60; ++i) {
    if (draw(random, 0, 3) == 0) continue;
    const auto left = static_cast<std::int32_t>(nodes.size());
    // Thirds are no floats: rounded thresholds must still decide as the doubles.
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

template <class T>
std::int32_t plain_leaf(const std::vector<FlatNode>& nodes, const T* row, std::ptrdiff_t stride) {
  std::int32_t at = 0;
  while (nodes[at].feature >= 0) {
    const double x = static_cast<double>(row[nodes[at].feature * stride]);
    const bool left = std::isnan(x) ? nodes[at].missing_left : x <= nodes[at].threshold;
    at = left ? nodes[at].left : nodes[at].right;
  }
  return at;
}

template <class T>
void walks_agree(Random& random, Scalar type) {
  const int n_features = draw(random, 1, 5);
  const auto n = static_cast<std::ptrdiff_t>(draw(random, 1, 150));
  const std::vector<FlatNode> nodes = random_tree(random, n_features);
  const auto n_nodes = static_cast<std::int64_t>(nodes.size());
  std::vector<double> values(nodes.size());
  std::iota(values.begin(), values.end(), 0.0);
  const Forest forest(nodes, {0, n_nodes}, {}, values, 1, n_features);
  std::vector<T> X(n * n_features);
  for (T& x : X) {
    x = static_cast<T>(draw(random, 0, 12));
    if constexpr (std::is_floating_point_v<T>)
      x = draw(random, 0, 5) ? x / 3 - 2 : std::numeric_limits<T>::quiet_NaN();
  }
  const bool by_columns = draw(random, 0, 1);
  const std::ptrdiff_t down = by_columns ? 1 : n_features, across = by_columns ? n : 1;
  const std::ptrdiff_t size = sizeof(T);
  const MatrixView view{reinterpret_cast<const char*>(X.data()),
                        X.size() / n_features,
                        static_cast<std::size_t>(n_features),
                        down * size,
                        across * size,
                        type};
  std::vector<std::int32_t> leaves(n);
  std::vector<double> decision(n);
  find_leaves(forest, view, 0, 1, 2, no_poll, leaves.data());
  add_trees(forest, view, 0, 1, 2, no_poll, decision.data());
  bool right = true;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    right &= leaves[i] == plain_leaf(nodes, X.data() + i * down, across);
    right &= decision[i] == leaves[i];
  }
  check(right, "rows side by side reach the leaves that each reaches alone");
}

void test_walks(Random& random) {
  for (int repeat = 0; repeat < 40; ++repeat) {
    for (const Scalar type : all_scalars)
      with_type(type, [&](auto zero) { walks_agree<decltype(zero)>(random, type); });
  }
}

}  // namespace frugalboost::testing
