// Kernels for cells of many channels (votes and real targets of several outputs), compiled for the
// widest registers at hand: see dispatch.hpp. Every sum of doubles is taken in the order of the
// outputs, so that each gives what SplitFinder computes, bit for bit.
#pragma once

#include "core/row_blocks.hpp"
#include "core/rows.hpp"

namespace frugalboost {

// What is added for one row: its `n` channels of `values`, and for votes that of the label once more,
// behind all others.
struct WideRows {
  const Row* rows;  // null: the order of the table
  const Sum* values;
  std::size_t n;
  const Row* labels;  // by row; null unless votes
};

// Adds the entries of a block's rows at places [range). Returns the number of entries.
std::size_t add_wide_block(const RowBlock& block, const WideRows& rows, Range range, Sum* cells,
                           std::uint32_t* counts);

// Adds the codes of a dense column.
void add_wide_codes(const std::uint8_t* codes, const WideRows& rows, Range range, Sum* cells);

// rest = whole - part, of `n` numbers.
void subtract_cells(const Sum* whole, const Sum* part, std::size_t n, Sum* rest);

// The best threshold of a numeric feature without missing values.
struct WideScan {
  const Sum* cells;
  const std::uint32_t* counts;  // null unless smallest > 1
  int n_bins;
  int n_outputs;
  const Sum* totals;
  Sum mass;
  std::size_t smallest;  // rows of a side
  double* scratch;       // 6 n_outputs
};

struct WideBest {
  double loss = 0.0;
  int bin = -1;  // -1: no threshold is allowed
};

WideBest scan_real(const WideScan& scan);  // by variance
WideBest scan_z(const WideScan& scan);     // votes, by Schapire and Singer's normaliser

}  // namespace frugalboost
