// Adds rows to the histogram of one column.
#pragma once

#include <vector>

#include "core/base/problem.hpp"
#include "core/columns/code_reader.hpp"
#include "core/columns/columns.hpp"
#include "core/columns/row_blocks.hpp"
#include "core/rows/rows.hpp"

namespace frugalboost {

// A row of a sparse column that differs from the column's default, by its place in the row order.
struct Entry {
  Row position;
  std::uint16_t code;
};

// A column with the histogram it is added to; `counts` may be null.
struct Target {
  const Column* column;
  Sum* cells;
  std::uint32_t* counts;
};

class Accumulator {
 public:
  // Columns that are read side by side: a column whose codes repeat adds to one cell over and
  // over, each addition waiting for the last; with four columns the waits overlap, and the rows'
  // weights are loaded once for all of them.
  static constexpr std::size_t group_size = 4;

  Accumulator(const Problem& problem, const RowOrder& order) : problem_(problem), order_(order) {}

  // Adds the rows at places [range) of the order. Sparse columns leave their default cell alone:
  // see fill_rest. Returns the number of cell updates.
  std::size_t add(const Target& target, Range range) const;
  // The same for up to group_size columns.
  std::size_t add_group(const Target* targets, std::size_t n, Range range) const;

  // Entries of a sparse column inside `range`, in the order of the rows.
  void collect_entries(const Column& column, Range range, std::vector<Entry>& entries) const;

  void add_entry(const Entry& entry, Sum* cells, std::uint32_t* counts) const;

  // Adds the channels of a range of rows to `cell`.
  void add_rows(Range range, Sum* cell) const;

  // Adds each row of the table, in whose order the rows must be, to the cell of its node.
  void add_by_node(const std::int32_t* node_of_row, Sum* cells) const;

  // Adds the stored entries of rows, those of row r being [row_start[r], row_start[r + 1]), of
  // which a few more may be read; the default cells are left alone.
  std::size_t add_entries(const std::uint32_t* row_start, const std::uint16_t* entries, Range range,
                          Sum* cells, std::uint32_t* counts) const;
  // Those of a block, however large its cells are.
  std::size_t add_block(const RowBlock& block, Range range, Sum* cells,
                        std::uint32_t* counts) const;

  // Adds rows to the cells of the codes that `code_of` reads, one by one.
  void add_codes(const CodeReader& code_of, Range range, Sum* cells, std::uint32_t* counts) const;

  // The cell of a code that is not stored is what the other cells leave of the totals.
  static void fill_rest(const Target& target, int code, const Sum* totals, int n_channels,
                        std::size_t n_rows);

 private:
  const Problem& problem_;
  const RowOrder& order_;
};

}  // namespace frugalboost
