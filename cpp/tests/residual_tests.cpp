// Residuals as integers, and roots that are put together from the leaves of the last tree.
#include <cmath>
#include <limits>

#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

std::vector<double> some_targets(Random& random, std::size_t n) {
  const double unit = std::ldexp(1.0, draw(random, -900, 900));
  const bool few = draw(random, 0, 1);
  std::vector<double> targets(n);
  for (double& target : targets) target = unit * draw(random, 0, few ? 2 : 100000);
  return targets;
}

std::vector<double> random_values(Random& random, const GrownTree& tree, int exponent) {
  std::vector<double> values(tree.n_nodes(), 0.0);
  const int size = draw(random, 0, 5) == 0 ? 70 : draw(random, 0, 12);
  for (std::size_t id = 0; id < values.size(); ++id)
    if (tree.feature[id] < 0)
      values[id] = std::ldexp(draw(random, -1000, 1000) / 7.0, size - exponent);
  return values;
}

void test_roots(Random& random) {
  int n_followed = 0;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const std::size_t n_rows = draw(random, 1, 3000);
    const Table table(random, n_rows, draw(random, 1, 8));
    const std::vector<double> targets = some_targets(random, n_rows);
    Residuals residuals(targets.data(), n_rows, targets[0]);
    const std::vector<std::uint32_t> features = all_features(table);
    GrowOptions options;
    options.criterion = Criterion::variance;
    options.max_depth = draw(random, 1, 9);
    options.max_leaf_nodes = draw(random, 0, 5) == 0 ? 0 : draw(random, 2, 6);
    options.search.min_samples_leaf = draw(random, 1, 9);
    options.search.n_threads = draw(random, 0, 1) ? 4 : draw(random, 1, 2);
    options.search.kind = SearchKind::incremental;
    Grower following(table.columns, options);
    GrowOptions pruning = options;
    pruning.search.kind = SearchKind::adaptive;
    for (int round = 0; round < 5; ++round) {
      GrowOptions plain = options;
      plain.search.kind = SearchKind::exhaustive;
      Grower fresh(table.columns, plain);
      const Grown followed = grow(following, residuals.problem(), nullptr, features);
      const Grown built = grow(fresh, residuals.problem(), nullptr, features);
      check(same_tree(followed, built), "a root from leaves gives the same tree");
      n_followed += followed.tree.work.reads < built.tree.work.reads;
      check(same_tree(grow(table, residuals.problem(), pruning), built),
            "a search that prunes gives the same tree");
      const std::vector<double> values = random_values(random, followed.tree, residuals.exponent());
      residuals.advance(values.data(), followed.tree.n_samples.data(), values.size(),
                        followed.nodes.data(), options.search.n_threads);
      following.follow(residuals.problem(), residuals.steps());
      if (draw(random, 0, 9) == 0) residuals.reset();
    }
  }
  check(n_followed > 40, "roots do come from leaves");
}

// Numbers far beyond any scale: sums must stay in range whatever a tree says.
void test_any_values(Random& random) {
  constexpr double most = std::numeric_limits<double>::max();
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::size_t n = draw(random, 1, 300);
    std::vector<double> targets = some_targets(random, n);
    if (draw(random, 0, 3) == 0) targets[0] = most, targets[n - 1] = -most;
    Residuals residuals(targets.data(), n, 0.0);
    const std::vector<std::int32_t> nodes(n, 0);
    const std::int64_t n_samples[] = {static_cast<std::int64_t>(n), 0};
    for (double value : {1.0, most, -1e-300, 1e100, std::numeric_limits<double>::infinity()}) {
      const double values[] = {value, most};
      residuals.advance(values, n_samples, 2, nodes.data());
      const Problem problem = residuals.problem();
      double squares = 0.0, sizes = 0.0;
      bool counts = true;
      for (Sum packed : residuals.packed()) {
        const double size = std::abs(static_cast<double>(problem.packing.numerator(packed)));
        squares += size * size;
        sizes += size;
        counts &= problem.packing.weight(packed) == 1;
      }
      check(counts, "each row weighs one");
      check(squares < 0x1p61 && sizes < std::ldexp(1.0, 62 - problem.packing.bits), "sums fit");
      check(static_cast<double>(problem.total_mass) >= squares * (1.0 - 1e-9) &&
                static_cast<double>(problem.total_mass) <= squares * (1 + 1e-9) + n,
            "the mass is that of the squares");
    }
  }
}

}  // namespace

void test_residuals(Random& random) {
  test_roots(random);
  test_any_values(random);
}

}  // namespace frugalboost::testing
