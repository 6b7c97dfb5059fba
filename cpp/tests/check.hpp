// Counts what holds and says what does not.
#pragma once

#include <cstdio>

namespace frugalboost::testing {

inline int n_failed = 0, n_passed = 0;

inline void check(bool holds, const char* what) {
  holds ? ++n_passed : ++n_failed;
  if (!holds) std::printf("failed: %s\n", what);
}

}  // namespace frugalboost::testing
