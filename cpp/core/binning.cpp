#include "core/binning.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <type_traits>

#include "core/sort_doubles.hpp"
#include "core/thresholds.hpp"

namespace frugalboost {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kGatherBytes = std::size_t{64} << 20;  // bound of a thread's column buffer
constexpr std::uint64_t kTableSize = 65536;  // widest range of integers handled by a table

// ------------------------------------------------------------------------- one column at a time

// Buffers of one thread, kept from column to column.
struct Scratch {
  std::vector<std::uint64_t> keys, spare;
  std::vector<std::uint64_t> counts;
  std::vector<std::uint16_t> table;
  std::vector<char> gathered;
};

template <class T>
bool is_missing(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

template <class T>
Distinct distinct_by_sorting(const T* values, std::size_t n, Scratch& scratch) {
  scratch.keys.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_missing(values[i])) scratch.keys.push_back(to_key(static_cast<double>(values[i])));
  }
  radix_sort(scratch.keys, scratch.spare);
  Distinct distinct;
  for (std::size_t i = 0, from = 0; i < scratch.keys.size(); from = i) {
    while (i < scratch.keys.size() && scratch.keys[i] == scratch.keys[from]) ++i;
    distinct.push(from_key(scratch.keys[from]), i - from);
  }
  return distinct;
}

// Integers from `low` to `high`, few enough for a table indexed by value - low.
template <class T>
struct IntegerRange {
  T low, high;
  std::uint64_t size;
  bool fits_table;

  IntegerRange(const T* values, std::size_t n) : low(values[0]), high(values[0]) {
    for (std::size_t i = 1; i < n; ++i) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    size = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);  // minus one
    // A table much longer than the column would cost more than it saves.
    fits_table = size < kTableSize && size < 8 * static_cast<std::uint64_t>(n) + 256;
    ++size;
  }

  std::size_t index(T value) const {
    return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low);
  }
  double value(std::size_t index) const {
    return static_cast<double>(static_cast<T>(static_cast<std::uint64_t>(low) + index));
  }
};

template <class T>
Distinct distinct_values(const T* values, std::size_t n, Scratch& scratch) {
  if constexpr (std::is_integral_v<T>) {
    if (n == 0) return {};
    const IntegerRange<T> range(values, n);
    if (range.fits_table) {
      scratch.counts.assign(range.size, 0);
      for (std::size_t i = 0; i < n; ++i) ++scratch.counts[range.index(values[i])];
      Distinct distinct;
      for (std::size_t i = 0; i < range.size; ++i) {
        if (scratch.counts[i]) distinct.push(range.value(i), scratch.counts[i]);
      }
      return distinct;
    }
  }
  return distinct_by_sorting(values, n, scratch);
}

// Bins of a column of `values` and `n_zeros` more zeros.
template <class T>
ColumnBins bins_of(const T* values, std::size_t n, std::size_t n_zeros, std::size_t max_bins,
                   Scratch& scratch) {
  ColumnBins bins;
  for (std::size_t i = 0; i < n && !bins.has_missing; ++i) bins.has_missing = is_missing(values[i]);
  Distinct distinct = distinct_values(values, n, scratch);
  distinct.add_zeros(n_zeros);
  bins.thresholds = make_thresholds(distinct, max_bins, bins.has_missing);
  return bins;
}

// Number of thresholds below x, without a branch that depends on x.
std::size_t bin_of(double x, const double* thresholds, std::size_t n) {
  const double* base = thresholds;
  while (n > 1) {
    const std::size_t half = n / 2;
    base += half * static_cast<std::size_t>(base[half - 1] < x);
    n -= half;
  }
  return (base - thresholds) + (n == 1 && *base < x ? 1 : 0);
}

template <class T, class Code>
void encode_column(const T* values, std::size_t n, const double* thresholds,
                   std::size_t n_thresholds, Code* codes, Scratch& scratch) {
  if constexpr (std::is_integral_v<T>) {
    if (n == 0) return;
    const IntegerRange<T> range(values, n);
    if (range.fits_table) {
      scratch.table.resize(range.size);
      for (std::size_t i = 0, bin = 0; i < range.size; ++i) {
        while (bin < n_thresholds && thresholds[bin] < range.value(i)) ++bin;
        scratch.table[i] = static_cast<std::uint16_t>(bin);
      }
      for (std::size_t i = 0; i < n; ++i) {
        codes[i] = static_cast<Code>(scratch.table[range.index(values[i])]);
      }
      return;
    }
  }
  const Code missing = static_cast<Code>(n_thresholds + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t bin = bin_of(static_cast<double>(values[i]), thresholds, n_thresholds);
    codes[i] = is_missing(values[i]) ? missing : static_cast<Code>(bin);
  }
}

// ------------------------------------------------------------------------------- many columns

template <class Body>
void with_type(Scalar type, Body&& body) {
  switch (type) {
    case Scalar::f32:
      return body(float{});
    case Scalar::f64:
      return body(double{});
    case Scalar::i8:
      return body(std::int8_t{});
    case Scalar::i16:
      return body(std::int16_t{});
    case Scalar::i32:
      return body(std::int32_t{});
    case Scalar::i64:
      return body(std::int64_t{});
    case Scalar::u8:
      return body(std::uint8_t{});
    case Scalar::u16:
      return body(std::uint16_t{});
    case Scalar::u32:
      return body(std::uint32_t{});
    case Scalar::u64:
      return body(std::uint64_t{});
  }
}

// Runs body(i, scratch) for all i; an exception (out of memory) must not leave a parallel region,
// so the first one is kept and thrown afterwards.
template <class Body>
void for_each(std::size_t n, int n_threads, Body&& body) {
  std::exception_ptr error;
#pragma omp parallel num_threads(n_threads)
  {
    Scratch scratch;
#pragma omp for schedule(dynamic)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i) {
      try {
        body(static_cast<std::size_t>(i), scratch);
      } catch (...) {
#pragma omp critical(frugalboost_binning_error)
        if (!error) error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

// Neighbouring columns of one part, read together: in a row-major matrix they share cache lines.
struct Panel {
  const MatrixView* part;
  std::size_t first;  // inside the part
  std::size_t n_columns;
  std::size_t first_number;  // through all parts
};

std::size_t item_size(Scalar type) {
  std::size_t size = 0;
  with_type(type, [&](auto zero) { size = sizeof zero; });
  return size;
}

std::size_t panel_width(const MatrixView& part) {
  const std::size_t size = item_size(part.type);
  if (part.row_stride == static_cast<std::ptrdiff_t>(size)) return 1;  // read in place
  const std::size_t affordable = kGatherBytes / (size * part.n_rows + 1);
  return std::max<std::size_t>(1, std::min(kCacheLine / size, affordable));
}

std::vector<Panel> make_panels(const std::vector<MatrixView>& parts) {
  std::vector<Panel> panels;
  std::size_t number = 0;
  for (const MatrixView& part : parts) {
    const std::size_t width = panel_width(part);
    for (std::size_t first = 0; first < part.n_columns; first += width) {
      panels.push_back({&part, first, std::min(width, part.n_columns - first), number + first});
    }
    number += part.n_columns;
  }
  return panels;
}

// Copies a panel to `out`, column after column, in tiles of rows that stay in the first cache.
template <class T>
void gather(const Panel& panel, T* out) {
  constexpr std::size_t kTile = 64;
  const MatrixView& part = *panel.part;
  for (std::size_t from = 0; from < part.n_rows; from += kTile) {
    const std::size_t to = std::min(from + kTile, part.n_rows);
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const char* column =
          part.data + static_cast<std::ptrdiff_t>(panel.first + c) * part.column_stride;
      for (std::size_t r = from; r < to; ++r) {
        out[c * part.n_rows + r] =
            *reinterpret_cast<const T*>(column + static_cast<std::ptrdiff_t>(r) * part.row_stride);
      }
    }
  }
}

// Calls body(number, values) with each column of the panel as contiguous values.
template <class T, class Body>
void visit_columns(const Panel& panel, Scratch& scratch, Body&& body) {
  const MatrixView& part = *panel.part;
  if (part.row_stride == static_cast<std::ptrdiff_t>(sizeof(T))) {
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      const char* column =
          part.data + static_cast<std::ptrdiff_t>(panel.first + c) * part.column_stride;
      body(panel.first_number + c, reinterpret_cast<const T*>(column));
    }
    return;
  }
  scratch.gathered.resize(panel.n_columns * part.n_rows * sizeof(T));
  T* gathered = reinterpret_cast<T*>(scratch.gathered.data());
  gather(panel, gathered);
  for (std::size_t c = 0; c < panel.n_columns; ++c) {
    body(panel.first_number + c, gathered + c * part.n_rows);
  }
}

std::size_t total_columns(const std::vector<MatrixView>& parts) {
  std::size_t total = 0;
  for (const MatrixView& part : parts) total += part.n_columns;
  return total;
}

}  // namespace

std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads) {
  std::vector<ColumnBins> bins(total_columns(parts));
  const std::vector<Panel> panels = make_panels(parts);
  for_each(panels.size(), n_threads, [&](std::size_t i, Scratch& scratch) {
    with_type(panels[i].part->type, [&](auto zero) {
      using T = decltype(zero);
      visit_columns<T>(panels[i], scratch, [&](std::size_t j, const T* values) {
        bins[j] = bins_of(values, panels[i].part->n_rows, 0, max_bins, scratch);
      });
    });
  });
  return bins;
}

void encode(const std::vector<MatrixView>& parts, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads) {
  const std::vector<Panel> panels = make_panels(parts);
  for_each(panels.size(), n_threads, [&](std::size_t i, Scratch& scratch) {
    with_type(panels[i].part->type, [&](auto zero) {
      using T = decltype(zero);
      visit_columns<T>(panels[i], scratch, [&](std::size_t j, const T* values) {
        const std::size_t n = panels[i].part->n_rows;
        const double* cuts = thresholds.values + thresholds.offsets[j];
        const std::size_t n_cuts = thresholds.offsets[j + 1] - thresholds.offsets[j];
        if (targets[j].is_wide) {
          encode_column(values, n, cuts, n_cuts, static_cast<std::uint16_t*>(targets[j].codes),
                        scratch);
        } else {
          encode_column(values, n, cuts, n_cuts, static_cast<std::uint8_t*>(targets[j].codes),
                        scratch);
        }
      });
    });
  });
}

std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads) {
  std::vector<ColumnBins> bins(matrix.n_columns);
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    for_each(matrix.n_columns, n_threads, [&](std::size_t j, Scratch& scratch) {
      const std::size_t n_stored = matrix.indptr[j + 1] - matrix.indptr[j];
      bins[j] =
          bins_of(data + matrix.indptr[j], n_stored, matrix.n_rows - n_stored, max_bins, scratch);
    });
  });
  return bins;
}

void encode(const SparseView& matrix, const Thresholds& thresholds, std::uint16_t* codes,
            int n_threads) {
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    for_each(matrix.n_columns, n_threads, [&](std::size_t j, Scratch& scratch) {
      const std::size_t n_stored = matrix.indptr[j + 1] - matrix.indptr[j];
      const double* cuts = thresholds.values + thresholds.offsets[j];
      const std::size_t n_cuts = thresholds.offsets[j + 1] - thresholds.offsets[j];
      encode_column(data + matrix.indptr[j], n_stored, cuts, n_cuts, codes + matrix.indptr[j],
                    scratch);
    });
  });
}

}  // namespace frugalboost
