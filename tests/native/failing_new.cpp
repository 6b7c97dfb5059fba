// Preloaded into a Python process: the k-th `operator new` that the extension asks for fails.
// Smaller ones than `at_least` bytes do not count. Others, of Python and of other libraries, are
// served as ever.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<long> left{0}, asked{0};
std::atomic<std::size_t> smallest{0};
std::atomic<bool> is_armed{false};

bool is_ours(void* caller) {
  Dl_info found;
  return dladdr(caller, &found) != 0 && found.dli_fname != nullptr &&
         std::strstr(found.dli_fname, "frugalboost/_core") != nullptr;
}

void* serve(std::size_t size, std::size_t alignment, void* caller) {
  if (is_armed.load() && size >= smallest.load() && is_ours(caller)) {
    ++asked;
    if (--left == 0) return nullptr;
  }
  if (size == 0) size = 1;
  if (alignment == 0) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* serve_or_throw(std::size_t size, std::size_t alignment, void* caller) {
  void* piece = serve(size, alignment, caller);
  if (piece == nullptr) throw std::bad_alloc();
  return piece;
}

}  // namespace

extern "C" void fail_at(long k, std::size_t at_least) {
  smallest = at_least;
  asked = 0;
  left = k;
  is_armed = true;
}

extern "C" long stop_failing() {
  is_armed = false;
  return asked;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

void* operator new(std::size_t size) { return serve_or_throw(size, 0, CALLER); }
void* operator new[](std::size_t size) { return serve_or_throw(size, 0, CALLER); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return serve_or_throw(size, static_cast<std::size_t>(alignment), CALLER);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return serve_or_throw(size, static_cast<std::size_t>(alignment), CALLER);
}
