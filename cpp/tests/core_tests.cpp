// The core's own tests: no Python, so that sanitizers see every access. Random problems go through
// every kernel; the searches must agree on every array of the tree.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "core/rows/exponential.hpp"
#include "core/rows/growing_weights.hpp"
#include "core/rows/heavy_rows.hpp"
#include "core/rows/order.hpp"
#include "core/rows/real_rows.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {

void test_round_of_rows(Random& random);  // row_tests.cpp
void test_logit_targets(Random& random);
void test_narrow_cells(Random& random);    // narrow_tests.cpp
void test_teams(Random& random);           // thread_tests.cpp
void test_team();                          // team_tests.cpp
void test_leaf_values(Random& random);     // leaf_tests.cpp
void test_c45(Random& random);             // c45_tests.cpp
void test_node_table();                    // leaf_tests.cpp
void test_residuals(Random& random);       // residual_tests.cpp
void test_subsets(Random& random);         // subset_tests.cpp
void test_large_tables(Random& random);    // large_tests.cpp
void test_sharing(Random& random);         // sharing_tests.cpp
void test_shared_rows(Random& random);     // shared_row_tests.cpp
void test_padding(Random& random);         // padding_tests.cpp
void test_want_of_memory(Random& random);  // memory_tests.cpp
void test_forest();                        // forest_tests.cpp
void test_walks(Random& random);           // forest_tests.cpp
void test_binning(Random& random);         // binning_tests.cpp
void test_scores(Random& random);          // stump_tests.cpp
void test_shap(Random& random);            // shap_tests.cpp

namespace {

void searches_agree(Random& random, Layout layout, Criterion criterion) {
  const std::size_t n_rows = draw(random, 1, 120);
  const int most = draw(random, 0, 3) == 0 ? 9 : 3;
  const int n_outputs = layout == Layout::real ? draw(random, 1, most) : draw(random, 2, most + 1);
  const Table table(random, n_rows, draw(random, 1, 8));
  const Weights weights(random, layout, n_outputs, n_rows);
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = draw(random, 1, 6);
  options.max_leaf_nodes = draw(random, 0, 1) ? 0 : draw(random, 2, 9);
  options.search.min_samples_leaf = draw(random, 0, 1) ? 1 : draw(random, 2, 10);
  options.search.quick_steps = draw(random, 1, 20);
  const Grown exact = grow(table, weights.problem, options);
  for (SearchKind kind : {SearchKind::quick, SearchKind::adaptive, SearchKind::ap_boost}) {
    for (int n_threads : {1, 4}) {
      options.search.kind = kind;
      options.search.n_threads = n_threads;
      const Grown other = grow(table, weights.problem, options);
      check(same_tree(exact, other), "a search gives the exhaustive tree");
      check(other.tree.work.assessments <= exact.tree.work.assessments,
            "a search assesses no more");
    }
  }
  options.search.kind = SearchKind::exhaustive;
  Grower in_order(table.columns, options);
  check(same_tree(exact, grow(in_order, weights.problem, nullptr, all_features(table))),
        "rows in the order of the table give the same tree");
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

// Where nothing can be pruned, the searches that would are exhaustive.
void test_gain_ratios(Random& random) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    searches_agree(random, Layout::classes, Criterion::gain_ratio);
    searches_agree(random, Layout::votes, Criterion::gain_ratio);
  }
}

// Many outputs on plain columns: whole weights decide among what rough cells leave. Weights from
// one unit to 2^40 make rough cells of most nodes empty until their unit is finer.
void test_rough_cells(Random& random) {
  for (int repeat = 0; repeat < 400; ++repeat) {
    const bool is_real = repeat % 2 == 1;
    const std::size_t n_rows = draw(random, 1, 300);
    const Table table(random, n_rows, draw(random, 1, 12), true);
    Weights weights(random, is_real ? Layout::real : Layout::votes, draw(random, 4, 20), n_rows);
    GrowOptions options;
    options.criterion = is_real ? Criterion::variance : Criterion::z;
    options.search.min_samples_leaf = is_real ? draw(random, 1, 5) : 1;
    options.search.rough_from = 0;
    options.max_depth = draw(random, 1, 7);
    options.max_leaf_nodes = draw(random, 0, 1) ? 0 : draw(random, 2, 30);
    Grower grower(table.columns, options);
    for (int round = 0; round < 2; ++round) {
      options.search.kind = SearchKind::adaptive;
      options.search.n_threads = 1;
      const Grown whole = grow(table, weights.problem, options);
      const Grown rough = grow(grower, weights.problem, nullptr, all_features(table));
      check(same_tree(whole, rough), "rough cells rule out no winner");
      options.search.kind = SearchKind::exhaustive;
      options.search.n_threads = 4;
      check(same_tree(whole, grow(table, weights.problem, options)), "nor on several threads");
      for (std::size_t i = 0; i < n_rows; ++i) weights.raise(i, draw(random, 1, 3));
      weights.point();
    }
  }
}

// Real targets of one output tell how many rows a side has by their weights alone, or are counted
// when that is not sure; the pruning search counts them all.
void test_rows_by_weight(Random& random) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t n_rows = draw(random, 1, 300);
    const Table table(random, n_rows, draw(random, 1, 8));
    Weights drawn(random, Layout::real, 1, n_rows);
    const bool is_equal = draw(random, 0, 1);
    for (std::size_t i = 0; i < n_rows; ++i)
      drawn.weights[2 * i] = is_equal ? 1 : draw(random, 1, draw(random, 0, 1) ? 9 : 900);
    drawn.point();
    check(!is_equal || drawn.problem.largest_weight == 1, "equal weights are seen to be equal");
    GrowOptions options;
    options.criterion = Criterion::variance;
    options.max_depth = 4;
    options.search.min_samples_leaf = draw(random, 1, 20);
    options.search.kind = SearchKind::adaptive;
    const Grown counted = grow(table, drawn.problem, options);
    options.search.kind = SearchKind::exhaustive;
    options.search.n_threads = draw(random, 1, 4);
    check(same_tree(counted, grow(table, drawn.problem, options)), "weights tell counts");
  }
}

// Large nodes are divided among threads by rows as well.
void test_threads(Random& random) {
  for (Layout layout : {Layout::classes, Layout::votes, Layout::real}) {
    const std::size_t n_rows = 9000;
    const Table table(random, n_rows, 8);
    const Weights weights(random, layout, 2, n_rows);
    GrowOptions options;
    options.criterion = layout == Layout::real ? Criterion::variance : Criterion::gini;
    options.max_depth = 3;
    options.search.min_samples_leaf = draw(random, 0, 1) ? 1 : 50;
    const Grown one = grow(table, weights.problem, options);
    for (int n_threads : {2, 3, 4}) {
      options.search.n_threads = n_threads;
      check(same_tree(one, grow(table, weights.problem, options)), "threads do not change a tree");
    }
  }
}

// A grower that remembers its last root must grow what a fresh one grows without knowing changes.
void test_root_memory(Random& random) {
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t n_rows = draw(random, 1, 200);
    const int n_classes = draw(random, 0, 3) == 0 ? draw(random, 8, 10) : draw(random, 2, 3);
    const Table table(random, n_rows, draw(random, 1, 8));
    const Weights drawn(random, Layout::classes, n_classes, n_rows);
    const std::vector<double> sample_weight(drawn.weights.begin(), drawn.weights.end());
    GrowingWeights weights(drawn.labels.data(), draw(random, 0, 1) ? sample_weight.data() : nullptr,
                           n_rows, n_classes);
    std::vector<std::uint32_t> features = all_features(table);
    GrowOptions options;
    options.criterion = draw(random, 0, 1) ? Criterion::error : Criterion::gini;
    options.max_depth = draw(random, 1, 3);
    options.search.min_samples_leaf = draw(random, 1, 2);
    GrowOptions incremental = options;
    incremental.search.kind = SearchKind::incremental;
    Grower remembering(table.columns, incremental);
    GrowOptions two_stage = options;
    two_stage.search.kind = SearchKind::two_stage;
    Grower heaviest_first(table.columns, two_stage), kept_order(table.columns, two_stage);
    HeavyRows heavy;
    for (int round = 0; round < 6; ++round) {
      Grower fresh(table.columns, options);
      const Grown recalled = grow(remembering, weights.problem(), nullptr, features);
      const Grown built = grow(fresh, weights.problem(), nullptr, features);
      check(same_tree(recalled, built), "last round's root gives this round's tree");
      std::vector<Row> rows;
      Problem by_weight = weights.problem();
      by_weight.n_heavy = weights.sort_by_weight(draw(random, 0, 10) / 10.0, rows);
      check(same_tree(grow(heaviest_first, by_weight, &rows, features), built),
            "two stages give the exhaustive tree");
      heavy.update(weights);
      Problem in_kept_order = weights.problem();
      in_kept_order.n_heavy = heavy.n_heavy();
      in_kept_order.heavy_version = heavy.version();
      if (heavy.rows() != nullptr) rows.assign(heavy.rows(), heavy.rows() + n_rows);
      check(same_tree(grow(kept_order, in_kept_order, heavy.rows() ? &rows : nullptr, features),
                      built),
            "two stages remember their root");
      check(recalled.tree.work.assessments <= built.tree.work.assessments,
            "remembering assesses no more");
      std::vector<double> rise(recalled.tree.n_nodes() * n_classes);
      for (double& r : rise) r = draw(random, 0, 2) == 0 ? draw(random, -3, 40) / 2.0 : 0.0;
      weights.advance(rise.data(), recalled.tree.n_nodes(), recalled.nodes.data());
      if (draw(random, 0, 9) == 0) weights.reset();
      if (features.size() > 1 && draw(random, 0, 3) == 0) features.pop_back();
    }
  }
}

// Weights that were brought up to date a few rows at a time are what a fresh conversion gives.
void test_growing_weights(Random& random) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t n = draw(random, 1, 50);
    const int n_classes = draw(random, 2, 3);
    std::vector<Row> labels(n);
    for (Row& label : labels) label = draw(random, 0, n_classes - 1);
    GrowingWeights weights(labels.data(), nullptr, n, n_classes);
    std::vector<double> logs(n, 0.0);
    for (int round = 0; round < 8; ++round) {
      std::vector<double> rise(2 * n_classes);
      for (double& r : rise) r = draw(random, 0, 1) ? draw(random, 0, 9) / 4.0 : 0.0;
      std::vector<std::int32_t> node(n);
      for (auto& each : node) each = draw(random, 0, 1);
      const UnfilledVector<Sum> before = weights.fixed();
      weights.advance(rise.data(), 2, node.data());
      const Changes& changes = *weights.problem().changes;
      UnfilledVector<Sum> expected = before;
      for (std::size_t i = 0; i < changes.n && !changes.all; ++i)
        expected[changes.rows[i]] += changes.amounts[i];
      if (!changes.all) check(expected == weights.fixed(), "the listed changes are the changes");
      bool right = true;
      for (std::size_t i = 0; i < n; ++i) {
        logs[i] += rise[node[i] * n_classes + labels[i]];
        double wanted = logs[i];
        exponentiate(&wanted, 1);
        const Sum fixed = std::max<Sum>(1, std::llrint(std::ldexp(wanted, weights.exponent())));
        right &= weights.fixed()[i] == (n_classes == 2 && labels[i] == 0 ? -fixed : fixed);
      }
      check(right, "a weight is the exponential of its logarithm");
    }
  }
}

void test_exponential(Random& random) {
  std::vector<double> arguments{0.0, -708.0, 709.0, -1.0, 1.0, -1e300, 1e300};
  for (int repeat = 0; repeat < 20000; ++repeat)
    arguments.push_back(draw(random, -7080000, 7080000) / (draw(random, 0, 1) ? 1e4 : 1e7));
  std::vector<double> values = arguments;
  exponentiate(values.data(), values.size());
  bool close = values[0] == 1.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = std::exp(std::min(std::max(arguments[i], -708.0), 709.0));
    close &= std::abs(values[i] - exact) <= 2 * (std::nextafter(exact, 1e308) - exact);
  }
  check(close, "the exponential is right to two units in the last place");
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

}  // namespace
}  // namespace frugalboost::testing

int main() {
  using namespace frugalboost::testing;
  Random random(20180514);
  test_team();
  test_searches(random);
  test_rough_cells(random);
  test_threads(random);
  test_rows_by_weight(random);
  test_root_memory(random);
  test_residuals(random);
  test_growing_weights(random);
  test_exponential(random);
  test_narrow_cells(random);
  test_round_of_rows(random);
  test_logit_targets(random);
  test_teams(random);
  test_leaf_values(random);
  test_c45(random);
  test_node_table();
  test_order(random);
  test_subsets(random);
  test_large_tables(random);
  test_shared_rows(random);
  test_padding(random);
  test_want_of_memory(random);
  test_forest();
  test_walks(random);
  test_binning(random);
  test_scores(random);
  test_shap(random);
  test_gain_ratios(random);
  test_sharing(random);
  std::printf("%d passed, %d failed\n", n_passed, n_failed);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
