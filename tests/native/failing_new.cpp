// Preloaded into a Python process: the k-th `operator new` that the extension asks for fails, and
// what it has asked for and not given back is counted. Others, of Python and of other libraries,
// are served as ever.
#include <link.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::uintptr_t> code_begin{0}, code_end{0};  // of the extension
std::atomic<long> left{0}, asked{0}, n_blocks{0}, n_bytes{0};
std::atomic<bool> is_armed{false};

int find_extension(dl_phdr_info* library, std::size_t, void*) {
  if (std::strstr(library->dlpi_name, "frugalboost/_core") == nullptr) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    code_begin = library->dlpi_addr + part.p_vaddr;
    code_end = code_begin + part.p_memsz;
  }
  return 1;
}

bool is_ours(void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  return code_begin <= address && address < code_end;
}

// The last bytes of a block say whose it is: no list of blocks, so no lock that threads wait for.
struct Mark {
  explicit Mark(void* block)
      : size(malloc_usable_size(block)),
        place(static_cast<char*>(block) + size - sizeof ours),
        ours(reinterpret_cast<std::uintptr_t>(block) ^ 0x5bd1e995a3c59ac3u) {}

  void write(bool is_ours) const {
    const std::uintptr_t value = is_ours ? ours : 0;
    std::memcpy(place, &value, sizeof value);
  }
  bool says_ours() const { return std::memcmp(place, &ours, sizeof ours) == 0; }

  std::size_t size;
  char* place;
  std::uintptr_t ours;
};

void count(const Mark& mark, int change) {
  n_blocks += change;
  n_bytes += change * static_cast<long>(mark.size);
}

void* serve(std::size_t size, std::size_t alignment, void* caller) {
  const bool ours = is_ours(caller);
  if (ours && is_armed.load()) {
    ++asked;
    if (--left == 0) return nullptr;
  }
  if (size > SIZE_MAX / 2) return nullptr;
  size += sizeof(Mark::ours);
  void* block = alignment == 0 ? std::malloc(size)
                               : std::aligned_alloc(alignment, (size + alignment - 1) / alignment *
                                                                   alignment);
  if (block == nullptr) return nullptr;
  const Mark mark(block);
  mark.write(ours);
  if (ours) count(mark, 1);
  return block;
}

void* serve_or_throw(std::size_t size, std::size_t alignment, void* caller) {
  void* block = serve(size, alignment, caller);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void take_back(void* block) {
  if (block == nullptr) return;
  const Mark mark(block);
  if (mark.says_ours()) {
    count(mark, -1);
    mark.write(false);
  }
  std::free(block);
}

}  // namespace

// Counts from here on; returns whether the extension is there.
extern "C" int watch() { return dl_iterate_phdr(find_extension, nullptr); }

extern "C" void fail_at(long k) {
  asked = 0;
  left = k;
  is_armed = true;
}

extern "C" long stop_failing() {
  is_armed = false;
  return asked;
}

extern "C" long blocks_held() { return n_blocks; }
extern "C" long bytes_held() { return n_bytes; }

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

using Size = std::size_t;
using Align = std::align_val_t;
using Nothrow = std::nothrow_t;

void* operator new(Size size) { return serve_or_throw(size, 0, CALLER); }
void* operator new[](Size size) { return serve_or_throw(size, 0, CALLER); }
void* operator new(Size size, Align alignment) {
  return serve_or_throw(size, static_cast<Size>(alignment), CALLER);
}
void* operator new[](Size size, Align alignment) {
  return serve_or_throw(size, static_cast<Size>(alignment), CALLER);
}
void* operator new(Size size, const Nothrow&) noexcept { return serve(size, 0, CALLER); }
void* operator new[](Size size, const Nothrow&) noexcept { return serve(size, 0, CALLER); }

void operator delete(void* block) noexcept { take_back(block); }
void operator delete[](void* block) noexcept { take_back(block); }
void operator delete(void* block, Size) noexcept { take_back(block); }
void operator delete[](void* block, Size) noexcept { take_back(block); }
void operator delete(void* block, Align) noexcept { take_back(block); }
void operator delete[](void* block, Align) noexcept { take_back(block); }
void operator delete(void* block, Size, Align) noexcept { take_back(block); }
void operator delete[](void* block, Size, Align) noexcept { take_back(block); }
void operator delete(void* block, const Nothrow&) noexcept { take_back(block); }
void operator delete[](void* block, const Nothrow&) noexcept { take_back(block); }
