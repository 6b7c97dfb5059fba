// From raw columns to bins: finding the cut values and replacing values by small codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace frugalboost {

enum class Scalar { f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

// Part of a table with one type; strides are in bytes and may be negative or zero.
struct MatrixView {
  const char* data;
  std::size_t n_rows;
  std::size_t n_columns;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  Scalar type;
};

// Stored entries of a sparse matrix, column after column; every other entry is zero.
struct SparseView {
  const char* data;
  const std::int64_t* indptr;  // n_columns + 1
  std::size_t n_rows;
  std::size_t n_columns;
  Scalar type;
};

struct ColumnBins {
  std::vector<double> thresholds;  // ascending; the bin of x is the number of thresholds below x
  bool has_missing = false;
};

// Thresholds of many columns one behind the other: those of column j are
// values[offsets[j]] .. values[offsets[j + 1] - 1].
struct Thresholds {
  const double* values;
  const std::int64_t* offsets;
};

// Where the codes of one column go: n_rows bytes, or n_rows 16-bit words.
struct CodeTarget {
  void* codes;
  bool is_wide;
};

// A column with at most max_bins distinct values gets a bin for each; others are cut at quantiles.
// Columns are numbered through all parts.
std::vector<ColumnBins> find_bins(const std::vector<MatrixView>& parts, std::size_t max_bins,
                                  int n_threads);
std::vector<ColumnBins> find_bins(const SparseView& matrix, std::size_t max_bins, int n_threads);

// NaN gets the code after the last bin, which the caller must have left room for.
void encode(const std::vector<MatrixView>& parts, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads);

// One code for each stored entry.
void encode(const SparseView& matrix, const Thresholds& thresholds, std::uint16_t* codes,
            int n_threads);

}  // namespace frugalboost
