#include "core/histogram/wide_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/base/kernel_parts.hpp"

namespace frugalboost {
namespace {

// Half of a second-level cache of a megabyte.
constexpr std::size_t window_bytes = std::size_t{1} << 19;

// Calls use(n) with the channels of a row, as a constant where there are few: loops unroll then,
// and those of a row stay in registers.
template <class Use>
FRUGALBOOST_PART auto with_channels(std::size_t n, Use&& use) {
  switch (n) {
    case 3:
      return use(Fixed<3>{});
    case 4:
      return use(Fixed<4>{});
    case 6:
      return use(Fixed<6>{});
    case 8:
      return use(Fixed<8>{});
    case 10:
      return use(Fixed<10>{});
    case 14:
      return use(Fixed<14>{});
    case 20:
      return use(Fixed<20>{});
    default:
      return use(n);
  }
}

FRUGALBOOST_PART void add_channels(Sum* __restrict cell, const Sum* __restrict values,
                                   std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) cell[c] += values[c];
}

// Of so few numbers the compiler would make single ones.
template <class Vector>
FRUGALBOOST_PART void add_vector(Sum* cell, const Sum* values) {
  Vector sums, more;
  std::memcpy(&sums, cell, sizeof sums);
  std::memcpy(&more, values, sizeof more);
  sums += more;
  std::memcpy(cell, &sums, sizeof sums);
}

template <std::size_t N>
FRUGALBOOST_PART void add_channels(Sum* __restrict cell, const Sum* __restrict values, Fixed<N>) {
  using Four = Sum __attribute__((vector_size(32)));
  using Two = Sum __attribute__((vector_size(16)));
  for (std::size_t c = 0; c + 4 <= N; c += 4) add_vector<Four>(cell + c, values + c);
  if (N % 4 >= 2) add_vector<Two>(cell + N / 4 * 4, values + N / 4 * 4);
  if (N % 2 == 1) cell[N - 1] += values[N - 1];
}

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

FRUGALBOOST_PART float as_single(Sum value) { return static_cast<float>(value); }

// Sums of the terms of both sides in single precision. A term has at most six roundings and the
// sum one for each term more.
FRUGALBOOST_PART float rough_gain(const Sum* __restrict left, const Sum* __restrict right, int n,
                                  float* __restrict terms) {
  for (int k = 0; k < n; ++k) {
    const float p = as_single(left[n + k]), q = as_single(right[n + k]);
    terms[k] = (p * p) / as_single(std::max<Sum>(left[k], 1)) +
               (q * q) / as_single(std::max<Sum>(right[k], 1));
  }
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += terms[k];
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

// Calls judge() for every threshold with rows enough on both sides that is not hopeless(), lowest
// bin first. Weights are at least one unit, so the first channel tells whether a cell is empty.
template <class Hopeless, class Judge>
FRUGALBOOST_PART WideBest scan_thresholds(const WideScan& scan, Hopeless&& hopeless,
                                          Judge&& judge) {
  const std::size_t n_channels = 2 * static_cast<std::size_t>(scan.n_outputs);
  Sum* left = reinterpret_cast<Sum*>(scan.scratch);
  Sum* right = left + n_channels;
  double* terms = scan.scratch + 2 * n_channels;
  std::fill_n(left, n_channels, Sum{0});
  std::copy_n(scan.totals, n_channels, right);
  WideBest best;
  best.loss = scan.to_beat;
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
    if (hopeless(left, right, terms, best.loss)) continue;
    const double loss = judge(left, right, terms);
    if (best.bin >= 0 ? !(loss < best.loss) : !(loss <= best.loss)) continue;
    best.loss = loss;
    best.bin = bin;
  }
  return best;
}

}  // namespace

FRUGALBOOST_CLONES
std::size_t add_whole_block(const RowBlock& block, const WideRows& all_rows, Range range,
                            Sum* cells, std::uint32_t* counts) {
  const WideRows rows = all_rows;  // additions cannot change a copy: it is read once
  const std::uint32_t* starts = block.row_start.data();
  const std::uint16_t* entries = block.entries.data();
  std::size_t reads = 0;
  with_channels(rows.n, [&](auto n) FRUGALBOOST_LAMBDA {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::size_t row = rows.rows == nullptr ? i : rows.rows[i];
      const std::size_t begin = starts[row], end = starts[row + 1];
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
  if (block.n_codes <= window) return add_whole_block(block, rows, range, cells, counts);
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
std::size_t add_wide_window(const RowBlock& block, std::size_t first, std::size_t last,
                            const WideRows& rows, Range range, Sum* cells, std::uint32_t* counts) {
  const std::uint32_t* starts = block.row_start.data();
  const std::uint16_t* entries = block.entries.data();
  std::size_t reads = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t row = rows.rows == nullptr ? i : rows.rows[i];
    const std::uint16_t* end = entries + starts[row + 1];
    const std::uint16_t* entry = std::lower_bound(entries + starts[row], end, first);
    for (; entry < end && *entry < last; ++entry, ++reads) {
      add_row(rows, rows.n, row, *entry - first, cells);
      ++counts[*entry - first];
    }
  }
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
  for (std::size_t i = 0; i < n; ++i) rest[i] = whole[i] - part[i];
}

FRUGALBOOST_CLONES
WideBest scan_real(const WideScan& scan) {
  const int n = scan.n_outputs;
  const double mass = as_number(scan.mass);
  const double rounding = mass / (std::int64_t{1} << 50), error = 1.0 + rough_error(n);
  return scan_thresholds(
      scan,
      [=](const Sum* left, const Sum* right, double* terms, double loss) FRUGALBOOST_LAMBDA {
        const double gain = rough_gain(left, right, n, reinterpret_cast<float*>(terms));
        return gain * error + rounding < mass - loss;
      },
      [=](const Sum* left, const Sum* right, double* terms) FRUGALBOOST_LAMBDA {
        real_terms(left, n, terms);
        real_terms(right, n, terms + n);
        return mass - (in_order(terms, n) + in_order(terms + n, n));
      });
}

// Thresholds with rows enough on both sides: those from `first` to before `last`.
struct Allowed {
  int first, last;
};

FRUGALBOOST_PART Allowed allowed_bins(const WideScan& scan) {
  Allowed bins{0, scan.n_bins - 1};
  if (scan.counts == nullptr || scan.smallest < 2) return bins;
  std::size_t n_left = 0, n_right = 0;
  while (bins.first < bins.last && (n_left += scan.counts[bins.first]) < scan.smallest)
    ++bins.first;
  while (bins.last > bins.first && (n_right += scan.counts[bins.last]) < scan.smallest) --bins.last;
  return bins;
}

// All thresholds at once in single precision, then in full those that may be the best.
FRUGALBOOST_CLONES
WideBest scan_single(const WideScan& scan) {
  const Allowed bins = allowed_bins(scan);
  WideBest best;
  best.loss = scan.to_beat;
  if (bins.first >= bins.last) return best;
  Sum* weight = reinterpret_cast<Sum*>(scan.scratch);
  Sum* numerator = weight + scan.n_bins;
  float* rough = reinterpret_cast<float*>(numerator + scan.n_bins);
  const Sum all_weight = scan.totals[0], all_numerator = scan.totals[1];
  Sum w = 0, p = 0;
  for (int bin = 0; bin < bins.last; ++bin) {
    weight[bin] = w += scan.cells[2 * bin];
    numerator[bin] = p += scan.cells[2 * bin + 1];
  }
  for (int bin = bins.first; bin < bins.last; ++bin) {
    const float left = as_single(numerator[bin]);
    const float right = as_single(all_numerator - numerator[bin]);
    rough[bin] = (left * left) / as_single(std::max<Sum>(weight[bin], 1)) +
                 (right * right) / as_single(std::max<Sum>(all_weight - weight[bin], 1));
  }
  const double mass = as_number(scan.mass), error = 1.0 + rough_error(1);
  const double rounding = mass / (std::int64_t{1} << 50);
  // What a rough gain must reach; a little lower than need be, so that it may be rounded.
  const auto limit = [=](double loss) FRUGALBOOST_LAMBDA {
    return static_cast<float>((mass - loss - rounding) / error * (1.0 - rough_error(1)));
  };
  float least = limit(best.loss);
  for (int bin = bins.first; bin < bins.last; ++bin) {
    if (rough[bin] < least) continue;
    if (scan.cells[2 * bin] == 0 || weight[bin] == all_weight) continue;
    const double left = as_number(numerator[bin]),
                 right = as_number(all_numerator - numerator[bin]);
    const double gain = (left * left) / as_number(weight[bin]) +
                        (right * right) / as_number(all_weight - weight[bin]);
    const double loss = mass - gain;
    if (best.bin >= 0 ? !(loss < best.loss) : !(loss <= best.loss)) continue;
    best.loss = loss;
    best.bin = bin;
    least = limit(loss);
  }
  return best;
}

FRUGALBOOST_CLONES
WideBest scan_z(const WideScan& scan) {
  const int n = scan.n_outputs;
  const double error = 1.0 - rough_error(n);
  return scan_thresholds(
      scan,
      [=](const Sum* left, const Sum* right, double* terms, double loss) FRUGALBOOST_LAMBDA {
        return rough_z(left, right, n, reinterpret_cast<float*>(terms)) * error > loss;
      },
      [=](const Sum* left, const Sum* right, double* terms) FRUGALBOOST_LAMBDA {
        z_terms(left, n, terms);
        z_terms(right, n, terms + n);
        return in_order(terms, n) + in_order(terms + n, n);
      });
}

}  // namespace frugalboost
