#include "tests/scarce_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace frugalboost::testing {
namespace {

// Relaxed throughout: what is counted here must not put threads in order for the sanitizer.
constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

std::atomic<std::size_t> first_refused{never}, last_refused{never}, n_asked{0}, n_held{0};

bool is_refused() {
  if (first_refused.load(relaxed) == never) return false;
  const std::size_t number = n_asked.fetch_add(1, relaxed) + 1;
  return first_refused.load(relaxed) <= number && number <= last_refused.load(relaxed);
}

void* allocate(std::size_t size, std::size_t alignment = 0) noexcept {
  if (is_refused()) return nullptr;
  size = std::max<std::size_t>(size, 1);
  void* piece = alignment == 0
                    ? std::malloc(size)
                    : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (piece != nullptr) n_held.fetch_add(1, relaxed);
  return piece;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment = 0) {
  void* piece = allocate(size, alignment);
  if (piece == nullptr) throw std::bad_alloc();
  return piece;
}

void release(void* piece) noexcept {
  if (piece == nullptr) return;
  n_held.fetch_sub(1, relaxed);
  std::free(piece);
}

}  // namespace

Shortage::Shortage(std::size_t number, bool lasts) {
  n_asked.store(0, relaxed);
  last_refused.store(lasts ? never : number, relaxed);
  first_refused.store(number, relaxed);
}

Shortage::~Shortage() { first_refused.store(never, relaxed); }

bool Shortage::is_felt() const { return n_asked.load(relaxed) >= first_refused.load(relaxed); }

std::size_t pieces_held() { return n_held.load(relaxed); }

}  // namespace frugalboost::testing

namespace scarce = frugalboost::testing;

// All of them: the sanitizers' own do not go together with these.
void* operator new(std::size_t size) { return scarce::allocate_or_throw(size); }
void* operator new[](std::size_t size) { return scarce::allocate_or_throw(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return scarce::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return scarce::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return scarce::allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return scarce::allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return scarce::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return scarce::allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* piece) noexcept { scarce::release(piece); }
void operator delete[](void* piece) noexcept { scarce::release(piece); }
void operator delete(void* piece, std::size_t) noexcept { scarce::release(piece); }
void operator delete[](void* piece, std::size_t) noexcept { scarce::release(piece); }
void operator delete(void* piece, std::align_val_t) noexcept { scarce::release(piece); }
void operator delete[](void* piece, std::align_val_t) noexcept { scarce::release(piece); }
void operator delete(void* piece, std::size_t, std::align_val_t) noexcept {
  scarce::release(piece);
}
void operator delete[](void* piece, std::size_t, std::align_val_t) noexcept {
  scarce::release(piece);
}
void operator delete(void* piece, const std::nothrow_t&) noexcept { scarce::release(piece); }
void operator delete[](void* piece, const std::nothrow_t&) noexcept { scarce::release(piece); }
void operator delete(void* piece, std::align_val_t, const std::nothrow_t&) noexcept {
  scarce::release(piece);
}
void operator delete[](void* piece, std::align_val_t, const std::nothrow_t&) noexcept {
  scarce::release(piece);
}
