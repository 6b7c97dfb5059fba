// Growing weights together with the NumPy arrays they look into.
#pragma once

#include <memory>

#include "bindings/class_labels.hpp"
#include "core/rows/growing_weights.hpp"

namespace frugalboost {

class WeightsHolder {
 public:
  WeightsHolder(nb::object labels, nb::object sample_weight, int n_classes, int n_threads);

  GrowingWeights& get() { return *weights_; }
  void reset();
  // Magnitudes, what the rows weigh, of every stride-th row.
  nb::ndarray<nb::numpy, Sum> mass(std::size_t stride) const;
  void advance(Array<double, 2> rise, Array<std::int32_t, 1> node_of_row);

 private:
  std::unique_ptr<GrowingWeights> make() const;

  ClassLabels labels_;
  RowNumbers sample_weight_;
  int n_threads_;
  std::unique_ptr<GrowingWeights> weights_;
};

// Throws unless `rise` has a column for each class.
void check_rise(const Array<double, 2>& rise, const GrowingWeights& weights);

}  // namespace frugalboost
