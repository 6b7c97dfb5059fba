// The core's own tests: no Python, so that sanitizers see every access. Random problems go through
// every kernel; the searches must agree on every array of the tree.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "core/binning.hpp"
#include "core/encoding.hpp"
#include "core/forest.hpp"
#include "core/grower.hpp"
#include "core/order.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

int n_failed = 0, n_passed = 0;

void check(bool holds, const char* what) {
  holds ? ++n_passed : ++n_failed;
  if (!holds) std::printf("failed: %s\n", what);
}

const Poll no_poll = [] {};

std::vector<Row> heaviest_first(const Problem& problem) {
  std::vector<Row> rows(problem.n_rows);
  std::iota(rows.begin(), rows.end(), Row{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Row a, Row b) { return problem.mass[a] > problem.mass[b]; });
  return rows;
}

GrownTree grow(const Table& table, const Problem& problem, GrowOptions options) {
  Grower grower(table.columns, options);
  const std::vector<Row> rows = heaviest_first(problem);
  std::vector<std::uint32_t> features(table.columns.columns.size());
  std::iota(features.begin(), features.end(), 0u);
  return grower.grow(problem, rows.data(), rows.size(), features, no_poll);
}

bool same_tree(const GrownTree& a, const GrownTree& b) {
  return a.feature == b.feature && a.bin == b.bin && a.left == b.left && a.right == b.right &&
         a.missing_left == b.missing_left && a.category_start == b.category_start &&
         a.category_words == b.category_words && a.loss == b.loss && a.gain == b.gain &&
         a.n_samples == b.n_samples && a.sums == b.sums && a.leaf_of_row == b.leaf_of_row;
}

void searches_agree(Random& random, Layout layout, Criterion criterion) {
  const std::size_t n_rows = draw(random, 1, 120);
  const int n_outputs = layout == Layout::real ? draw(random, 1, 3) : draw(random, 2, 4);
  const Table table(random, n_rows, draw(random, 1, 8));
  const Weights weights(random, layout, n_outputs, n_rows);
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = draw(random, 1, 6);
  options.max_leaf_nodes = draw(random, 0, 1) ? 0 : draw(random, 2, 9);
  options.search.min_samples_leaf = draw(random, 0, 1) ? 1 : draw(random, 2, 10);
  options.search.quick_steps = draw(random, 1, 20);
  const GrownTree exact = grow(table, weights.problem, options);
  for (SearchKind kind : {SearchKind::quick, SearchKind::adaptive}) {
    for (int n_threads : {1, 2}) {
      options.search.kind = kind;
      options.search.n_threads = n_threads;
      const GrownTree other = grow(table, weights.problem, options);
      check(same_tree(exact, other), "a search gives the exhaustive tree");
      check(other.work.assessments <= exact.work.assessments, "a search assesses no more");
    }
  }
}

void test_searches(Random& random) {
  using C = Criterion;
  for (int repeat = 0; repeat < 60; ++repeat) {
    for (C criterion : {C::error, C::gini, C::entropy, C::z}) {
      searches_agree(random, Layout::classes, criterion);
      searches_agree(random, Layout::votes, criterion);
    }
    searches_agree(random, Layout::real, C::variance);
  }
}

// A grower that remembers its last root must grow what a fresh one grows.
void test_root_memory(Random& random) {
  for (int repeat = 0; repeat < 30; ++repeat) {
    const std::size_t n_rows = draw(random, 1, 200);
    const Table table(random, n_rows, draw(random, 1, 8));
    Weights weights(random, Layout::classes, draw(random, 2, 3), n_rows);
    std::vector<Row> rows(n_rows);
    std::iota(rows.begin(), rows.end(), Row{0});
    std::vector<std::uint32_t> features(table.columns.columns.size());
    std::iota(features.begin(), features.end(), 0u);
    GrowOptions options;
    options.max_depth = draw(random, 1, 3);
    options.search.min_samples_leaf = draw(random, 1, 2);
    Grower remembering(table.columns, options);
    for (int round = 0; round < 6; ++round) {
      Grower fresh(table.columns, options);
      const Row* first = rows.data();
      check(same_tree(remembering.grow(weights.problem, first, n_rows, features, no_poll),
                      fresh.grow(weights.problem, first, n_rows, features, no_poll)),
            "last round's root gives this round's tree");
      const int one_in = draw(random, 1, 6);
      for (Sum& w : weights.weights)
        if (draw(random, 1, one_in) == 1) w = draw(random, 1, 1000);
      weights.mass = weights.weights;
      weights.problem.mass = weights.mass.data();
      if (draw(random, 0, 3) == 0) weights.labels[0] = 1 - std::min<Row>(weights.labels[0], 1);
      if (features.size() > 1 && draw(random, 0, 3) == 0) features.pop_back();
    }
  }
}

void test_order(Random& random) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t n = draw(random, 0, 60);
    const int n_groups = draw(random, 1, 5);
    std::vector<Sum> mass(n);
    std::vector<std::int32_t> group(n);
    for (Sum& m : mass) m = draw(random, 0, 9);
    for (auto& g : group) g = draw(random, 0, n_groups - 1);
    std::vector<Row> order(n);
    std::iota(order.begin(), order.end(), Row{0});
    merge_by_mass(order, mass.data(), group.data(), n_groups);
    bool sorted = true;
    for (std::size_t i = 1; i < n; ++i) sorted &= mass[order[i - 1]] >= mass[order[i]];
    check(sorted, "rows are in decreasing order of mass");
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < n; ++i) sorted &= order[i] == i;
    check(sorted, "the order holds every row once");
  }
}

void test_forest() {
  Forest forest;
  forest.n_features = 2;
  forest.nodes.resize(5);
  forest.nodes[0] = {1.5, 0, 1, 2, -1, 0, 0};
  forest.nodes[2] = {0.0, 1, 3, 4, 0, 3, 1};
  forest.category_words = {0b101};
  forest.roots = {0, 5};
  forest.values = {0, 10, 0, 20, 30};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> X{1.5, 0, inf, 0, nan, 1, 2, 2, 2, nan, 2, 1e300, 2, -1};
  std::vector<double> decision(7, 0.0);
  add_trees(forest, X.data(), 7, 0, 1, 2, no_poll, decision.data());
  check(decision == std::vector<double>{10, 20, 30, 20, 20, 20, 20},
        "thresholds, categories and missing values go where they should");
}

void test_binning(Random& random) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t n = draw(random, 1, 200);
    std::vector<double> values(n);
    for (double& x : values) {
      const int kind = draw(random, 0, 9);
      x = kind == 0   ? std::numeric_limits<double>::quiet_NaN()
          : kind == 1 ? std::numeric_limits<double>::infinity()
          : kind == 2 ? -std::numeric_limits<double>::infinity()
                      : draw(random, -20, 20) / 4.0;
    }
    const std::size_t max_bins = draw(random, 2, 50);
    const std::vector<MatrixView> parts{{reinterpret_cast<const char*>(values.data()), n, 1,
                                         sizeof(double), sizeof(double), Scalar::f64}};
    const std::vector<ColumnBins> bins = find_bins(parts, max_bins, 2);
    const std::vector<double>& cuts = bins[0].thresholds;
    check(cuts.size() < max_bins, "no more bins than asked for");
    const std::int64_t offsets[] = {0, static_cast<std::int64_t>(cuts.size())};
    std::vector<std::uint16_t> codes(n);
    encode(parts, {cuts.data(), offsets}, {{Storage::dense16, codes.data()}}, 1);
    std::vector<Row> rows(bins[0].n_others);
    std::vector<std::uint16_t> others(bins[0].n_others), rebuilt(n, bins[0].most_frequent);
    encode(parts, {cuts.data(), offsets},
           {{Storage::sparse, others.data(), rows.data(), rows.size(), bins[0].most_frequent}}, 1);
    for (std::size_t e = 0; e < rows.size(); ++e) rebuilt[rows[e]] = others[e];
    check(rebuilt == codes, "sparse and dense codes are the same");
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t below = 0;
      for (double cut : cuts) below += cut < values[i];
      right &= codes[i] == (std::isnan(values[i]) ? cuts.size() + 1 : below);
    }
    check(right, "a code is the number of thresholds below the value");
  }
}

}  // namespace
}  // namespace frugalboost::testing

int main() {
  using namespace frugalboost::testing;
  Random random(20180514);
  test_searches(random);
  test_root_memory(random);
  test_order(random);
  test_forest();
  test_binning(random);
  std::printf("%d passed, %d failed\n", n_passed, n_failed);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
