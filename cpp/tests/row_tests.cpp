// What a round does to every row besides growing a tree.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/rows/logit_rows.hpp"
#include "core/rows/logit_targets.hpp"
#include "core/rows/pair_rows.hpp"
#include "core/rows/real_rows.hpp"
#include "core/rows/row_updates.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {

// From scores of any number of classes to integers and their mass, as one row alone would have
// them.
void test_round_of_rows(Random& random) {
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
                   static_cast<PairWeight>(kind), 256.0, pairs.data());
    const int exponent =
        30 - std::ilogb(real_totals(weights.data(), numerators.data(), n_rows, n_outputs).weight);
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
  for (std::size_t n_outputs : {1, 3, 7, 11}) {
    // Some rows, or enough for four threads.
    const bool is_large = n_outputs <= 3;
    const auto n =
        static_cast<std::size_t>(is_large ? draw(random, 20'000, 25'000) : draw(random, 1, 9000));
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
