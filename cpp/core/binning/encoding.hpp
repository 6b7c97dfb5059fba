// From raw columns to codes, once it is known where each column's codes will be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/binning/raw_table.hpp"
#include "core/columns/columns.hpp"

namespace frugalboost {

// Thresholds of many columns one behind the other: those of column j are
// values[offsets[j]] .. values[offsets[j + 1] - 1].
struct Thresholds {
  const double* values;
  const std::int64_t* offsets;
};

// Where the codes of one column go: n_rows bytes, n_rows 16-bit words, or n_entries of the rows
// whose code is not the default, ascending, and their codes.
struct CodeTarget {
  Storage storage;
  void* codes;
  Row* rows = nullptr;
  std::size_t n_entries = 0;
  std::uint16_t default_code = 0;
};

// NaN gets the code after the last bin, which the caller must have left room for. Throws when a
// column has another number of entries than its target, as when somebody writes to the table.
void encode(const std::vector<MatrixView>& parts, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads, const Poll& poll = unheard);

// `indices` are the rows of the stored entries, ascending in each column.
template <class Index>
void encode(const SparseView& matrix, const Index* indices, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads, const Poll& poll = unheard);

}  // namespace frugalboost
