#include "core/wide_cells.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dispatch.hpp"

namespace frugalboost {
namespace {

// Half of a second-level cache of a megabyte.
constexpr std::size_t window_bytes = std::size_t{1} << 19;

// Inlined into each version of the function that calls it.
#define FRUGALBOOST_PART inline __attribute__((always_inline))

FRUGALBOOST_PART void add_channels(Sum* __restrict cell, const Sum* __restrict values,
                                   std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) cell[c] += values[c];
}

FRUGALBOOST_PART void add_row(const WideRows& rows, std::size_t row, std::size_t code, Sum* cells) {
  const Sum* values = rows.values + row * rows.n;
  if (rows.labels == nullptr) return add_channels(cells + code * rows.n, values, rows.n);
  Sum* cell = cells + code * 2 * rows.n;
  add_channels(cell, values, rows.n);
  const Row label = rows.labels[row];
  cell[rows.n + label] += values[label];
}

FRUGALBOOST_PART void move_left(const Sum* __restrict cell, Sum* __restrict left,
                                Sum* __restrict right, std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) {
    left[c] += cell[c];
    right[c] -= cell[c];
  }
}

FRUGALBOOST_PART double in_order(const double* terms, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += terms[k];
  return sum;
}

FRUGALBOOST_PART double as_number(Sum value) { return static_cast<double>(value); }

FRUGALBOOST_PART void real_terms(const Sum* __restrict cell, int n, double* __restrict terms) {
  for (int k = 0; k < n; ++k) {
    const double p = as_number(cell[n + k]);
    terms[k] = (p * p) / as_number(std::max<Sum>(cell[k], 1));
  }
}

FRUGALBOOST_PART void z_terms(const Sum* __restrict cell, int n, double* __restrict terms) {
  for (int k = 0; k < n; ++k)
    terms[k] = 2.0 * std::sqrt(as_number(cell[k] - cell[n + k]) * as_number(cell[n + k]));
}

// Calls judge() for every threshold with rows enough on both sides, lowest bin first. Weights are
// at least one unit, so the first channel tells whether a cell is empty.
template <class Judge>
FRUGALBOOST_PART WideBest scan_thresholds(const WideScan& scan, Judge&& judge) {
  const std::size_t n_channels = 2 * static_cast<std::size_t>(scan.n_outputs);
  Sum* left = reinterpret_cast<Sum*>(scan.scratch);
  Sum* right = left + n_channels;
  double* terms = scan.scratch + 2 * n_channels;
  std::fill_n(left, n_channels, Sum{0});
  std::copy_n(scan.totals, n_channels, right);
  WideBest best;
  std::size_t n_left = 0, n_rows = 0;
  if (scan.counts != nullptr)
    for (int bin = 0; bin < scan.n_bins; ++bin) n_rows += scan.counts[bin];
  for (int bin = 0; bin < scan.n_bins - 1; ++bin) {
    const Sum* cell = scan.cells + bin * n_channels;
    if (scan.counts != nullptr ? scan.counts[bin] == 0 : cell[0] == 0) continue;
    move_left(cell, left, right, n_channels);
    if (right[0] == 0) break;
    if (scan.counts != nullptr) {
      n_left += scan.counts[bin];
      if (n_left < scan.smallest) continue;
      if (n_rows - n_left < scan.smallest) break;
    }
    const double loss = judge(left, right, terms);
    if (best.bin >= 0 && !(loss < best.loss)) continue;
    best.loss = loss;
    best.bin = bin;
  }
  return best;
}

}  // namespace

// The cells of a block may be many times the cache, so they are filled a window of codes at a time:
// entries ascend within a row, and each row goes on where it stopped.
FRUGALBOOST_CLONES
std::size_t add_wide_block(const RowBlock& block, const WideRows& rows, Range range, Sum* cells,
                           std::uint32_t* counts) {
  const std::size_t cell_bytes = rows.n * (rows.labels == nullptr ? 1 : 2) * sizeof(Sum);
  const std::size_t window = std::max<std::size_t>(256, window_bytes / cell_bytes);
  const std::uint32_t* starts = block.row_start.data();
  const std::uint16_t* entries = block.entries.data();
  const std::size_t n = range.size();
  std::vector<std::uint32_t> next(n);
  std::size_t reads = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = rows.rows == nullptr ? range.begin + i : rows.rows[range.begin + i];
    next[i] = starts[row];
    reads += starts[row + 1] - starts[row];
  }
  for (std::size_t last = window; last < block.n_codes + window; last += window) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = rows.rows == nullptr ? range.begin + i : rows.rows[range.begin + i];
      std::uint32_t e = next[i];
      for (; e < starts[row + 1] && entries[e] < last; ++e) {
        add_row(rows, row, entries[e], cells);
        if (counts != nullptr) ++counts[entries[e]];
      }
      next[i] = e;
    }
  }
  return reads;
}

FRUGALBOOST_CLONES
void add_wide_codes(const std::uint8_t* codes, const WideRows& rows, Range range, Sum* cells) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows.rows == nullptr ? i : rows.rows[i];
    add_row(rows, row, codes[row], cells);
  }
}

FRUGALBOOST_CLONES
void subtract_cells(const Sum* whole, const Sum* part, std::size_t n, Sum* rest) {
  for (std::size_t i = 0; i < n; ++i) rest[i] = whole[i] - part[i];
}

FRUGALBOOST_CLONES
WideBest scan_real(const WideScan& scan) {
  const int n = scan.n_outputs;
  const double mass = as_number(scan.mass);
  return scan_thresholds(scan, [n, mass](const Sum* left, const Sum* right, double* terms)
                                   __attribute__((always_inline)) {
                                     real_terms(left, n, terms);
                                     real_terms(right, n, terms + n);
                                     return mass - (in_order(terms, n) + in_order(terms + n, n));
                                   });
}

FRUGALBOOST_CLONES
WideBest scan_z(const WideScan& scan) {
  const int n = scan.n_outputs;
  return scan_thresholds(
      scan, [n](const Sum* left, const Sum* right, double* terms) __attribute__((always_inline)) {
        z_terms(left, n, terms);
        z_terms(right, n, terms + n);
        return in_order(terms, n) + in_order(terms + n, n);
      });
}

}  // namespace frugalboost
