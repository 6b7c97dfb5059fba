// The weighted problem that one tree must fit.
#pragma once

#include "core/base/packing.hpp"
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
  // Classes (n); votes (n, K); real (n, channels): K packed pairs, and a 1 behind them if K > 1, so
  // that cells count their rows.
  const Sum* weights = nullptr;
  const Sum* mass = nullptr;         // votes: sum_k w_k; else not needed
  const Changes* changes = nullptr;  // if somebody keeps track of them

  // Real targets.
  Packing packing;
  Sum largest_weight =
      1;                // of a row and output; 1: all rows weigh the same, and weights count them
  Sum total_mass = -1;  // of all rows; -1: not known
  const Sum* totals = nullptr;  // of all rows, by channel; null: not known

  // For two stages: how many rows at the front of the order given hold most of the weight; 0 if
  // nobody knows, which leaves nothing to prune. Problems with the same version, unless 0, have the
  // same rows at the front.
  std::size_t n_heavy = 0;
  std::uint64_t heavy_version = 0;

  // For histograms of two classes only: a cell holds w_1 - w_0 in a single channel.
  bool signed_cells = false;

  bool is_two_classes() const { return layout == Layout::classes && n_outputs == 2; }
  int n_channels() const {
    switch (layout) {
      case Layout::classes:
        return n_outputs;
      case Layout::votes:
        return 2 * n_outputs;
      default:
        return n_outputs == 1 ? 1 : n_outputs + 1;
    }
  }
  // Sums of a node as users see them: real targets unpacked, weights before numerators.
  int n_sums() const { return layout == Layout::classes ? n_outputs : 2 * n_outputs; }
  int cell_channels() const { return signed_cells ? 1 : n_channels(); }

  // What a row can add to a loss.
  Sum mass_of(std::size_t row) const {
    if (layout == Layout::votes) return mass[row];
    if (layout == Layout::classes) return weights[row] < 0 ? -weights[row] : weights[row];
    return squares_of(weights + row * n_channels());
  }

  // Of the values of a row of real targets.
  Sum squares_of(const Sum* values) const {
    Sum sum = 0;
    for (int k = 0; k < n_outputs; ++k)
      sum += square_share(packing.numerator(values[k]), packing.weight(values[k]));
    return sum;
  }
};

}  // namespace frugalboost
