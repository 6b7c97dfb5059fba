// Residuals of least squares on rows of equal weight, as fixed-point numbers.
//
// A tree takes one number from all rows of a leaf. In integers that loses nothing, so next round's
// sums over any rows follow from this round's: sum' = sum - step * rows, leaf by leaf. The root's
// histograms are put together from those of the last tree's leaves in that way.
//
// What trees see has to fit into a packed number (packing.hpp) beside the count of rows. The
// residuals themselves are kept in units that are finer by far; every few rounds, and when they
// have become smaller, trees are shown them anew, and no rounding adds up.
#pragma once

#include <vector>

#include "core/base/problem.hpp"
#include "core/base/unfilled.hpp"

namespace frugalboost {

class Residuals {
 public:
  // `targets` (n), finite, must outlive the residuals; `start` is the prediction before any tree.
  Residuals(const double* targets, std::size_t n, double start, int n_threads = 1);
  Residuals(const Residuals&) = delete;
  Residuals& operator=(const Residuals&) = delete;

  // Back to the targets less the start.
  void reset(int n_threads = 1);

  // Each residual falls by values[node_of_row], rounded. `n_samples` counts the rows by node.
  void advance(const double* values, const std::int64_t* n_samples, std::size_t n_nodes,
               const std::int32_t* node_of_row, int n_threads = 1);

  std::size_t size() const { return packed_.size(); }
  // Each row weighs 1; its numerator is the residual * 2^exponent, rounded.
  const UnfilledVector<Sum>& packed() const { return packed_; }
  Packing packing() const { return packing_; }
  int exponent() const { return exponent_; }

  // What the last advance took, by node; empty if the scale changed with it.
  const std::vector<Sum>& steps() const { return steps_; }

  Problem problem() const;

 private:
  // Of what trees see.
  struct Totals {
    Sum packed = 0, squares = 0;
  };

  int bits() const;
  int exponent_for(int bits) const;
  bool fits(int bits) const;
  void choose_units(int bits);
  void take_units_down(int bits, int n_threads);
  void show_anew(std::vector<Totals>& totals, int n_threads);
  void step_down(std::vector<Sum>& steps, const std::int32_t* node_of_row,
                 std::vector<Totals>& totals, int n_threads);
  std::vector<Totals> room_for_totals(int n_threads) const;
  template <class Visit>
  void for_slices(std::vector<Totals>& totals, int n_threads, Visit&& visit);

  const double* targets_;
  double start_;
  Packing packing_;
  int fine_exponent_ = 0, exponent_ = 0;
  int age_ = 0;  // rounds since trees were shown the residuals anew
  Totals totals_;
  UnfilledVector<Sum> fine_, packed_;
  std::vector<Sum> steps_;
  Changes changes_;
};

}  // namespace frugalboost
