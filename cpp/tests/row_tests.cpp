// What a round does to every row besides growing a tree.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/rows/logit_rows.hpp"
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
    const int exponent = 50 - std::ilogb(real_totals(weights.data(), numerators.data(), n).weight);
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

}  // namespace frugalboost::testing
