// Large pages for large arrays.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace frugalboost {

// Asks the system to back an array with large pages, before anything is written to it: there are
// fewer to be found on the first touch, which threads do one after the other, and later on fewer
// addresses to be translated. The system may have none; nothing depends on it.
inline void ask_for_large_pages([[maybe_unused]] void* memory,
                                [[maybe_unused]] std::size_t n_bytes) {
#if defined(MADV_HUGEPAGE)
  // Of an array that is written in part, a whole large page is backed where that ends: 2 MiB, which
  // is little beside so many bytes. With larger small pages, large ones have up to 512 MiB.
  constexpr std::size_t smallest = std::size_t{1} << 24, usual_page = 4096;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  if (n_bytes < smallest || page != usual_page) return;
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (at + page - 1) / page * page;
  const std::uintptr_t end = (at + n_bytes) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace frugalboost
