// Kernels for cells of many channels (votes and real targets), compiled for the widest registers at
// hand: see dispatch.hpp. Every sum of doubles is taken in the order of the
// outputs, so that each gives what SplitFinder computes, bit for bit.
#pragma once

#include "core/base/packing.hpp"
#include "core/base/scratch.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/rows/rows.hpp"

namespace frugalboost {

// From this many channels on, row counts are kept to tell empty cells: a cell is then several cache
// lines, and most cells of a small node are empty.
constexpr int wide_channels = 8;

// What is added for one row: its `n` channels of `values`, and for votes that of the label once
// more, behind all others.
struct WideRows {
  const Row* rows;  // null: the order of the table
  const Sum* values;
  std::size_t n;
  const Row* labels;  // by row; null unless votes
};

// Adds the entries of the rows at places [range), those of row r being [row_start[r],
// row_start[r + 1]). Returns their number.
std::size_t add_wide_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                             const WideRows& rows, Range range, Sum* cells, std::uint32_t* counts);

// The same for the entries of a block, however large its cells are.
std::size_t add_wide_block(const RowBlock& block, const WideRows& rows, Range range, Sum* cells,
                           std::uint32_t* counts);

// Adds the codes of a dense column.
void add_wide_codes(const std::uint8_t* codes, const WideRows& rows, Range range, Sum* cells);

// rest = whole - part, of `n` numbers, among which may be cells that nobody reads.
void subtract_cells(const Sum* whole, const Sum* part, std::size_t n, Sum* rest);

// Room for sums of both sides, or of all thresholds, and for their terms.
struct WideScratch {
  Scratch<Sum> sums;
  Scratch<float> rough;
  Scratch<double> terms;
};

// The best threshold of a numeric feature without missing values.
struct WideScan {
  const Sum* cells;
  const std::uint32_t* counts;  // null unless wanted and not in the cells
  int n_bins;
  int n_outputs;
  const Sum* totals;
  Sum mass;
  std::size_t smallest;  // rows of a side, at least 1
  Sum sure_weight;       // of real targets: what so many rows weigh at most
  Packing packing;       // of real targets
  double to_beat;        // thresholds that cannot have a loss this low may be passed over
  WideScratch* scratch;
};

struct WideBest {
  double loss = 0.0;
  int bin = -1;  // -1: no threshold is allowed, or none can reach `to_beat`
  bool is_sure = true;
};

// Most thresholds are ruled out in single precision, which is several times as fast. Its relative
// error is bounded, all terms being positive, and what is not ruled out is computed in full.

WideBest scan_real(const WideScan& scan);    // by variance
WideBest scan_single(const WideScan& scan);  // the same for one output
WideBest scan_z(const WideScan& scan);       // votes, by Schapire and Singer's normaliser

}  // namespace frugalboost
