// The weighted problem that one tree must fit.
#pragma once

#include "core/base/types.hpp"
#include "core/rows/squares.hpp"

namespace frugalboost {

// What the last step of boosting did to the weights of a problem.
struct Changes {
  // Past this share of changed rows, adding all rows in order is as fast; then none are listed.
  static constexpr double largest_share = 0.6;

  const void* source = nullptr;  // whose weights they are
  std::uint64_t version = 0;     // counts the steps
  bool all = true;               // every weight may be new; the rest is not filled in
  const Row* rows = nullptr;     // otherwise: the rows whose weight is new
  const Sum* amounts = nullptr;  // by how much, in the order of `rows`, signed as the weights are
  std::size_t n = 0;
};

struct Problem {
  Layout layout = Layout::classes;
  int n_outputs = 2;  // K
  std::size_t n_rows = 0;
  // Classes and votes: (n), below n_outputs. Two classes need none: the weight of a row of class 0
  // is stored with a minus sign, so that a row is one number.
  const Row* labels = nullptr;
  const Sum* weights = nullptr;  // classes (n); votes (n, K); real (n, 2K) as [W.., P..]
  const Sum* mass = nullptr;     // votes: sum_k w_k; real: q >= sum_k p_k^2 / w_k; else not needed
  const Changes* changes = nullptr;  // if somebody keeps track of them

  // Real targets of one output: the weight of every row if that is the same power of two, else 0.
  // Counts of rows can then be told from the sums of their weights.
  Sum equal_weight = 0;

  // Only with equal_weight: `weights` (n) holds nothing but numerators, and `mass` is null. The
  // sum of all masses is here instead.
  bool only_numerators = false;
  Sum total_mass = 0;

  // For two stages: how many rows at the front of the order given hold most of the weight; 0 if
  // nobody knows, which leaves nothing to prune. Problems with the same version, unless 0, have the
  // same rows at the front.
  std::size_t n_heavy = 0;
  std::uint64_t heavy_version = 0;

  // For histograms of two classes only: a cell holds w_1 - w_0 in a single channel.
  bool signed_cells = false;

  bool is_two_classes() const { return layout == Layout::classes && n_outputs == 2; }
  int n_channels() const { return layout == Layout::classes ? n_outputs : 2 * n_outputs; }
  int cell_channels() const { return signed_cells ? 1 : n_channels(); }

  // What a row can add to a loss.
  Sum mass_of(Row row) const {
    if (only_numerators) return sum_squares(weights + row, 1, equal_weight);
    if (layout != Layout::classes) return mass[row];
    return weights[row] < 0 ? -weights[row] : weights[row];
  }
};

}  // namespace frugalboost
