// What the core keeps of the rows between rounds, brought up to date by four threads or by one.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/rows/growing_weights.hpp"
#include "core/rows/heavy_rows.hpp"
#include "core/rows/residuals.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

constexpr int several = 4;

// A tree of so many leaves, as far as rows see it.
struct Leaves {
  std::vector<std::int32_t> node_of_row;
  std::vector<std::int64_t> n_samples;

  Leaves(Random& random, std::size_t n_rows, int n_nodes) : n_samples(n_nodes, 0) {
    for (std::size_t i = 0; i < n_rows; ++i) {
      node_of_row.push_back(draw(random, 0, n_nodes - 1));
      ++n_samples[node_of_row.back()];
    }
  }
};

bool same_residuals(const Residuals& a, const Residuals& b) {
  const Problem x = a.problem(), y = b.problem();
  return a.packed() == b.packed() && a.steps() == b.steps() && a.exponent() == b.exponent() &&
         x.total_mass == y.total_mass && *x.totals == *y.totals &&
         x.changes->version == y.changes->version;
}

// Small steps, until trees are shown the residuals anew; huge ones, which take the units down; and
// ones that leave hardly anything, so that units become finer.
void test_shared_residuals(Random& random) {
  const std::size_t n = draw(random, 70'000, 80'000);
  std::vector<double> targets(n);
  for (double& target : targets) target = draw(random, 0, 100'000) / 8.0;
  Residuals one(targets.data(), n, targets[0]), four(targets.data(), n, targets[0], several);
  bool same = same_residuals(one, four), right = true;
  int n_steps = 0, n_anew = 0;
  for (int round = 0; round < 24; ++round) {
    const Leaves leaves(random, n, 5);
    std::vector<double> values(5);
    const double reach = round % 10 == 9 ? 1e12 : round % 10 == 5 ? 1e5 : 10.0;
    for (double& value : values) value = reach * draw(random, -1000, 1000) / 1000.0;
    one.advance(values.data(), leaves.n_samples.data(), 5, leaves.node_of_row.data(), 1);
    four.advance(values.data(), leaves.n_samples.data(), 5, leaves.node_of_row.data(), several);
    same &= same_residuals(one, four);
    one.steps().empty() ? ++n_anew : ++n_steps;
    Sum total = 0;
    for (Sum packed : four.packed()) total += packed;
    right &= total == *four.problem().totals;
    if (round % 10 == 9) one.reset(), four.reset();
  }
  check(same, "threads do not change residuals");
  check(right, "their totals are those of the rows");
  check(n_steps > 4 && n_anew > 1, "residuals step down and are shown anew");
}

bool same_heavy_rows(const HeavyRows& a, const HeavyRows& b, std::size_t n) {
  if ((a.rows() == nullptr) != (b.rows() == nullptr) || a.n_heavy() != b.n_heavy()) return false;
  return a.rows() == nullptr || std::equal(a.rows(), a.rows() + n, b.rows());
}

// A third of the rows holds nearly all weight; then others do, for more rounds than an order is
// kept; then all are alike.
void test_shared_heavy_rows(Random& random) {
  constexpr std::size_t n = 50'000;
  std::vector<std::uint8_t> labels(n);
  for (auto& label : labels) label = static_cast<std::uint8_t>(draw(random, 0, 1));
  GrowingWeights weights(labels.data(), nullptr, n, several);
  HeavyRows one, four;
  bool same = true, is_complete = true;
  int n_partial = 0, n_new = 0;
  std::uint64_t last = 0;
  const Leaves leaves(random, n, 3);
  for (int round = 0; round < 24; ++round) {
    const double of_first = round == 0 ? 9.0 : 0.001, of_others = round == 5 ? 20.0 : 0.0;
    const double rise[] = {of_first, of_first, of_others, of_others, 0.0, 0.0};
    weights.advance(rise, 3, leaves.node_of_row.data(), several);
    if (round == 21) weights.reset();
    one.update(weights, 1);
    four.update(weights, several);
    same &= same_heavy_rows(one, four, n);
    n_new += std::exchange(last, four.version()) != four.version();
    if (four.rows() != nullptr) {
      ++n_partial;
      std::vector<Row> rows(four.rows(), four.rows() + n);
      is_complete &= std::is_sorted(rows.begin(), rows.begin() + four.n_heavy());
      std::sort(rows.begin(), rows.end());
      for (std::size_t i = 0; i < n; ++i) is_complete &= rows[i] == i;
    }
  }
  check(same, "threads do not change which rows are heavy, or their order");
  check(is_complete, "heavy rows ascend, and the order holds every row once");
  check(n_partial == 21 && n_new == 4, "heavy rows are kept for some rounds");
}

// By weight, in one slice or in several.
void test_shared_order(Random& random) {
  constexpr std::size_t n = 50'000;
  std::vector<Row> labels(n);
  for (Row& label : labels) label = draw(random, 0, 2);
  GrowingWeights weights(labels.data(), nullptr, n, 3, several);
  for (int round = 0; round < 3; ++round) {
    const Leaves leaves(random, n, 4);
    std::vector<double> rise(12);
    for (double& r : rise) r = draw(random, 0, 1) ? draw(random, 0, 30) / 4.0 : 0.0;
    weights.advance(rise.data(), 4, leaves.node_of_row.data(), several);
    std::vector<Row> by_one, by_four;
    const std::size_t n_heavy = weights.sort_by_weight(0.9, by_one, 1);
    check(n_heavy == weights.sort_by_weight(0.9, by_four, several) && by_one == by_four,
          "threads do not change the order by weight");
  }
}

}  // namespace

void test_shared_rows(Random& random) {
  test_shared_residuals(random);
  test_shared_heavy_rows(random);
  test_shared_order(random);
}

}  // namespace frugalboost::testing
