// Room for values that are written before they are read.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/large_pages.hpp"

namespace frugalboost {

// Unlike a vector it is never filled with zeros, which takes time and makes the system back every
// page, and it holds nothing while it grows: there are never two copies. Room that nobody writes to
// takes no memory.
template <class Value>
class Scratch {
 public:
  static_assert(std::is_trivially_default_constructible_v<Value>);

  Scratch() = default;
  // A copy has room of its own, when it is asked for: nothing is kept from use to use.
  Scratch(const Scratch&) {}
  Scratch& operator=(const Scratch&) { return *this; }
  // What was moved from has no room.
  Scratch(Scratch&& other) noexcept
      : values_(std::move(other.values_)), capacity_(std::exchange(other.capacity_, 0)) {}
  Scratch& operator=(Scratch&& other) noexcept {
    values_ = std::move(other.values_);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  // Room for n values; what it held is gone if that is more than before.
  Value* room_for(std::size_t n) {
    if (n > capacity_) {
      values_.reset();
      capacity_ = 0;
      values_.reset(new Value[n]);
      ask_for_large_pages(values_.get(), n * sizeof(Value));
      capacity_ = n;
    }
    return values_.get();
  }

  Value& operator[](std::size_t i) { return values_[i]; }
  const Value& operator[](std::size_t i) const { return values_[i]; }
  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }

 private:
  std::unique_ptr<Value[]> values_;
  std::size_t capacity_ = 0;
};

}  // namespace frugalboost
