// Residuals together with the NumPy array of targets they look into.
#pragma once

#include <memory>

#include "bindings/support.hpp"
#include "core/rows/residuals.hpp"

namespace frugalboost {

class ResidualsHolder {
 public:
  ResidualsHolder(Array<double, 1> targets, double start, int n_threads);

  Residuals& get() { return *residuals_; }
  int n_threads() const { return n_threads_; }
  void reset();
  void advance(Array<double, 1> values, Array<std::int32_t, 1> node_of_row);

 private:
  Array<double, 1> targets_;
  int n_threads_;
  std::unique_ptr<Residuals> residuals_;
};

}  // namespace frugalboost
