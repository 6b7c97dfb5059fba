// What threads share: nothing may depend on how many there are.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/grow/grower.hpp"
#include "core/rows/growing_weights.hpp"
#include "core/rows/rows.hpp"
#include "core/rows/split_values.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

// Enough rows for each of several threads to be worth waking, and for loops over them to be shared.
constexpr int several = 4;
constexpr std::size_t many_rows = 80000;

std::vector<std::uint8_t> random_sides(Random& random, std::size_t n, int percent_left) {
  std::vector<std::uint8_t> sides(n);
  for (auto& side : sides) side = draw(random, 1, 100) <= percent_left;
  return sides;
}

// A node of a tree: where its rows stand, and which they should be.
struct Part {
  Range range;
  std::vector<Row> rows;
};

bool holds_rows(const RowOrder& order, const Part& part, const Problem& problem) {
  bool same = part.range.size() == part.rows.size();
  for (std::size_t i = 0; same && i < part.rows.size(); ++i) {
    const Row row = part.rows[i];
    const std::size_t at = part.range.begin + i;
    same &= order.rows()[at] == row;
    if (problem.layout == Layout::classes) same &= order.weights()[at] == problem.weights[row];
    if (problem.layout == Layout::classes && problem.labels != nullptr)
      same &= order.labels()[at] == problem.labels[row];
    if (problem.layout == Layout::real && problem.n_outputs == 1)
      same &= order.weights()[at] == problem.weights[row];
  }
  return same;
}

// Divides a node, and checks what is said of it. Its children are a stable partition.
std::pair<Part, Part> divide(RowOrder& order, const Part& whole,
                             const std::vector<std::uint8_t>& sides, const Problem& problem) {
  std::vector<std::uint8_t> side_of_row(problem.n_rows, 0);
  for (std::size_t i = 0; i < sides.size(); ++i) side_of_row[whole.rows[i]] = sides[i];
  const std::size_t n_heavy = sides.size() / 3;
  const Division division = order.divide(whole.range, n_heavy, problem.layout == Layout::classes,
                                         [&](std::size_t row) { return side_of_row[row]; });
  const std::size_t n_left = std::accumulate(sides.begin(), sides.end(), std::size_t{0});
  check(division.n_left == n_left &&
            division.n_heavy_left ==
                std::accumulate(sides.begin(), sides.begin() + n_heavy, std::size_t{0}),
        "a division counts what goes left");
  Part left{division.left(), {}};
  Part right{division.right(), {}};
  for (std::size_t i = 0; i < sides.size(); ++i)
    (sides[i] ? left : right).rows.push_back(whole.rows[i]);
  return {left, right};
}

void test_partitions(Random& random) {
  const std::pair<Layout, int> kinds[] = {
      {Layout::classes, 2}, {Layout::classes, 3}, {Layout::votes, 2}, {Layout::real, 1}};
  for (const auto& [layout, n_outputs] : kinds) {
    for (int n_threads : {1, several}) {
      const std::size_t n = draw(random, 0, 1) ? many_rows : draw(random, 2, 200);
      const Weights weights(random, layout, n_outputs, n);
      RowOrder order(n_threads);
      std::vector<Part> parts{{{0, n}, std::vector<Row>(n)}};
      std::iota(parts[0].rows.begin(), parts[0].rows.end(), Row{0});
      const bool is_table = draw(random, 0, 1) == 1;  // otherwise some order of its rows
      if (!is_table) std::shuffle(parts[0].rows.begin(), parts[0].rows.end(), random);
      const std::vector<Row> given = parts[0].rows;
      order.reset(weights.problem, is_table ? nullptr : given.data(), n, false);
      for (int percent : {90, 50, 0, 100, 20, 75}) {
        const Part whole = parts.front();
        parts.erase(parts.begin());
        const auto sides = random_sides(random, whole.rows.size(), percent);
        const auto [left, right] = divide(order, whole, sides, weights.problem);
        parts.insert(parts.begin() + draw(random, 0, static_cast<int>(parts.size())), left);
        parts.push_back(right);
        check(
            std::all_of(parts.begin(), parts.end(),
                        [&](const Part& part) { return holds_rows(order, part, weights.problem); }),
            "a partition keeps the order of each side, and all other nodes");
      }
    }
  }
}

// From and to any place: what lies before and behind stays.
template <class Value>
void test_copies(Random& random) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto n = static_cast<std::size_t>(draw(random, 0, 70));
    std::vector<Value> from(n + 8), to(n + 16, Value{7});
    for (Value& value : from) value = static_cast<Value>(draw(random, 0, 1 << 20));
    std::vector<Value> expected = to;
    const int skipped = draw(random, 0, 7), place = draw(random, 0, 7);
    std::copy_n(from.begin() + skipped, n, expected.begin() + place);
    copy_past_caches(from.data() + skipped, n, to.data() + place);
    finish_copies();
    check(to == expected, "a copy past the caches is a copy");
  }
}

void test_weights(Random& random) {
  for (int n_classes : {2, 3}) {
    std::vector<Row> labels(many_rows);
    for (Row& label : labels) label = draw(random, 0, n_classes - 1);
    const std::vector<std::uint8_t> bytes(labels.begin(), labels.end());
    std::vector<double> sample_weight(many_rows);
    for (double& weight : sample_weight) weight = draw(random, 1, 1000) / 7.0;
    GrowingWeights one(labels.data(), sample_weight.data(), many_rows, n_classes);
    GrowingWeights shared =
        n_classes == 2
            ? GrowingWeights(bytes.data(), sample_weight.data(), many_rows, several)
            : GrowingWeights(labels.data(), sample_weight.data(), many_rows, n_classes, several);
    // Few rows change, then most of them, then all; then the scale does not fit any more.
    for (const std::vector<double>& rises :
         {std::vector<double>{0.0, 0.0, 0.0, 1.5}, {0.5, 0.25, 1.0, 0.0}, {1, 2, 3, 4}, {0, 90}}) {
      std::vector<double> rise(4 * n_classes);
      for (std::size_t i = 0; i < rise.size(); ++i) rise[i] = rises[i % rises.size()];
      std::vector<std::int32_t> node(many_rows);
      for (auto& each : node) each = draw(random, 0, 3);
      one.advance(rise.data(), 4, node.data(), 1);
      shared.advance(rise.data(), 4, node.data(), several);
      check(one.fixed() == shared.fixed() && one.exponent() == shared.exponent(),
            "threads do not change weights");
      const Changes &a = *one.problem().changes, &b = *shared.problem().changes;
      check(a.all == b.all && (a.all || (a.n == b.n && std::equal(a.rows, a.rows + a.n, b.rows) &&
                                         std::equal(a.amounts, a.amounts + a.n, b.amounts))),
            "threads list the same changes");
    }
  }
}

// Rounds of a search that remembers, and of one that takes rows by weight.
void test_rounds(Random& random, SearchKind kind, Criterion criterion) {
  const Table table(random, many_rows, 12);
  std::vector<std::uint32_t> features(table.columns.columns.size());
  std::iota(features.begin(), features.end(), 0u);
  std::vector<Row> labels(many_rows);
  for (Row& label : labels) label = draw(random, 0, 1);
  GrowingWeights weights(labels.data(), nullptr, many_rows, 2);
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = 4;
  options.search.kind = kind;
  Grower one(table.columns, options);
  options.search.n_threads = several;
  Grower shared(table.columns, options);
  for (int round = 0; round < 4; ++round) {
    Problem problem = weights.problem();
    std::vector<Row> rows;
    if (kind == SearchKind::two_stage) problem.n_heavy = weights.sort_by_weight(0.9, rows);
    const Row* order = rows.empty() ? nullptr : rows.data();
    const GrownTree a = one.grow(problem, order, many_rows, features, [] {});
    const GrownTree b = shared.grow(problem, order, many_rows, features, [] {});
    check(a.feature == b.feature && a.bin == b.bin && a.sums == b.sums && a.loss == b.loss &&
              a.category_words == b.category_words && one.node_of_row() == shared.node_of_row(),
          "threads do not change the trees of rounds");
    check(a.work.reads == b.work.reads && a.work.assessments == b.work.assessments,
          "threads do not change the work");
    std::vector<double> rise(2 * a.n_nodes());
    for (double& r : rise) r = draw(random, 0, 2) == 0 ? draw(random, 1, 40) / 4.0 : 0.0;
    weights.advance(rise.data(), a.n_nodes(), one.node_of_row().data(), several);
  }
}

}  // namespace

void test_teams(Random& random) {
  for (int repeat = 0; repeat < 3; ++repeat) test_partitions(random);
  test_copies<Sum>(random);
  test_copies<Row>(random);
  test_weights(random);
  test_rounds(random, SearchKind::incremental, Criterion::error);
  test_rounds(random, SearchKind::incremental, Criterion::gini);
  test_rounds(random, SearchKind::two_stage, Criterion::error);
  test_rounds(random, SearchKind::exhaustive, Criterion::z);
  test_rounds(random, SearchKind::incremental, Criterion::gain_ratio);
}

}  // namespace frugalboost::testing
