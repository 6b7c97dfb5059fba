// Names shared by the whole core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

namespace frugalboost {

// A sum of fixed-point weights. Integer addition commutes, so a sum taken in any order, in any
// chunks, by any number of threads is the same number.
using Sum = std::int64_t;
using Row = std::uint32_t;

// Sums that may leave the range of numbers, because nobody reads them then.
inline Sum wrapped_sum(Sum a, Sum b) {
  return static_cast<Sum>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline Sum wrapped_product(Sum a, Sum b) {
  return static_cast<Sum>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
inline Sum wrapped_difference(Sum a, Sum b) {
  return static_cast<Sum>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// Part of a range, all parts being as large.
inline Range part_of(Range range, std::size_t part, std::size_t n_parts) {
  return {range.begin + range.size() * part / n_parts,
          range.begin + range.size() * (part + 1) / n_parts};
}

// What a histogram cell holds for K outputs; see docs/exactness.md.
//   classes: [w_0 .. w_{K-1}], one weight per row, added at the row's label
//   votes:   [T_0 .. T_{K-1}, P_0 .. P_{K-1}], K weights per row, P at the row's label only
//   real:    [W_0 P_0 .. W_{K-1} P_{K-1}], K weights and K numerators per row, packed in pairs:
//            packing.hpp; the number of rows behind them if K > 1
enum class Layout : std::int8_t { classes, votes, real };

enum class Criterion : std::int8_t { error, gini, entropy, z, variance, gain_ratio };

enum class SearchKind : std::int8_t {
  exhaustive,
  quick,
  adaptive,
  incremental,
  two_stage,
  ap_boost
};

// Their names in the same order, which is all that Python knows of them.
constexpr const char* layout_names[] = {"classes", "votes", "real"};
constexpr const char* criterion_names[] = {"error", "gini",     "entropy",
                                           "z",     "variance", "gain_ratio"};
constexpr const char* search_names[] = {"exhaustive",  "quick",     "adaptive",
                                        "incremental", "two_stage", "ap_boost"};
constexpr int n_layouts = 3, n_criteria = 6, n_searches = 6;
static_assert(static_cast<int>(Layout::real) + 1 == n_layouts &&
              std::size(layout_names) == n_layouts);
static_assert(static_cast<int>(Criterion::gain_ratio) + 1 == n_criteria &&
              std::size(criterion_names) == n_criteria);
static_assert(static_cast<int>(SearchKind::ap_boost) + 1 == n_searches &&
              std::size(search_names) == n_searches);

// Called now and then from the calling thread; throws to abandon the work.
using Poll = std::function<void()>;

}  // namespace frugalboost
