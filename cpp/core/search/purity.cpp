#include "core/search/purity.hpp"

#include <algorithm>

#include "core/base/kernel_parts.hpp"

namespace frugalboost {
namespace {

constexpr double unit_roundoff = 0x1p-53;

double relative_slack(const Problem& problem, int finest_terms) {
  return 4.0 * (2.0 * problem.n_outputs + finest_terms + 16.0) * unit_roundoff;
}

const Sum* values_at(const Problem& problem, const RowOrder& order, std::size_t i) {
  return problem.n_outputs == 1 ? order.weights() + i : order.values(i);
}

// What a leaf at its weighted means takes off the squares.
double gain_of(const Problem& problem, const std::vector<Sum>& totals) {
  double gain = 0.0;
  for (int k = 0; k < problem.n_outputs; ++k) {
    const double p = static_cast<double>(problem.packing.numerator(totals[k]));
    gain += (p * p) / static_cast<double>(std::max<Sum>(problem.packing.weight(totals[k]), 1));
  }
  return gain;
}

// The loss of two rows in one leaf, of one output.
FRUGALBOOST_PART double loss_of_pair(Packing packing, Sum a, Sum b) {
  const auto v = static_cast<double>(packing.weight(a));
  const auto w = static_cast<double>(packing.weight(b));
  const double cross =
      static_cast<double>(packing.numerator(a)) * w - static_cast<double>(packing.numerator(b)) * v;
  return cross * cross / (v * w * (v + w));
}

double loss_of_pair(const Problem& problem, const Sum* a, const Sum* b) {
  double loss = 0.0;
  for (int k = 0; k < problem.n_outputs; ++k) loss += loss_of_pair(problem.packing, a[k], b[k]);
  return loss;
}

// So many at a time that a small node need not be read to its end.
constexpr std::size_t pairs_at_once = 32;

// The losses of pairs of one output, each row with the one `pairs_at_once` behind it. Large nodes
// need many, by one thread while the others wait; vector instructions take them eight at a time.
FRUGALBOOST_CLONES
void find_losses(const Sum* rows, Packing packing, double* losses) {
  for (std::size_t i = 0; i < pairs_at_once; ++i)
    losses[i] = loss_of_pair(packing, rows[i], rows[i + pairs_at_once]);
}

// Whether pairs of rows lose more than the limit together.
bool pairs_exceed(const Problem& problem, const RowOrder& order, Range range, double limit) {
  double loss = 0.0;
  std::size_t i = range.begin;
  if (problem.n_outputs == 1)
    for (; i + 2 * pairs_at_once <= range.end; i += 2 * pairs_at_once) {
      double losses[pairs_at_once];
      find_losses(order.weights() + i, problem.packing, losses);
      for (double each : losses) loss += each;
      if (loss > limit) return true;
    }
  for (; i + 1 < range.end; i += 2) {
    loss += loss_of_pair(problem, values_at(problem, order, i), values_at(problem, order, i + 1));
    if (loss > limit) return true;
  }
  return false;
}

}  // namespace

double loss_slack(const Problem& problem, double squares, int finest_terms) {
  return relative_slack(problem, finest_terms) * squares;
}

int finest_terms_of(const Columns& columns, const std::vector<std::uint32_t>& features,
                    int n_orders) {
  int terms = 0;
  if (n_orders < 2) return terms;
  for (std::uint32_t f : features)
    if (columns.columns[f].is_categorical) terms = std::max(terms, columns.columns[f].n_codes());
  return terms;
}

Sum squares_of(const Problem& problem, const RowOrder& order, Range range) {
  Sum sum = 0;
  for (std::size_t i = range.begin; i < range.end; ++i)
    sum += problem.squares_of(values_at(problem, order, i));
  return sum;
}

// By superadditivity pairs of rows bound the loss from below, and nearly always a few tell that it
// is far from zero. Otherwise all squares are added up.
bool is_pure(const Problem& problem, const RowOrder& order, const Node& node, int finest_terms) {
  const double rounded_up = static_cast<double>(node.range.size()) * problem.n_outputs;
  const double gain = gain_of(problem, node.totals);
  // With a loss of at most rounded_up + slack * squares, squares are at most (gain + rounded_up) *
  // (1 + 2 slack). Pairs must be beyond what follows from that by more than their own rounding.
  const double slack = relative_slack(problem, finest_terms);
  const double limit = (rounded_up + 3.0 * slack * (gain + rounded_up)) * (1.0 + 0x1p-20);
  if (pairs_exceed(problem, order, node.range, limit)) return false;
  const auto squares = static_cast<double>(squares_of(problem, order, node.range));
  return squares - gain <= rounded_up + slack * squares;
}

}  // namespace frugalboost
