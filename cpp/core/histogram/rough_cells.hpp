// Votes in 32 bits: histograms of weights rounded down to a coarser unit, half as wide as those of
// the weights themselves.
//
// What rounding cuts off a row is weight not looked at, so by Proposition 1 of the Quick Boost
// paper the normaliser of rough cells bounds that of the whole weights from below:
// docs/exactness.md.
#pragma once

#include "core/rows/rows.hpp"

namespace frugalboost {

using Rough = std::int32_t;

// `n` sums, filled up to whole registers. A cell has two such halves: weights of rows that are
// of other classes, then of rows that are of the class.
inline std::size_t rough_half(std::size_t n) { return (n + 3) / 4 * 4; }

// Rows with their cells: of row r, values[2 * half * r] and those that follow.
struct RoughRows {
  const Row* rows;  // null: the order of the table
  const Rough* values;
  std::size_t half;
};

// Weights of some rows in units of 2^shift, rounded down, to where `values` has those rows.
struct VoteRows {
  const Sum* weights;
  const Row* labels;
  std::size_t n_outputs;
};
void round_down(const VoteRows& votes, const Row* rows, Range range, int shift, std::size_t half,
                Rough* values);

// Adds the entries of each row at places [range), those of row r being [row_start[r],
// row_start[r + 1]). Returns their number.
std::size_t add_rough_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                              const RoughRows& rows, Range range, Rough* cells);

// Adds the codes of a dense column.
void add_rough_codes(const std::uint8_t* codes, const RoughRows& rows, Range range, Rough* cells);
void add_rough_codes(const std::uint16_t* codes, const RoughRows& rows, Range range, Rough* cells);

// Adds all rows to one cell.
void add_rough_totals(const RoughRows& rows, Range range, Rough* cell);

// rest = whole - part, of `n` numbers.
void subtract_rough(const Rough* whole, const Rough* part, std::size_t n, Rough* rest);

// Half the normalisers of a feature's thresholds. The cell of `rest_code` is not read: thresholds
// below it are counted up from the first bin, those above it down from the last. If it is -1, all
// are counted up.
struct RoughScan {
  const Rough* cells;
  const Rough* totals;
  std::size_t half;
  int n_bins;
  int rest_code;
};
// The lowest, or anything above `limit` if all are.
float lowest_rough_z(const RoughScan& scan, float limit);

// More than its relative error.
inline double rough_error(std::size_t half) {
  return (2.0 * static_cast<double>(half) + 16.0) / (std::int64_t{1} << 23);
}

}  // namespace frugalboost
