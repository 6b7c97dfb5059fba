// The loss of one cell, for each criterion and layout, computed from exact integer sums.
//
// Every loss is positively homogeneous and superadditive: loss(a + b) >= loss(a) + loss(b). That
// is Proposition 1 of the Quick Boost paper in general form: the best loss over some of the rows
// bounds the best loss over all from below. docs/exactness.md has the proofs.
//
// To add a criterion: write its loss of a K-class cell and of a two-class pair here, check that it
// is concave and homogeneous, name it in Criterion and in make_search, and add it to the reference.
// What compares features by something that is no such loss is a choice of its own among their best
// splits, and only exhaustive searches serve it: see gain_ratio.hpp.
//
// Terms are added in one fixed order so that every search computes the same double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/problem.hpp"
#include "core/histogram/wide_cells.hpp"

namespace frugalboost {

inline double as_double(Sum value) { return static_cast<double>(value); }

struct ErrorLoss {
  using Value = Sum;  // exact: no rounding anywhere, so ties are real ties
  static constexpr int growth = 1;
  static Value of_classes(const Sum* w, Sum total, int n) {
    if (n == 2) return std::min(w[0], w[1]);
    Sum heaviest = 0;
    for (int k = 0; k < n; ++k) heaviest = std::max(heaviest, w[k]);
    return total - heaviest;
  }
  static Value of_pair(Sum minus, Sum plus) { return std::min(minus, plus); }
};

struct GiniLoss {
  using Value = double;
  static constexpr int growth = 2;
  static Value of_classes(const Sum* w, Sum total, int n) {
    if (total == 0) return 0.0;
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += as_double(w[k]) * as_double(total - w[k]);
    return sum / as_double(total);
  }
  static Value of_pair(Sum minus, Sum plus) {
    const Sum total = minus + plus;
    return total == 0 ? 0.0 : ((2.0 * as_double(minus)) * as_double(plus)) / as_double(total);
  }
};

struct EntropyLoss {
  using Value = double;
  static constexpr int growth = 0;
  // w log(W / w) as log1p of the rest: no cancellation when one class holds nearly all.
  static double term(Sum part, Sum total) {
    if (part == 0) return 0.0;
    return as_double(part) * std::log1p(as_double(total - part) / as_double(part));
  }
  static Value of_classes(const Sum* w, Sum total, int n) {
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += term(w[k], total);
    return sum;
  }
  static Value of_pair(Sum minus, Sum plus) {
    return term(minus, minus + plus) + term(plus, minus + plus);
  }
};

// Within a feature, the split that saves the most entropy; among features, by gain_ratio.hpp.
struct GainRatioLoss : EntropyLoss {};

// Schapire and Singer's normaliser.
struct ZLoss {
  using Value = double;
  static constexpr int growth = 0;
  static double term(Sum a, Sum b) { return 2.0 * std::sqrt(as_double(a) * as_double(b)); }
  static Value of_classes(const Sum* w, Sum total, int n) {
    if (n == 2) return term(w[0], w[1]);
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += term(w[k], total - w[k]);
    return sum;
  }
  static Value of_pair(Sum minus, Sum plus) { return term(minus, plus); }
};

// Cells whose thresholds have a kernel of their own name it; the others have none.
using WideScanner = WideBest (*)(const WideScan&);

// A layout tells how a criterion reads a cell:
//   part(cell)            what one side contributes
//   split(l, r, mass)     loss of a split from both parts; for `mass` see RealCellOf
//   numerator / denominator  share by which categories are ordered
//   fixed_channels        channels of a cell if known at compile time, else 0
//   every_output_weighs   a row adds to the weight of every output, so one tells if a cell is empty
//   cancels               the loss of few rows is a difference of squares, so that its rounding
//   error
//                         is relative to the squares of all rows; see RealCellOf
//   growth                the most by which a loss grows for each unit of weight added;
//                         0: any amount
//   by_ratio              features are compared by gain ratio, for which no bounds hold
//   weight(cell)          of all outputs, for that ratio
// FixedK > 0 fixes the number of outputs at compile time so that the loops unroll.

template <class Loss, int FixedK>
struct ClassesCell {
  static constexpr WideScanner scanner = nullptr;
  using Value = typename Loss::Value;
  static constexpr int fixed_channels = FixedK;
  static constexpr bool cancels = false, every_output_weighs = false;
  static constexpr bool by_ratio = std::is_same_v<Loss, GainRatioLoss>;
  static constexpr int growth = Loss::growth;
  int dynamic_outputs;
  int n_outputs() const { return FixedK > 0 ? FixedK : dynamic_outputs; }
  int n_channels() const { return n_outputs(); }
  // Two classes need one order of the categories (Breiman's theorem); more need one per class.
  int n_orders() const { return n_outputs() == 2 ? 1 : n_outputs(); }

  Sum weight(const Sum* cell) const {
    Sum total = 0;
    for (int k = 0; k < n_outputs(); ++k) total += cell[k];
    return total;
  }
  Value part(const Sum* cell) const { return Loss::of_classes(cell, weight(cell), n_outputs()); }
  Value split(Value left, Value right, Sum) const { return left + right; }
  Value whole(Value part, Sum) const { return part; }
  Sum numerator(const Sum* cell, int order) const { return cell[n_outputs() == 2 ? 1 : order]; }
  Sum denominator(const Sum* cell, int) const { return weight(cell); }
};

template <class Loss>
struct VotesCell {
  static constexpr WideScanner scanner = std::is_same_v<Loss, ZLoss> ? scan_z : nullptr;
  using Value = typename Loss::Value;
  static constexpr int fixed_channels = 0;
  static constexpr bool cancels = false, every_output_weighs = true;
  static constexpr bool by_ratio = std::is_same_v<Loss, GainRatioLoss>;
  static constexpr int growth = Loss::growth;
  int dynamic_outputs;
  int n_outputs() const { return dynamic_outputs; }
  int n_channels() const { return 2 * n_outputs(); }
  int n_orders() const { return n_outputs(); }

  Sum weight(const Sum* cell) const {
    Sum total = 0;
    for (int k = 0; k < n_outputs(); ++k) total += cell[k];
    return total;
  }

  Value part(const Sum* cell) const {
    const int n = n_outputs();
    Value sum = 0;
    for (int k = 0; k < n; ++k) sum += Loss::of_pair(cell[k] - cell[n + k], cell[n + k]);
    return sum;
  }
  Value split(Value left, Value right, Sum) const { return left + right; }
  Value whole(Value part, Sum) const { return part; }
  Sum numerator(const Sum* cell, int order) const { return cell[n_outputs() + order]; }
  Sum denominator(const Sum* cell, int order) const { return cell[order]; }
};

// Weighted least squares, Q - sum P^2 / W, but for Q, the squares of all rows of the node, which
// are the same for every split. So a loss is minus a gain, and `mass` is minus the squares of the
// rows that were not looked at: 0 once all were.
template <int FixedK>
struct RealCellOf {
  static constexpr WideScanner scanner = FixedK == 1 ? scan_single : scan_real;
  using Value = double;
  static constexpr int fixed_channels = FixedK;
  static constexpr bool cancels = true, every_output_weighs = true, by_ratio = false;
  static constexpr int growth = 0;
  int dynamic_outputs;
  Packing packing;
  Sum largest_weight;

  int n_outputs() const { return FixedK > 0 ? FixedK : dynamic_outputs; }
  int n_channels() const { return n_outputs() == 1 ? 1 : n_outputs() + 1; }
  int n_orders() const { return n_outputs(); }

  // Cells count rows in a channel of their own, or in their weight if all rows weigh 1.
  bool tells_rows() const { return n_outputs() > 1 || largest_weight == 1; }
  Sum rows(const Sum* cell) const {
    return n_outputs() > 1 ? cell[n_outputs()] : packing.weight(cell[0]);
  }

  Value part(const Sum* cell) const {
    double gain = 0.0;
    for (int k = 0; k < n_outputs(); ++k) {
      const double p = as_double(packing.numerator(cell[k]));
      // Weights are at least one unit, so below 1 means no rows, and 0 / 1 is their gain.
      gain += (p * p) / as_double(std::max<Sum>(packing.weight(cell[k]), 1));
    }
    return gain;
  }
  Value split(Value left, Value right, Sum mass) const { return as_double(mass) - (left + right); }
  Value whole(Value part, Sum mass) const { return as_double(mass) - part; }
  Sum numerator(const Sum* cell, int order) const { return packing.numerator(cell[order]); }
  Sum denominator(const Sum* cell, int order) const { return packing.weight(cell[order]); }
};

// Any number of outputs; a single one, by far the most frequent, has its own compiled form.
struct RealCell : RealCellOf<0> {
  RealCell(int outputs, Packing packing, Sum largest_weight)
      : RealCellOf<0>{outputs, packing, largest_weight} {}
};

// The cell of a problem.
template <class Cell>
Cell cell_of(const Problem& problem) {
  if constexpr (Cell::cancels)
    return Cell{problem.n_outputs, problem.packing, problem.largest_weight};
  else
    return Cell{problem.n_outputs};
}

template <class Value>
constexpr Value no_loss() {  // larger than any loss
  return std::numeric_limits<Value>::has_infinity ? std::numeric_limits<Value>::infinity()
                                                  : std::numeric_limits<Value>::max();
}

}  // namespace frugalboost
