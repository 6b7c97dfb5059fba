// Scores that are brought up to date are the sums tree by tree, bit for bit.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/predict/forest.hpp"
#include "core/predict/predict.hpp"
#include "core/predict/stumps.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

// Trees one after the other, of one split at most, or of more.
struct Trees {
  std::vector<FlatNode> nodes;
  std::vector<std::int64_t> roots{0};
  std::vector<double> values;

  Trees(Random& random, int n_trees, int n_features, int n_outputs, bool stumps) {
    for (int tree = 0; tree < n_trees; ++tree) add(random, n_features, stumps);
    values.resize(nodes.size() * n_outputs);
    for (double& value : values) value = draw(random, -999, 999) / 77.0;
  }

  void add(Random& random, int n_features, bool stumps) {
    const auto root = static_cast<std::int32_t>(nodes.size());
    nodes.emplace_back();
    const std::size_t most = stumps ? 3 : 30;
    for (std::size_t i = root; i < nodes.size() && nodes.size() + 2 <= root + most; ++i) {
      if (draw(random, 0, 4) == 0) continue;  // also trees without a split
      const auto left = static_cast<std::int32_t>(nodes.size());
      nodes[i] = {threshold(random),
                  draw(random, 0, n_features - 1),
                  left,
                  left + 1,
                  -1,
                  0,
                  static_cast<std::uint8_t>(draw(random, 0, 1))};
      nodes.resize(nodes.size() + 2);
    }
    roots.push_back(static_cast<std::int64_t>(nodes.size()));
  }

  static double threshold(Random& random) {
    const double infinity = std::numeric_limits<double>::infinity();
    const int kind = draw(random, 0, 9);
    return kind == 0 ? infinity : kind == 1 ? -infinity : draw(random, -12, 30) / 3.0;
  }
};

// A table whose rows and columns may lie apart, and need not be aligned.
template <class T>
struct Strided {
  std::vector<char> memory;
  MatrixView view;

  Strided(Random& random, std::size_t n, std::size_t n_columns, Scalar type) {
    const std::ptrdiff_t size = sizeof(T), gap = draw(random, 0, 3);
    const bool by_columns = draw(random, 0, 1);
    const std::ptrdiff_t inner = size + gap;
    const std::ptrdiff_t row = by_columns ? inner : inner * static_cast<std::ptrdiff_t>(n_columns);
    const std::ptrdiff_t column = by_columns ? inner * static_cast<std::ptrdiff_t>(n) : inner;
    memory.resize(n * n_columns * inner + 1);
    view = {memory.data(), n, n_columns, row, column, type};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n_columns; ++j) {
        const T x = value(random);
        std::memcpy(memory.data() + i * row + j * column, &x, sizeof(T));
      }
  }

  static T value(Random& random) {
    if constexpr (std::is_floating_point_v<T>) {
      const int kind = draw(random, 0, 9);
      if (kind < 2) return std::numeric_limits<T>::quiet_NaN();
      if (kind == 2) return std::numeric_limits<T>::infinity();
      return static_cast<T>(draw(random, -12, 30)) / 3;
    }
    return static_cast<T>(draw(random, std::is_signed_v<T> ? -4 : 0, 10));
  }

  double at(std::size_t i, std::size_t j) const {
    T x;
    std::memcpy(&x, view.at(i, j), sizeof(T));
    return static_cast<double>(x);
  }
};

template <class T>
void add_alone(const Trees& trees, const Strided<T>& X, std::size_t row, std::size_t first,
               int n_outputs, double* decision) {
  for (std::size_t tree = first; tree + 1 < trees.roots.size(); ++tree) {
    auto at = static_cast<std::int32_t>(trees.roots[tree]);
    while (trees.nodes[at].feature >= 0) {
      const FlatNode& node = trees.nodes[at];
      const double x = X.at(row, node.feature);
      at = (std::isnan(x) ? node.missing_left : x <= node.threshold) ? node.left : node.right;
    }
    for (int v = 0; v < n_outputs; ++v) decision[v] += trees.values[at * n_outputs + v];
  }
}

template <class T>
void sums_agree(Random& random, Scalar type) {
  const int n_features = draw(random, 1, 5), n_trees = draw(random, 1, 9);
  const bool stumps = draw(random, 0, 2) > 0;
  const int n_outputs = draw(random, 0, 2) ? 1 : 3;
  const auto n = static_cast<std::size_t>(draw(random, 1, 300));
  const Trees trees(random, n_trees, n_features, n_outputs, stumps);
  const Forest forest(trees.nodes, trees.roots, {}, trees.values, n_outputs, n_features);
  check(forest.stumps_only || !stumps || n_outputs > 1, "stumps are known as such");
  const Strided<T> X(random, n, n_features, type);
  // All rows fresh, all alike, or each with trees of its own behind it.
  const int kind = draw(random, 0, 2), common = draw(random, 0, n_trees);
  std::vector<std::int32_t> first(n, kind == 0 ? 0 : common);
  if (kind == 2)
    for (auto& seen : first) seen = draw(random, 0, 3) ? draw(random, 0, n_trees) : common;
  std::vector<double> expected(n * n_outputs);
  for (double& score : expected) score = draw(random, -99, 99) / 7.0;
  std::vector<double> found = expected, threaded = expected;
  for (std::size_t i = 0; i < n; ++i)
    add_alone(trees, X, i, first[i], n_outputs, &expected[i * n_outputs]);
  add_trees_from(forest, X.view, first.data(), 1, no_poll, found.data());
  add_trees_from(forest, X.view, first.data(), 4, no_poll, threaded.data());
  check(found == expected, "a row gets the trees that it has not seen, one by one");
  check(threaded == expected, "on several threads too");
}

// Rows [begin, end) and trees [first, last) only.
template <class T>
void parts_agree(Random& random, Scalar type) {
  const int n_features = draw(random, 1, 4), n_trees = draw(random, 1, 6);
  const auto n = static_cast<std::size_t>(draw(random, 1, 200));
  const Trees trees(random, n_trees, n_features, 1, true);
  const Forest forest(trees.nodes, trees.roots, {}, trees.values, 1, n_features);
  const Strided<T> X(random, n, n_features, type);
  const auto begin = static_cast<std::size_t>(draw(random, 0, static_cast<int>(n)));
  const auto first = static_cast<std::size_t>(draw(random, 0, n_trees));
  std::vector<double> found(n, 0.5), expected(n, 0.5);
  add_stumps(forest, X.view, begin, n, first, n_trees, found.data());
  for (std::size_t i = begin; i < n; ++i) add_alone(trees, X, i, first, 1, &expected[i]);
  check(found == expected, "stumps are added to the rows asked for, and to no others");
}

template <class T>
void all_agree(Random& random, Scalar type) {
  sums_agree<T>(random, type);
  parts_agree<T>(random, type);
}

}  // namespace

void test_scores(Random& random) {
  for (int repeat = 0; repeat < 40; ++repeat) {
    for (const Scalar type : all_scalars)
      with_type(type, [&](auto zero) { all_agree<decltype(zero)>(random, type); });
  }
  const Trees trees(random, 2, 2, 1, true);
  const Forest forest(trees.nodes, trees.roots, {}, trees.values, 1, 2);
  const MatrixView empty{nullptr, 0, 2, 16, 8, Scalar::f64};
  add_trees_from(forest, empty, nullptr, 1, no_poll, nullptr);
  check(true, "no rows, nothing to read");
  const Forest leaves(std::vector<FlatNode>(2), {0, 1, 2}, {}, {0.25, 0.5}, 1, 0);
  const std::vector<double> nothing(1);
  const MatrixView narrow{reinterpret_cast<const char*>(nothing.data()), 9, 0, 0, 8, Scalar::f64};
  const std::vector<std::int32_t> fresh(9, 0);
  std::vector<double> all(9, 0.0), rest(9, 0.0);
  add_trees(leaves, narrow, 0, 2, 1, no_poll, all.data());
  add_trees_from(leaves, narrow, fresh.data(), 1, no_poll, rest.data());
  check(all == std::vector<double>(9, 0.75) && rest == all, "no columns, no split, a sum still");
}

}  // namespace frugalboost::testing
