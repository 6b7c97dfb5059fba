// LogitBoost's targets together with the NumPy arrays they look into.
#pragma once

#include <memory>

#include "bindings/class_labels.hpp"
#include "core/rows/logit_targets.hpp"

namespace frugalboost {

class TargetsHolder {
 public:
  TargetsHolder(nb::object labels, nb::object scales, int n_classes, double largest_response,
                double smallest_curvature, int n_threads);

  LogitTargets& get() { return *targets_; }
  int n_threads() const { return n_threads_; }
  void reset();
  void advance(Array<double, 2> values, Array<std::int32_t, 1> node_of_row);

 private:
  std::unique_ptr<LogitTargets> make(LogitLimits limits) const;

  ClassLabels labels_;
  RowNumbers scales_;
  int n_threads_;
  std::unique_ptr<LogitTargets> targets_;
};

// Real targets as NumPy arrays: weights and numerators, (n, 2 K), and what every stride-th row adds
// to the squared error.
nb::ndarray<nb::numpy, Sum> unpacked_rows(const Problem& problem, int n_threads);
nb::ndarray<nb::numpy, Sum> squares_of_rows(const Problem& problem, std::size_t stride,
                                            int n_threads);

}  // namespace frugalboost
