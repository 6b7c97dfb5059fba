// Vectors that are made without zeros, so that each thread is the first to touch what it writes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/base/large_pages.hpp"

namespace frugalboost {

template <class Value>
struct UnfilledAllocator : std::allocator<Value> {
  UnfilledAllocator() = default;
  template <class Other>
  UnfilledAllocator(const UnfilledAllocator<Other>&) {}
  template <class Other>
  struct rebind {
    using other = UnfilledAllocator<Other>;
  };

  Value* allocate(std::size_t n) {
    Value* memory = std::allocator<Value>::allocate(n);
    ask_for_large_pages(memory, n * sizeof(Value));
    return memory;
  }

  template <class Other>
  void construct(Other* at) {
    ::new (static_cast<void*>(at)) Other;
  }
  template <class Other, class... Arguments>
  void construct(Other* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) Other(std::forward<Arguments>(arguments)...);
  }
};

template <class Value>
using UnfilledVector = std::vector<Value, UnfilledAllocator<Value>>;

}  // namespace frugalboost
