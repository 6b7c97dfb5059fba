// Residuals together with the NumPy array of targets they look into.
#pragma once

#include "bindings/support.hpp"
#include "core/rows/residuals.hpp"

namespace frugalboost {

class ResidualsHolder {
 public:
  ResidualsHolder(Array<double, 1> targets, double start);

  Residuals& get() { return residuals_; }
  void advance(Array<double, 1> values, Array<std::int32_t, 1> node_of_row);

 private:
  Array<double, 1> targets_;
  Residuals residuals_;
};

}  // namespace frugalboost
