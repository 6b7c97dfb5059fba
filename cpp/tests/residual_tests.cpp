// Residuals as integers, and roots that are put together from the leaves of the last tree.
#include <cmath>
#include <limits>
#include <new>

#include "core/rows/logit_targets.hpp"
#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"
#include "tests/scarce_memory.hpp"

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
  check(n_followed > 20, "roots do come from leaves");
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

// What a tree sees.
std::vector<Sum> seen(const Problem& problem) {
  std::vector<Sum> numbers(problem.weights,
                           problem.weights + problem.n_rows * problem.n_channels());
  numbers.insert(numbers.end(), problem.totals, problem.totals + problem.n_channels());
  numbers.push_back(problem.total_mass);
  numbers.push_back(problem.packing.bits);
  return numbers;
}

// Calls advance() so that its first, second, .. allocation fails, until none does; what trees see
// must stay as it is. Returns how often it failed.
template <class Advance, class Targets>
int fail_and_advance(const Targets& targets, Advance&& advance) {
  const std::vector<Sum> before = seen(targets.problem());
  for (int n_failed = 0;; ++n_failed) {
    try {
      const Shortage shortage(static_cast<std::size_t>(n_failed) + 1, false);
      advance();
      return n_failed;
    } catch (const std::bad_alloc&) {
      check(seen(targets.problem()) == before, "without memory nothing changes");
    }
  }
}

void test_want_of_memory(Random& random) {
  const std::size_t n = 20000, n_nodes = 40;
  const std::vector<double> targets = some_targets(random, n);
  std::vector<std::uint8_t> labels(n);
  for (auto& label : labels) label = static_cast<std::uint8_t>(draw(random, 0, 1));
  std::vector<std::int32_t> nodes(n);
  std::vector<std::int64_t> n_samples(n_nodes, 0);
  for (auto& node : nodes) ++n_samples[node = draw(random, 0, static_cast<int>(n_nodes) - 1)];
  for (int n_threads : {1, 3}) {
    Residuals residuals(targets.data(), n, targets[0], n_threads),
        other(targets.data(), n, targets[0]);
    LogitTargets logits(labels.data(), nullptr, n, {4.0, 0x1p-52}, n_threads);
    LogitTargets twin(labels.data(), nullptr, n, {4.0, 0x1p-52}, 1);
    int n_failed = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<double> values(n_nodes), steps(n_nodes);
      // Now and then so far that the units must come down.
      const int size = round % 7 == 6 ? 200 : 20;
      for (double& value : values)
        value = std::ldexp(draw(random, -1000, 1000), size - residuals.exponent());
      for (double& step : steps) step = draw(random, -1000, 1000) / 500.0;
      const auto lower = [&](Residuals& some, int threads) {
        some.advance(values.data(), n_samples.data(), n_nodes, nodes.data(), threads);
      };
      n_failed += fail_and_advance(residuals, [&] { lower(residuals, n_threads); });
      lower(other, 1);
      check(seen(residuals.problem()) == seen(other.problem()) &&
                residuals.exponent() == other.exponent() && residuals.steps() == other.steps(),
            "residuals fall once");
      n_failed +=
          fail_and_advance(logits, [&] { logits.advance(steps.data(), n_nodes, nodes.data()); });
      twin.advance(steps.data(), n_nodes, nodes.data());
      check(seen(logits.problem()) == seen(twin.problem()) &&
                logits.numerator_exponent() == twin.numerator_exponent(),
            "decisions move once");
    }
    check(n_failed >= 60, "there is something to fail");
    residuals.reset(n_threads), other.reset();
    check(seen(residuals.problem()) == seen(other.problem()), "all threads go back alike");
  }
}

}  // namespace

void test_residuals(Random& random) {
  test_roots(random);
  test_any_values(random);
  test_want_of_memory(random);
}

}  // namespace frugalboost::testing
