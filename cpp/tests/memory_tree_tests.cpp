// Want of memory while trees grow: see memory_tests.cpp.
#include <new>
#include <utility>
#include <vector>

#include "core/rows/growing_weights.hpp"
#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"
#include "tests/scarce_memory.hpp"

namespace frugalboost::testing {
namespace {

struct Kind {
  Layout layout;
  int n_outputs;
  Criterion criterion;
};

constexpr Kind kinds[] = {
    {Layout::classes, 2, Criterion::error}, {Layout::classes, 2, Criterion::gini},
    {Layout::classes, 3, Criterion::z},     {Layout::votes, 3, Criterion::z},
    {Layout::real, 1, Criterion::variance}, {Layout::real, 4, Criterion::variance}};

constexpr SearchKind searches[] = {SearchKind::exhaustive, SearchKind::incremental,
                                   SearchKind::two_stage,  SearchKind::quick,
                                   SearchKind::adaptive,   SearchKind::ap_boost};

// Threads share each node, or have nodes of their own.
constexpr double together = 0.0, apart = 1e9;

GrowOptions options_for(Criterion criterion, SearchKind search, int n_threads,
                        double eagerness = together) {
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = 3;
  options.search.kind = search;
  options.search.n_threads = n_threads;
  options.search.rough_from = options.search.tiles_from = 0;
  options.search.large_node = 1;
  options.search.eagerness = eagerness;
  return options;
}

void test_growing(const Table& table, const Problem& given, Criterion criterion, SearchKind search,
                  int n_threads) {
  Problem problem = given;
  if (search == SearchKind::two_stage) problem.n_heavy = problem.n_rows / 2;
  const std::vector<Row> rows = heaviest_first(problem);
  const std::vector<std::uint32_t> features = all_features(table);
  const GrowOptions options = options_for(criterion, search, n_threads);
  const bool in_order = search == SearchKind::exhaustive || search == SearchKind::incremental;
  survives("a tree after want of memory", thorough(n_threads), [&] {
    Columns columns;
    copy_columns(table, columns);
    columns.row_blocks(n_threads);
    Grower grower(columns, options);
    return grow(grower, problem, in_order ? nullptr : &rows, features);
  });
}

// A grower that could not finish a tree can grow the next one.
void test_growing_on(const Table& table, const Problem& problem, Criterion criterion,
                     SearchKind search, int n_threads, double eagerness = together) {
  const std::vector<Row> rows = heaviest_first(problem);
  const std::vector<std::uint32_t> features = all_features(table);
  const GrowOptions options = options_for(criterion, search, n_threads, eagerness);
  const Grown expected = grow(table, problem, options);
  bool is_right = true, is_felt = true;
  for (std::size_t number = 1; is_felt; number += 1 + number / (n_threads == 1 ? 40 : 8)) {
    Grower grower(table.columns, options);
    {
      const Shortage shortage(number, number % 2 == 0);
      try {
        grower.grow(problem, rows.data(), rows.size(), features, no_poll);
      } catch (const std::bad_alloc&) {
      }
      is_felt = shortage.is_felt();
    }
    is_right &= grow(grower, problem, &rows, features) == expected;
  }
  check(is_right, "a grower goes on after want of memory");
}

void test_trees(Random& random) {
  const Table small(random, 70, 5), bytes(random, 4'200, 3, ByteCodes{240, true});
  const Table large(random, 4'200, 4);
  for (const Kind& kind : kinds) {
    const Weights few(random, kind.layout, kind.n_outputs, 70);
    const Weights many(random, kind.layout, kind.n_outputs, 4'200);
    for (SearchKind search : searches) {
      test_growing(small, few.problem, kind.criterion, search, 1);
      test_growing_on(small, few.problem, kind.criterion, search, 1);
    }
    test_growing(large, many.problem, kind.criterion, SearchKind::exhaustive, 4);
    test_growing(bytes, many.problem, kind.criterion, SearchKind::exhaustive, 4);
    test_growing(large, many.problem, kind.criterion, SearchKind::adaptive, 4);
    test_growing_on(large, many.problem, kind.criterion, SearchKind::exhaustive, 4);
    test_growing_on(small, few.problem, kind.criterion, SearchKind::exhaustive, 4, apart);
  }
  const Weights two(random, Layout::classes, 2, 4'200);
  test_growing(large, two.problem, Criterion::error, SearchKind::two_stage, 4);
  test_growing_on(large, two.problem, Criterion::error, SearchKind::two_stage, 4);
}

// Two rounds of a search that remembers, on weights and on residuals.
void test_rounds(Random& random, std::size_t n, int n_threads) {
  const Table table(random, n, 4, ByteCodes{2, false, 9});
  const std::vector<std::uint32_t> features = all_features(table);
  std::vector<std::uint8_t> labels(n);
  for (auto& label : labels) label = static_cast<std::uint8_t>(draw(random, 0, 1));
  for (SearchKind search : {SearchKind::incremental, SearchKind::two_stage})
    survives("rounds on weights after want of memory", thorough(n_threads), [&] {
      Columns columns;
      copy_columns(table, columns);
      columns.row_blocks(n_threads);
      GrowingWeights weights(labels.data(), nullptr, n, n_threads);
      Grower grower(columns, options_for(Criterion::error, search, n_threads));
      const Grown first = grow(grower, weights.problem(), nullptr, features);
      const std::vector<double> rise = some_rises(2 * first.tree.n_nodes());
      weights.advance(rise.data(), first.tree.n_nodes(), first.nodes.data(), n_threads);
      return grow(grower, weights.problem(), nullptr, features);
    });
  std::vector<double> targets(n);
  for (double& target : targets) target = draw(random, 0, 1000) / 8.0;
  survives("rounds on residuals after want of memory", thorough(n_threads), [&] {
    Columns columns;
    copy_columns(table, columns);
    columns.row_blocks(n_threads);
    Residuals residuals(targets.data(), n, 60.0);
    GrowOptions options = options_for(Criterion::variance, SearchKind::incremental, n_threads);
    options.max_leaf_nodes = 4;
    Grower grower(columns, options);
    const Grown first = grow(grower, residuals.problem(), nullptr, features);
    const std::vector<double> values(first.tree.n_nodes(), 0.75);
    residuals.advance(values.data(), first.tree.n_samples.data(), values.size(), first.nodes.data(),
                      n_threads);
    grower.follow(residuals.problem(), residuals.steps());
    return grow(grower, residuals.problem(), nullptr, features);
  });
}

}  // namespace

void test_trees_without_memory(Random& random) {
  test_trees(random);
  test_rounds(random, 1'000, 1);
  test_rounds(random, 9'000, 4);
}

}  // namespace frugalboost::testing
