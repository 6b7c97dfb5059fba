#include "core/histogram/wide_cells.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/histogram/channels.hpp"

namespace frugalboost {
namespace {

// Half of a second-level cache of a megabyte.
constexpr std::size_t window_bytes = std::size_t{1} << 19;

template <class Width>
FRUGALBOOST_PART void add_row(const WideRows& rows, Width n, std::size_t row, std::size_t code,
                              Sum* cells) {
  const Sum* values = rows.values + row * n;
  if (rows.labels == nullptr) return add_channels(cells + code * n, values, n);
  Sum* cell = cells + code * 2 * n;
  add_channels(cell, values, n);
  const Row label = rows.labels[row];
  cell[n + label] += values[label];
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

template <class Outputs>
FRUGALBOOST_PART double gain_in_order(const Sum* __restrict cell, Packing packing, Outputs n,
                                      double* __restrict terms) {
  for (std::size_t k = 0; k < n; ++k) {
    const double p = as_number(packing.numerator(cell[k]));
    terms[k] = (p * p) / as_number(std::max<Sum>(packing.weight(cell[k]), 1));
  }
  return in_order(terms, static_cast<int>(n));
}

FRUGALBOOST_PART void z_terms(const Sum* __restrict cell, int n, double* __restrict terms) {
  for (int k = 0; k < n; ++k)
    terms[k] = 2.0 * std::sqrt(as_number(cell[k] - cell[n + k]) * as_number(cell[n + k]));
}

FRUGALBOOST_PART float as_single(Sum value) { return static_cast<float>(value); }

// Sums of the terms of both sides in single precision. A term has at most six roundings and the
// sum one for each term more.
template <class Outputs>
FRUGALBOOST_PART float rough_gain(const Sum* __restrict left, const Sum* __restrict right,
                                  Packing packing, Outputs n, float* __restrict terms) {
  for (std::size_t k = 0; k < n; ++k) {
    const float p = as_single(packing.numerator(left[k])),
                q = as_single(packing.numerator(right[k]));
    terms[k] = (p * p) / as_single(std::max<Sum>(packing.weight(left[k]), 1)) +
               (q * q) / as_single(std::max<Sum>(packing.weight(right[k]), 1));
  }
  float sum = 0.0f;
  for (std::size_t k = 0; k < n; ++k) sum += terms[k];
  return sum;
}

FRUGALBOOST_PART float rough_z(const Sum* __restrict left, const Sum* __restrict right, int n,
                               float* __restrict terms) {
  for (int k = 0; k < n; ++k) {
    const float a = as_single(left[k] - left[n + k]) * as_single(left[n + k]);
    const float b = as_single(right[k] - right[n + k]) * as_single(right[n + k]);
    terms[k] = std::sqrt(a) + std::sqrt(b);
  }
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += terms[k];
  return 2.0f * sum;
}

// More than the relative error of either: 2^-24 for each rounding, and as much again.
FRUGALBOOST_PART double rough_error(int n) { return (2.0 * n + 16.0) / (std::int64_t{1} << 23); }

}  // namespace

FRUGALBOOST_CLONES
std::size_t add_wide_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                             const WideRows& all_rows, Range range, Sum* cells,
                             std::uint32_t* counts) {
  const WideRows rows = all_rows;  // additions cannot change a copy: it is read once
  std::size_t reads = 0;
  with_channels(rows.n, [&](auto n) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t row = rows.rows == nullptr ? i : rows.rows[i];
      const std::size_t begin = row_start[row], end = row_start[row + 1];
      for (std::size_t e = begin; e < end; ++e) add_row(rows, n, row, entries[e], cells);
      if (counts != nullptr)
        for (std::size_t e = begin; e < end; ++e) ++counts[entries[e]];
      reads += end - begin;
    }
  });
  return reads;
}

// The cells of a block may be many times the cache, so they are filled a window of codes at a time:
// entries ascend within a row, and each row goes on where it stopped.
FRUGALBOOST_CLONES
std::size_t add_wide_block(const RowBlock& block, const WideRows& rows, Range range, Sum* cells,
                           std::uint32_t* counts) {
  const std::size_t cell_bytes = rows.n * (rows.labels == nullptr ? 1 : 2) * sizeof(Sum);
  const std::size_t window = std::max<std::size_t>(256, window_bytes / cell_bytes);
  const std::uint32_t* starts = block.row_start.data();
  const std::uint16_t* entries = block.entries.data();
  if (block.n_codes <= window) return add_wide_entries(starts, entries, rows, range, cells, counts);
  const std::size_t n = range.size();
  std::vector<std::uint32_t> next(n);
  std::size_t reads = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = rows.rows == nullptr ? range.begin + i : rows.rows[range.begin + i];
    next[i] = starts[row];
    reads += starts[row + 1] - starts[row];
  }
  with_channels(rows.n, [&](auto n_channels) FRUGALBOOST_LAMBDA {
    for (std::size_t last = window; last < block.n_codes + window; last += window) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = rows.rows == nullptr ? range.begin + i : rows.rows[range.begin + i];
        std::uint32_t e = next[i];
        for (; e < starts[row + 1] && entries[e] < last; ++e) {
          add_row(rows, n_channels, row, entries[e], cells);
          if (counts != nullptr) ++counts[entries[e]];
        }
        next[i] = e;
      }
    }
  });
  return reads;
}

FRUGALBOOST_CLONES
void add_wide_codes(const std::uint8_t* codes, const WideRows& rows, Range range, Sum* cells) {
  with_channels(rows.n, [&](auto n) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t row = rows.rows == nullptr ? i : rows.rows[i];
      add_row(rows, n, row, codes[row], cells);
    }
  });
}

FRUGALBOOST_CLONES
void subtract_cells(const Sum* whole, const Sum* part, std::size_t n, Sum* rest) {
  for (std::size_t i = 0; i < n; ++i) rest[i] = wrapped_difference(whole[i], part[i]);
}

namespace {

// Both sides of the threshold that moves, of cells of `n_channels`.
struct Sides {
  Sides(const WideScan& scan, std::size_t n_channels)
      : left(scan.scratch->sums.room_for(2 * n_channels)), right(left + n_channels) {
    std::fill_n(left, n_channels, Sum{0});
    std::copy_n(scan.totals, n_channels, right);
  }
  Sum *left, *right;
};

FRUGALBOOST_PART bool is_better(double loss, const WideBest& best) {
  return best.bin >= 0 ? loss < best.loss : loss <= best.loss;
}

template <class Outputs>
FRUGALBOOST_PART WideBest scan_outputs(const WideScan& scan, Outputs n) {
  const std::size_t n_channels = n + 1;
  const Sum smallest = static_cast<Sum>(scan.smallest);
  const double mass = as_number(scan.mass), error = 1.0 + rough_error(static_cast<int>(n));
  const Sides sides(scan, n_channels);
  float* rough = scan.scratch->rough.room_for(n);
  double* terms = scan.scratch->terms.room_for(n);
  WideBest best;
  best.loss = scan.to_beat;
  for (int bin = 0; bin < scan.n_bins - 1; ++bin) {
    const Sum* cell = scan.cells + bin * n_channels;
    if (cell[n] == 0) continue;
    move_left(cell, sides.left, sides.right, n_channels);
    if (sides.left[n] < smallest) continue;
    if (sides.right[n] < smallest) break;
    const double most = rough_gain(sides.left, sides.right, scan.packing, n, rough) * error;
    if (most < mass - best.loss) continue;
    const double left = gain_in_order(sides.left, scan.packing, n, terms);
    const double loss = mass - (left + gain_in_order(sides.right, scan.packing, n, terms));
    if (is_better(loss, best)) best = {loss, bin, true};
  }
  return best;
}

}  // namespace

FRUGALBOOST_CLONES
WideBest scan_real(const WideScan& scan) {
  switch (scan.n_outputs) {
    case 3:
      return scan_outputs(scan, Fixed<3>{});
    case 7:
      return scan_outputs(scan, Fixed<7>{});
    case 10:
      return scan_outputs(scan, Fixed<10>{});
    default:
      return scan_outputs(scan, static_cast<std::size_t>(scan.n_outputs));
  }
}

namespace {

// Thresholds with rows enough on both sides: those from `first` to before `last`.
struct Allowed {
  int first, last;
};

FRUGALBOOST_PART Allowed allowed_bins(const WideScan& scan) {
  Allowed bins{0, scan.n_bins - 1};
  if (scan.counts == nullptr) return bins;
  std::size_t n_left = 0, n_right = 0;
  while (bins.first < bins.last && (n_left += scan.counts[bins.first]) < scan.smallest)
    ++bins.first;
  while (bins.last > bins.first && (n_right += scan.counts[bins.last]) < scan.smallest) --bins.last;
  return bins;
}

}  // namespace

// All thresholds at once in single precision, then in full those that may be the best.
FRUGALBOOST_CLONES
WideBest scan_single(const WideScan& scan) {
  const Allowed bins = allowed_bins(scan);
  WideBest best;
  best.loss = scan.to_beat;
  if (bins.first >= bins.last) return best;
  Sum* sums = scan.scratch->sums.room_for(scan.n_bins);
  float* rough = scan.scratch->rough.room_for(scan.n_bins);
  const Packing packing = scan.packing;
  const Sum all = scan.totals[0], all_weight = packing.weight(all);
  Sum sum = 0;
  for (int bin = 0; bin < bins.last; ++bin) sums[bin] = sum += scan.cells[bin];
  for (int bin = bins.first; bin < bins.last; ++bin) {
    const Sum rest = all - sums[bin];
    const float left = as_single(packing.numerator(sums[bin]));
    const float right = as_single(packing.numerator(rest));
    rough[bin] = (left * left) / as_single(std::max<Sum>(packing.weight(sums[bin]), 1)) +
                 (right * right) / as_single(std::max<Sum>(packing.weight(rest), 1));
  }
  const double mass = as_number(scan.mass), error = 1.0 + rough_error(1);
  // What a rough gain must reach; a little lower than need be, so that it may be rounded.
  const auto limit = [=](double loss) FRUGALBOOST_LAMBDA {
    return static_cast<float>((mass - loss) / error * (1.0 - rough_error(1)));
  };
  // Where rows are counted, one row is enough for the weights.
  const Sum smallest = scan.counts != nullptr ? 1 : static_cast<Sum>(scan.smallest);
  float least = limit(best.loss);
  for (int bin = bins.first; bin < bins.last; ++bin) {
    if (rough[bin] < least || scan.cells[bin] == 0) continue;
    const Sum weight = packing.weight(sums[bin]), rest = all_weight - weight;
    const Sum lighter = std::min(weight, rest);
    if (lighter < smallest) continue;
    const double left = as_number(packing.numerator(sums[bin]));
    const double right = as_number(packing.numerator(all - sums[bin]));
    const double loss =
        mass - ((left * left) / as_number(weight) + (right * right) / as_number(rest));
    if (!is_better(loss, best)) continue;
    best = {loss, bin, scan.counts != nullptr || lighter >= scan.sure_weight};
    least = limit(loss);
  }
  return best;
}

// Votes.
FRUGALBOOST_CLONES
WideBest scan_z(const WideScan& scan) {
  const int n = scan.n_outputs;
  const std::size_t n_channels = 2 * static_cast<std::size_t>(n);
  const double error = 1.0 - rough_error(n);
  const Sides sides(scan, n_channels);
  float* rough = scan.scratch->rough.room_for(n);
  double* terms = scan.scratch->terms.room_for(n_channels);
  WideBest best;
  best.loss = scan.to_beat;
  std::size_t n_left = 0, n_rows = 0;
  if (scan.counts != nullptr)
    for (int bin = 0; bin < scan.n_bins; ++bin) n_rows += scan.counts[bin];
  for (int bin = 0; bin < scan.n_bins - 1; ++bin) {
    const Sum* cell = scan.cells + bin * n_channels;
    // Weights are at least one unit, so the first channel tells whether a cell is empty.
    if (scan.counts != nullptr ? scan.counts[bin] == 0 : cell[0] == 0) continue;
    move_left(cell, sides.left, sides.right, n_channels);
    if (sides.right[0] == 0) break;
    if (scan.counts != nullptr) {
      n_left += scan.counts[bin];
      if (n_left < scan.smallest) continue;
      if (n_rows - n_left < scan.smallest) break;
    }
    if (rough_z(sides.left, sides.right, n, rough) * error > best.loss) continue;
    z_terms(sides.left, n, terms);
    z_terms(sides.right, n, terms + n);
    const double loss = in_order(terms, n) + in_order(terms + n, n);
    if (is_better(loss, best)) best = {loss, bin, true};
  }
  return best;
}

}  // namespace frugalboost
