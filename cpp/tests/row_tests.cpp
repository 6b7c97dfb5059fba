// What a round does to every row besides growing a tree.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/rows/logit_rows.hpp"
#include "core/rows/logit_targets.hpp"
#include "core/rows/order.hpp"
#include "core/rows/pair_rows.hpp"
#include "core/rows/real_rows.hpp"
#include "core/rows/row_updates.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {
namespace {

std::vector<double> some_numbers(Random& random, std::size_t n, int least, int most) {
  std::vector<double> numbers(n);
  for (double& number : numbers) number = draw(random, least, most) / 1e3;
  return numbers;
}

// Everything that a round finds for every row, one after the other.
std::vector<double> round_of_rows(std::size_t n_rows, std::size_t n_outputs,
                                  const std::vector<double>& scores,
                                  const std::vector<std::int64_t>& labels,
                                  const std::vector<std::int32_t>& leaves,
                                  const std::vector<double>& scales, int n_threads) {
  const std::size_t n = n_rows * n_outputs;
  std::vector<double> found, weights(n), numerators(n);
  const auto keep = [&](const auto& numbers) {
    for (auto number : numbers) found.push_back(static_cast<double>(number));
  };
  for (int kind = 0; kind < 3; ++kind) {
    pair_weights(scores.data(), labels.data(), scales.data(), n_rows, n_outputs,
                 static_cast<PairWeight>(kind), weights.data(), n_threads);
    keep(weights);
  }
  exponential_weights(scores.data(), scales.data(), n_rows, n_outputs, weights.data(), n_threads);
  keep(weights);
  found.push_back(total_of(weights.data(), n, n_threads));
  found.push_back(largest_of(weights.data(), n, n_threads));
  std::vector<Sum> fixed(n), both(2 * n), mass(n_rows), packed;
  to_fixed(weights.data(), n, 30, fixed.data(), n_threads);
  keep(fixed);
  votes_to_fixed(weights.data(), n_rows, n_outputs, 30, fixed.data(), mass.data(), n_threads);
  keep(fixed), keep(mass);
  logit_rows(scores.data(), labels.data(), scales.data(), n_rows, n_outputs, {4.0, 1e-16},
             weights.data(), numerators.data(), n_threads);
  keep(weights), keep(numerators);
  const RealExponents exponents =
      real_exponents(weights.data(), numerators.data(), n_rows, n_outputs, n_threads);
  real_to_fixed(weights.data(), numerators.data(), n_rows, n_outputs, exponents, both.data(),
                mass.data(), n_threads);
  keep(both), keep(mass);
  Problem problem;
  problem.layout = Layout::real;
  problem.n_outputs = static_cast<int>(n_outputs);
  check(pack_targets(both.data(), n_rows, n_outputs, packed, problem, n_threads), "targets fit");
  keep(packed);
  std::vector<double> state = scores;
  add_rows_by_leaf(state.data(), n_rows, n_outputs, scores.data(), leaves.data(), n_threads);
  add_rows_by_leaf_and_label(state.data(), n_rows, n_outputs, scores.data(), 2, leaves.data(),
                             labels.data(), n_threads);
  keep(state);
  residual_rows(scores.data(), numerators.data(), weights.data(), n_rows, weights.data(),
                state.data(), n_threads);
  keep(state);
  return found;
}

void test_threads_of_rows(Random& random) {
  for (std::size_t n_outputs : {1, 3}) {
    const auto n_rows = static_cast<std::size_t>(draw(random, 9000, 30000));
    const std::vector<double> scores = some_numbers(random, n_rows * n_outputs, -9000, 9000);
    const std::vector<double> scales = some_numbers(random, n_rows, 1, 1999);
    std::vector<std::int64_t> labels(n_rows);
    std::vector<std::int32_t> leaves(n_rows);
    for (auto& label : labels) label = draw(random, 0, 1);
    for (auto& leaf : leaves) leaf = draw(random, 0, 40);
    const auto found = [&](int n_threads) {
      return round_of_rows(n_rows, n_outputs, scores, labels, leaves, scales, n_threads);
    };
    const std::vector<double> alone = found(1);
    check(alone == found(2) && alone == found(5), "threads do not change what rows ask for");
  }
}

// The power of two of a total is that of the plain sum, even where sums of parts would say another.
void test_totals_at_powers_of_two(Random& random) {
  int n_close = 0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const std::size_t n = std::size_t{1} << draw(random, 13, 16);
    std::vector<double> values(n, 1.0 + 0x1p-52 * draw(random, -2, 2));
    for (double& value : values)
      if (draw(random, 0, 3) == 0) value = 1.0 + 0x1p-53 * draw(random, -3, 3);
    double lanes[8] = {}, plain = 0.0;
    for (std::size_t i = 0; i < n; ++i) lanes[i % 8] += values[i];
    for (double lane : lanes) plain += lane;
    const double total = total_of(values.data(), n, draw(random, 1, 4));
    check(std::ilogb(total) == std::ilogb(plain),
          "a total's power of two is that of the plain sum");
    n_close += std::abs(std::ldexp(plain, -std::ilogb(plain)) - 1.5) > 0.4999;
  }
  check(n_close > 30, "totals are close to powers of two");
}

// Rows by mass, with ties, in an order that is partly right.
void test_threads_of_order(Random& random) {
  for (int repeat = 0; repeat < 6; ++repeat) {
    const auto n = static_cast<std::size_t>(draw(random, 8000, 40000));
    const int most = repeat % 2 == 0 ? 50 : 1000000, n_groups = draw(random, 1, 30);
    std::vector<Sum> mass(n);
    std::vector<std::int32_t> group(n);
    for (Sum& m : mass) m = draw(random, 0, most);
    for (auto& g : group) g = draw(random, 0, n_groups - 1);
    std::vector<Row> expected(n);
    std::iota(expected.begin(), expected.end(), Row{0});
    std::vector<Row> order = expected;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](Row a, Row b) { return group[a] < group[b]; });
    std::stable_sort(expected.begin(), expected.end(),
                     [&](Row a, Row b) { return mass[a] > mass[b]; });
    for (int n_threads : {1, 4}) {
      std::vector<Row> merged = order;
      merge_by_mass(merged, mass.data(), group.data(), n_groups, n_threads);
      check(merged == expected, "rows are in a stable order by mass, whatever the threads");
    }
    check(heaviest_rows(mass.data(), nullptr, n, 0.7, 1) ==
              heaviest_rows(mass.data(), nullptr, n, 0.7, 3),
          "threads do not change the heaviest rows");
  }
}

// Units for any number of rows: they are found, and what they allow fits.
void test_logit_units() {
  for (double n : {1.0, 1e6, 0x1p31, 0x1p32 - 0x1p26}) {
    const LogitUnits units = logit_units(n / 4, n, static_cast<std::size_t>(n));
    check(std::ldexp(n / 4, units.weight) + n < 0x1p32, "weights fit with a unit for each");
    check(std::ldexp(n, units.numerator) + n / 2 < 0x1p31, "so do numerators with half of one");
  }
  const LogitUnits few = logit_units(0.25, 1.0, 1);
  check(few.weight == 33 && few.numerator == 30, "few rows have fine units");
}

// A row of tiny weight that is less sure than all others: its square is beyond quick rounding.
void test_large_squares() {
  const std::size_t n = 600;
  const std::vector<std::uint8_t> labels(n, 1);
  std::vector<double> scales(n, 1.0);
  scales[0] = 1e-6;
  LogitTargets targets(labels.data(), scales.data(), n, {4.0, 0x1p-52}, 1);
  std::vector<std::int32_t> nodes(n, 1);
  nodes[0] = 0;
  const double values[] = {46.0, 92.0}, nothing[] = {0.0, 0.0};
  Sum largest = 0;
  for (int round = 0; round < 20; ++round) {
    targets.advance(round == 0 ? values : nothing, 2, nodes.data());
    const Problem problem = targets.problem();
    Sum mass = 0;
    for (std::size_t i = 0; i < n; ++i) mass += problem.mass_of(i);
    check(mass == problem.total_mass, "squares of any size are added");
    largest = std::max(largest, mass);
  }
  check(static_cast<double>(largest) > 0x1p52, "there are large squares");
}

}  // namespace

// From scores of any number of classes to integers and their mass, as one row alone would have
// them.
void test_round_of_rows(Random& random) {
  test_threads_of_rows(random);
  test_totals_at_powers_of_two(random);
  test_threads_of_order(random);
  for (std::size_t n_outputs : {1, 3, 26, 700}) {
    const std::size_t n_rows = draw(random, 1, 1200), n = n_rows * n_outputs;
    std::vector<double> scores(n), weights(n), numerators(n), scales(n_rows, 0.75), pairs(n);
    std::vector<std::int64_t> labels(n_rows);
    std::vector<std::int32_t> leaves(n_rows, 0);
    for (double& score : scores) score = draw(random, -9000, 9000) / 1e3;
    const int last_class = std::max(1, static_cast<int>(n_outputs) - 1);
    for (auto& label : labels) label = draw(random, 0, last_class);
    logit_rows(scores.data(), labels.data(), scales.data(), n_rows, n_outputs, {4.0, 1e-16},
               weights.data(), numerators.data());
    for (int kind = 0; kind < 3; ++kind)
      pair_weights(scores.data(), labels.data(), scales.data(), n_rows, n_outputs,
                   static_cast<PairWeight>(kind), pairs.data());
    const int exponent =
        real_exponents(weights.data(), numerators.data(), n_rows, n_outputs).weight;
    std::vector<Sum> fixed(2 * n), mass(n_rows), row(2 * n_outputs), votes(n), sums(n_rows);
    real_to_fixed(weights.data(), numerators.data(), n_rows, n_outputs, {exponent, exponent},
                  fixed.data(), mass.data());
    votes_to_fixed(weights.data(), n_rows, n_outputs, exponent, votes.data(), sums.data());
    bool same = true;
    for (std::size_t i = 0; i < n_rows; ++i) {
      Sum alone = 0;
      const std::size_t at = i * n_outputs;
      real_to_fixed(&weights[at], &numerators[at], 1, n_outputs, {exponent, exponent}, row.data(),
                    &alone);
      same &= alone == mass[i] && std::equal(row.begin(), row.end(), fixed.begin() + 2 * at) &&
              std::equal(row.begin(), row.begin() + n_outputs, votes.begin() + at) &&
              sums[i] == std::accumulate(row.begin(), row.begin() + n_outputs, Sum{0});
    }
    check(same, "a row's integers do not depend on the others");
    add_rows_by_leaf(scores.data(), n_rows, n_outputs, pairs.data(), leaves.data());
  }
}

// LogitBoost's targets, round after round: what logit_rows says, rounded, whatever the threads, and
// sums that fit however far a tree goes.
void test_logit_targets(Random& random) {
  constexpr LogitLimits limits{4.0, 0x1p-52};
  test_logit_units();
  test_large_squares();
  for (std::size_t n_outputs : {1, 3, 7, 11}) {
    // Some rows, or enough for four threads to share a long loop.
    const auto outputs = static_cast<int>(n_outputs);
    const auto n = static_cast<std::size_t>(outputs <= 3 ? draw(random, 70'000, 80'000) / outputs
                                                         : draw(random, 1, 9000));
    const int last_class = std::max(1, static_cast<int>(n_outputs) - 1);
    std::vector<Row> labels(n);
    for (Row& label : labels) label = static_cast<Row>(draw(random, 0, last_class));
    const std::vector<std::uint8_t> bytes(labels.begin(), labels.end());
    const std::vector<std::int64_t> wide(labels.begin(), labels.end());
    std::vector<double> scales(n, 1.0);
    const bool is_scaled = draw(random, 0, 1);
    if (is_scaled)
      for (double& scale : scales) scale = draw(random, 1, 2000) / 1000.0;
    const double* given = is_scaled ? scales.data() : nullptr;
    const auto make = [&](int n_threads) {
      return n_outputs == 1
                 ? std::make_unique<LogitTargets>(bytes.data(), given, n, limits, n_threads)
                 : std::make_unique<LogitTargets>(labels.data(), given, n,
                                                  static_cast<int>(n_outputs), limits, n_threads);
    };
    const auto one = make(1), four = make(4);
    std::vector<double> decision(n * n_outputs, 0.0), weights(n * n_outputs), residuals(weights);
    for (double reach : {0.1, 4.0, 0.5, 60.0, 0.01, 300.0}) {
      logit_rows(decision.data(), wide.data(), scales.data(), n, n_outputs, limits, weights.data(),
                 residuals.data());
      const Problem problem = one->problem(), other = four->problem();
      const std::size_t n_channels = problem.n_channels();
      check(std::equal(problem.weights, problem.weights + n * n_channels, other.weights) &&
                problem.total_mass == other.total_mass,
            "threads do not change targets");
      bool is_near = true;
      std::vector<double> weight(n_outputs, 0.0), size(n_outputs, 0.0);
      Sum mass = 0;
      for (std::size_t i = 0; i < n; ++i) {
        mass += problem.mass_of(i);
        for (std::size_t k = 0; k < n_outputs; ++k) {
          const Sum packed = problem.weights[i * n_channels + k];
          const auto w = static_cast<double>(problem.packing.weight(packed));
          const auto p = static_cast<double>(problem.packing.numerator(packed));
          const std::size_t at = i * n_outputs + k;
          is_near &= w <= static_cast<double>(problem.largest_weight);
          is_near &= std::abs(w - std::ldexp(weights[at], one->weight_exponent())) <= 1.0;
          is_near &= std::abs(p - std::ldexp(residuals[at], one->numerator_exponent())) <= 0.75;
          weight[k] += w;
          size[k] += std::abs(p);
        }
      }
      check(is_near, "targets are residuals and curvatures in units");
      check(mass == problem.total_mass, "their squares are those of the rows");
      check(*std::max_element(weight.begin(), weight.end()) < 0x1p32 &&
                *std::max_element(size.begin(), size.end()) < 0x1p31,
            "sums fit into packed numbers");
      std::vector<double> values(5 * n_outputs);
      for (double& value : values) value = reach * draw(random, -1000, 1000) / 1000.0;
      std::vector<std::int32_t> nodes(n);
      for (auto& node : nodes) node = draw(random, 0, 4);
      for (std::size_t i = 0; i < n * n_outputs; ++i)
        decision[i] += values[nodes[i / n_outputs] * n_outputs + i % n_outputs];
      one->advance(values.data(), 5, nodes.data());
      four->advance(values.data(), 5, nodes.data());
    }
  }
}

}  // namespace frugalboost::testing
