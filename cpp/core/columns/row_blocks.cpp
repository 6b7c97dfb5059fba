#include "core/columns/row_blocks.hpp"

#include <algorithm>
#include <limits>

namespace frugalboost {
namespace {

// Of two channels of eight bytes: half of a second-level cache of a megabyte. Smaller blocks, which
// would fit the first level, were slower: a row then has few entries in each.
constexpr std::size_t codes_per_block = 32768;

// Enough rows to tell which code is the most frequent; another choice is slower, never wrong.
constexpr std::size_t sampled_rows = 4096;

// An entry costs more to add than a code read down a column, but the rows of a node or those whose
// weights changed lie together by rows and apart by columns.
constexpr double largest_share = 0.8;

struct Default {
  int code = -1;
  bool pays = false;
};

template <class Code>
Default most_frequent(const Code* codes, std::size_t n_rows, int n_codes) {
  std::vector<std::size_t> counts(n_codes, 0);
  const std::size_t stride = std::max<std::size_t>(1, n_rows / sampled_rows);
  std::size_t n_sampled = 0;
  for (std::size_t row = 0; row < n_rows; row += stride, ++n_sampled) ++counts[codes[row]];
  const auto most = std::max_element(counts.begin(), counts.end());
  const double rest = static_cast<double>(n_sampled - *most);
  return {static_cast<int>(most - counts.begin()), rest <= largest_share * n_sampled};
}

// A sparse column need not leave its most frequent code out.
Default most_frequent(const Column& column, std::size_t n_rows) {
  std::vector<std::size_t> counts(column.n_codes(), 0);
  counts[column.default_code] = n_rows - column.n_entries;
  for (std::size_t e = 0; e < column.n_entries; ++e) ++counts[column.codes16[e]];
  const auto most = std::max_element(counts.begin(), counts.end());
  const double rest = static_cast<double>(n_rows - *most);
  return {static_cast<int>(most - counts.begin()), rest <= largest_share * n_rows};
}

Default find_default(const Column& column, std::size_t n_rows) {
  if (column.is_constant() || column.n_codes() > std::numeric_limits<std::uint16_t>::max())
    return {};
  switch (column.storage) {
    case Storage::dense8:
      return most_frequent(column.codes8, n_rows, column.n_codes());
    case Storage::dense16:
      return most_frequent(column.codes16, n_rows, column.n_codes());
    default:
      return most_frequent(column, n_rows);
  }
}

// Calls visit(row, is_stored, code) for every row that may be stored. Dense columns are walked
// without a branch: on images it could not be predicted.
template <class Visit>
void visit_column(const Column& column, int default_code, std::size_t n_rows, Visit&& visit) {
  if (column.storage == Storage::dense8) {
    for (std::size_t row = 0; row < n_rows; ++row)
      visit(row, column.codes8[row] != default_code, column.codes8[row]);
  } else if (column.storage == Storage::dense16) {
    for (std::size_t row = 0; row < n_rows; ++row)
      visit(row, column.codes16[row] != default_code, column.codes16[row]);
  } else if (column.default_code == default_code) {
    for (std::size_t e = 0; e < column.n_entries; ++e)
      visit(column.rows[e], column.codes16[e] != default_code, column.codes16[e]);
  } else {
    for (std::size_t row = 0, e = 0; row < n_rows; ++row) {
      const bool is_entry = e < column.n_entries && column.rows[e] == row;
      const int code = is_entry ? column.codes16[e++] : column.default_code;
      visit(row, code != default_code, code);
    }
  }
}

void store_rows(RowBlock& block, const Columns& columns) {
  const std::size_t n_rows = columns.n_rows;
  block.row_start.assign(n_rows + 1, 0);
  std::uint32_t* count = block.row_start.data() + 1;
  for (std::size_t i = 0; i < block.features.size(); ++i)
    visit_column(columns.columns[block.features[i]], block.default_code[i], n_rows,
                 [&](std::size_t row, bool is_stored, int) { count[row] += is_stored; });
  for (std::size_t row = 0; row < n_rows; ++row) block.row_start[row + 1] += block.row_start[row];
  // Some more: a code that is not stored is written, too, where the next one will go, and readers
  // may look past a row's end.
  block.entries.assign(block.row_start[n_rows] + RowBlock::readable_past_end, 0);
  std::vector<std::uint32_t> next(block.row_start.begin(), block.row_start.end() - 1);
  for (std::size_t i = 0; i < block.features.size(); ++i) {
    const std::uint32_t first = block.first_code[i];
    visit_column(columns.columns[block.features[i]], block.default_code[i], n_rows,
                 [&](std::size_t row, bool is_stored, int code) {
                   std::uint16_t& entry = block.entries[next[row]];
                   entry = is_stored ? static_cast<std::uint16_t>(first + code) : entry;
                   next[row] += is_stored;
                 });
  }
}

}  // namespace

RowBlocks::RowBlocks(const Columns& columns) {
  // Row starts are 32 bits wide.
  const std::size_t most_features =
      std::numeric_limits<std::uint32_t>::max() / std::max<std::size_t>(1, columns.n_rows);
  for (std::size_t f = 0; f < columns.columns.size(); ++f) {
    const Column& column = columns.columns[f];
    const Default found = find_default(column, columns.n_rows);
    if (!found.pays) continue;
    const std::size_t n_codes = column.n_codes();
    const bool fits = !blocks_.empty() && blocks_.back().n_codes + n_codes <= codes_per_block &&
                      blocks_.back().features.size() < most_features;
    if (!fits) blocks_.emplace_back();
    RowBlock& block = blocks_.back();
    block.features.push_back(static_cast<std::uint32_t>(f));
    block.first_code.push_back(static_cast<std::uint32_t>(block.n_codes));
    block.default_code.push_back(found.code);
    block.n_codes += n_codes;
  }
  places_.resize(columns.columns.size());
  for (RowBlock& block : blocks_) {
    store_rows(block, columns);
    for (std::size_t i = 0; i < block.features.size(); ++i)
      places_[block.features[i]] = {&block, i};
  }
  const double n_rows = static_cast<double>(columns.n_rows);
  double n_cells = 0.0, n_left_out = 0.0;
  for (const Column& column : columns.columns)
    if (!column.is_constant()) n_cells += n_rows;
  for (const RowBlock& block : blocks_)
    n_left_out += n_rows * block.features.size() - block.row_start.back();
  if (n_cells > 0) read_share_ = 1.0 - n_left_out / n_cells;
}

}  // namespace frugalboost
