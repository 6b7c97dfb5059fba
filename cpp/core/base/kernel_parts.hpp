// What kernels that are compiled for several instruction sets are made of.
#pragma once

#include <cstddef>

#include "core/base/dispatch.hpp"

// Inlined into each version of the function that calls it.
#define FRUGALBOOST_PART inline __attribute__((always_inline))
#define FRUGALBOOST_LAMBDA __attribute__((always_inline))

namespace frugalboost {

// A number that is known when a kernel is compiled, for functions that also take one that is not.
template <std::size_t N>
struct Fixed {
  constexpr operator std::size_t() const { return N; }
};

}  // namespace frugalboost
