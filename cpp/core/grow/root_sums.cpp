#include "core/grow/root_sums.hpp"

#include <vector>

#include "core/base/dispatch.hpp"
#include "core/histogram/accumulate.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

struct SignedSums {
  Sum difference, mass;
};

FRUGALBOOST_CLONES
SignedSums sum_signed(const Sum* weights, std::size_t n) {
  Sum difference = 0, mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    difference += weights[i];
    mass += weights[i] < 0 ? -weights[i] : weights[i];
  }
  return {difference, mass};
}

}  // namespace

void sum_rows(const Problem& problem, const RowOrder& order, int n_threads, Node& node) {
  if (problem.is_two_classes()) {
    const std::size_t n = node.range.size();
    const std::size_t n_slices = slices_worth(n, rows_worth_a_thread, n_threads);
    std::vector<SignedSums> sums(n_slices);
    parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
      sums[slice] = sum_signed(order.weights() + node.range.begin + begin, end - begin);
    });
    Sum difference = 0, mass = 0;
    for (const SignedSums& part : sums) difference += part.difference, mass += part.mass;
    node.mass = mass;
    node.totals = {(mass - difference) / 2, (mass + difference) / 2};
    return;
  }
  if (problem.totals != nullptr && node.range.size() == problem.n_rows) {
    node.totals.assign(problem.totals, problem.totals + problem.n_channels());
    return;
  }
  node.totals.assign(problem.n_channels(), 0);
  Accumulator(problem, order).add_rows(node.range, node.totals.data());
  if (problem.layout == Layout::real) return;
  for (std::size_t i = node.range.begin; i < node.range.end; ++i)
    node.mass += problem.mass_of(order.row(i));
}

}  // namespace frugalboost
