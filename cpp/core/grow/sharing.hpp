// Whether several nodes are searched sooner by a thread each than one after the other by all
// threads. What a node takes is measured in threads worth waking: see SplitSearch::worth.
#pragma once

#include <cstddef>
#include <vector>

namespace frugalboost {

struct Sharing {
  int n_threads;
  double eagerness = 1.0;  // any is correct: 0 shares nothing, a large one whatever it can

  // For nodes of these costs.
  bool pays(const std::vector<double>& costs) const;

 private:
  double time_alone(double cost) const;
};

}  // namespace frugalboost
