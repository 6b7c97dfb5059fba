// Growing weights together with the NumPy arrays they look into.
#pragma once

#include <memory>

#include "bindings/support.hpp"
#include "core/rows/growing_weights.hpp"

namespace frugalboost {

class WeightsHolder {
 public:
  // Labels are bytes for two classes.
  WeightsHolder(nb::object labels, nb::object sample_weight, int n_classes, int n_threads);

  GrowingWeights& get() { return *weights_; }
  // Magnitudes, what the rows weigh, of every stride-th row.
  nb::ndarray<nb::numpy, Sum> mass(std::size_t stride) const;
  void advance(Array<double, 2> rise, Array<std::int32_t, 1> node_of_row);

 private:
  const double* read_weights(const nb::object& sample_weight, std::size_t n);

  Array<std::uint8_t, 1> two_labels_;  // either these
  Array<Row, 1> labels_;               // or those
  Array<double, 1> sample_weight_;
  std::unique_ptr<GrowingWeights> weights_;
};

// Throws unless `rise` has a row for each node named by node_of_row and a column for each class.
void check_rise(const Array<double, 2>& rise, const GrowingWeights& weights);

}  // namespace frugalboost
