#include "core/histogram/rough_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/histogram/rough_kernels.hpp"

namespace frugalboost {
namespace {

using namespace rough;

template <class Half>
FRUGALBOOST_PART float half_z(const Rough* __restrict cell, Half half, float* __restrict terms) {
  for (std::size_t k = 0; k < half; ++k)
    terms[k] = std::sqrt(static_cast<float>(cell[k]) * static_cast<float>(cell[half + k]));
  float sums[4] = {};
  for (std::size_t k = 0; k < half; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += terms[k + lane];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class Code>
FRUGALBOOST_PART void add_codes(const Code* codes, const RoughRows& rows, Range range,
                                Rough* cells) {
  with_half(rows.half, [&](auto half) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t row = row_at(rows, i), width = 2 * half;
      add(rows.values + row * width, width, cells + codes[row] * width);
    }
  });
}

// Sums of one side while thresholds move, the totals, and room for terms.
template <class Half>
class Scanner {
 public:
  FRUGALBOOST_PART Scanner(const RoughScan& scan, Half half, Rough* sums, float* terms, float limit)
      : scan_(scan),
        half_(half),
        near_(sums),
        far_(near_ + 2 * half),
        kept_(far_ + 2 * half),
        terms_(terms),
        lowest_(std::numeric_limits<float>::infinity()),
        limit_(limit) {}

  // Thresholds behind each of `n` bins from `first` on, `step` being 1 or -1. Eight at a time: all
  // of them have on the near side at least what was there before, and on the far side at least
  // what is there after them.
  FRUGALBOOST_PART void run(int first, int step, int n) {
    constexpr int together = 8;
    const std::size_t width = 2 * half_;
    std::fill_n(near_, width, Rough{0});
    float before = 0.0f;
    for (int begin = 0; begin < n; begin += together) {
      const int end = std::min(n, begin + together);
      std::copy_n(near_, width, kept_);
      for (int i = begin; i < end; ++i) add(cell(first + step * i), width, near_);
      subtract(scan_.totals, near_, width, far_);
      const float after = half_z(near_, half_, terms_);
      if (before + half_z(far_, half_, terms_) <= limit_) {
        std::copy_n(kept_, width, near_);
        one_by_one(first + step * begin, step, end - begin);
      }
      before = after;
    }
  }

  float lowest() const { return lowest_; }

 private:
  const Rough* cell(int bin) const {
    return scan_.cells + static_cast<std::size_t>(bin) * (2 * half_);
  }

  FRUGALBOOST_PART void one_by_one(int first, int step, int n) {
    const std::size_t width = 2 * half_;
    for (int i = 0; i < n; ++i) {
      add(cell(first + step * i), width, near_);
      subtract(scan_.totals, near_, width, far_);
      const float z = half_z(near_, half_, terms_) + half_z(far_, half_, terms_);
      lowest_ = std::min(lowest_, z);
      limit_ = std::min(limit_, z);
    }
  }

  const RoughScan& scan_;
  Half half_;
  Rough *near_, *far_, *kept_;
  float* terms_;
  float lowest_, limit_;
};

}  // namespace

FRUGALBOOST_CLONES
void round_down(const VoteRows& votes, const Row* rows, Range range, int shift, std::size_t half,
                Rough* values) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows == nullptr ? i : rows[i];
    const Sum* weights = votes.weights + row * votes.n_outputs;
    Rough* out = values + row * 2 * half;
    for (std::size_t k = 0; k < votes.n_outputs; ++k)
      out[k] = static_cast<Rough>(weights[k] >> shift);
    std::fill(out + votes.n_outputs, out + 2 * half, Rough{0});
    std::swap(out[votes.labels[row]], out[half + votes.labels[row]]);
  }
}

FRUGALBOOST_CLONES
std::size_t add_rough_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                              const RoughRows& rows, Range range, Rough* cells) {
  // Rows of a node lie apart: ask for what they hold ahead of time.
  constexpr std::size_t ahead = 8;
  std::size_t reads = 0;
  with_half(rows.half, [&](auto half) FRUGALBOOST_LAMBDA {
    const std::size_t width = 2 * half;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (rows.rows != nullptr && i + 2 * ahead < range.end) {
        __builtin_prefetch(row_start + rows.rows[i + 2 * ahead]);
        const std::size_t soon = rows.rows[i + ahead];
        __builtin_prefetch(entries + row_start[soon]);
        __builtin_prefetch(rows.values + soon * width);
        __builtin_prefetch(rows.values + soon * width + 16);
      }
      const std::size_t row = row_at(rows, i);
      const std::size_t begin = row_start[row], end = row_start[row + 1];
      for (std::size_t e = begin; e < end; ++e)
        add(rows.values + row * width, width, cells + entries[e] * width);
      reads += end - begin;
    }
  });
  return reads;
}

FRUGALBOOST_CLONES
void add_rough_codes(const std::uint8_t* codes, const RoughRows& rows, Range range, Rough* cells) {
  add_codes(codes, rows, range, cells);
}

FRUGALBOOST_CLONES
void add_rough_codes(const std::uint16_t* codes, const RoughRows& rows, Range range, Rough* cells) {
  add_codes(codes, rows, range, cells);
}

FRUGALBOOST_CLONES
void add_rough_totals(const RoughRows& rows, Range range, Rough* cell) {
  for (std::size_t i = range.begin; i < range.end; ++i)
    add(rows.values + row_at(rows, i) * 2 * rows.half, 2 * rows.half, cell);
}

FRUGALBOOST_CLONES
void subtract_rough(const Rough* whole, const Rough* part, std::size_t n, Rough* rest) {
  for (std::size_t i = 0; i < n; ++i) rest[i] = whole[i] - part[i];
}

FRUGALBOOST_CLONES
float lowest_rough_z(const RoughScan& scan, float limit) {
  constexpr std::size_t usual = 16;
  Rough few_sums[6 * usual];
  float few_terms[usual];
  const std::size_t n = scan.half > usual ? scan.half : 0;
  std::vector<Rough> many_sums(6 * n);
  std::vector<float> many_terms(n);
  Rough* sums = n == 0 ? few_sums : many_sums.data();
  float* terms = n == 0 ? few_terms : many_terms.data();
  return with_half(scan.half, [&](auto half) FRUGALBOOST_LAMBDA {
    Scanner<decltype(half)> scanner(scan, half, sums, terms, limit);
    const int rest = scan.rest_code < 0 ? scan.n_bins - 1 : scan.rest_code;
    scanner.run(0, 1, std::min(rest, scan.n_bins - 1));
    // The threshold behind a bin has that bin on its lower side.
    scanner.run(scan.n_bins - 1, -1, scan.n_bins - 1 - rest);
    return scanner.lowest();
  });
}

}  // namespace frugalboost
