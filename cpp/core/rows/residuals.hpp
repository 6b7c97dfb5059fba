// Residuals of least squares on rows of equal weight, as fixed-point numbers.
//
// A tree takes one number from all rows of a leaf. In integers that loses nothing, so next round's
// sums over any rows follow from this round's: sum' = sum - step * rows, leaf by leaf. The root's
// histograms are put together from those of the last tree's leaves in that way.
#pragma once

#include <vector>

#include "core/base/problem.hpp"

namespace frugalboost {

class Residuals {
 public:
  // `targets` (n), finite, must outlive the residuals; `start` is the prediction before any tree.
  Residuals(const double* targets, std::size_t n, double start);
  Residuals(const Residuals&) = delete;
  Residuals& operator=(const Residuals&) = delete;

  // Back to the targets less the start.
  void reset();

  // Each residual falls by values[node_of_row], rounded. `n_samples` counts the rows by node.
  void advance(const double* values, const std::int64_t* n_samples, std::size_t n_nodes,
               const std::int32_t* node_of_row, int n_threads = 1);

  std::size_t size() const { return fixed_.size(); }
  // Integer = number * 2^exponent, rounded.
  const std::vector<Sum>& fixed() const { return fixed_; }
  int exponent() const { return exponent_; }
  // Every row weighs 1, which is this power of two.
  int weight_exponent() const { return weight_exponent_; }

  // What the last advance took, by node; empty if the scale changed with it.
  const std::vector<Sum>& steps() const { return steps_; }

  Problem problem() const;

 private:
  int bits() const;
  bool fits(int bits) const;
  void choose_exponent(int bits);
  void take_exponent_down(int bits);

  const double* targets_;
  double start_;
  int exponent_ = 0, weight_exponent_;
  Sum mass_ = 0;  // squares of all residuals
  std::vector<Sum> fixed_, steps_;
  Changes changes_;
};

}  // namespace frugalboost
