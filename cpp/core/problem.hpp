// The weighted problem that one tree must fit.
#pragma once

#include "core/types.hpp"

namespace frugalboost {

struct Problem {
  Layout layout = Layout::classes;
  int n_outputs = 2;  // K
  std::size_t n_rows = 0;
  const Row* labels = nullptr;   // classes, votes: (n), below n_outputs
  const Sum* weights = nullptr;  // classes (n); votes (n, K); real (n, 2K) as [W.., P..]
  const Sum* mass = nullptr;     // (n): classes w, votes sum_k w_k, real q >= sum_k p_k^2 / w_k

  int n_channels() const { return layout == Layout::classes ? n_outputs : 2 * n_outputs; }
};

}  // namespace frugalboost
