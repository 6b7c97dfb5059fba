// LogitBoost's targets together with the NumPy arrays they look into.
#pragma once

#include <memory>

#include "bindings/support.hpp"
#include "core/rows/logit_targets.hpp"

namespace frugalboost {

class TargetsHolder {
 public:
  // Labels are bytes for two classes.
  TargetsHolder(nb::object labels, nb::object scales, int n_classes, double largest_response,
                double smallest_curvature, int n_threads);

  LogitTargets& get() { return *targets_; }
  void advance(Array<double, 2> values, Array<std::int32_t, 1> node_of_row);

 private:
  const double* read_scales(const nb::object& scales, std::size_t n);

  Array<std::uint8_t, 1> two_labels_;  // either these
  Array<Row, 1> labels_;               // or those
  Array<double, 1> scales_;
  std::unique_ptr<LogitTargets> targets_;
};

// Real targets as NumPy arrays: weights and numerators, (n, 2 K), and what every stride-th row adds
// to the squared error.
nb::ndarray<nb::numpy, Sum> unpacked_rows(const Problem& problem);
nb::ndarray<nb::numpy, Sum> squares_of_rows(const Problem& problem, std::size_t stride);

}  // namespace frugalboost
