#include "core/columns/row_blocks.hpp"

#include <algorithm>
#include <limits>

#include "core/threads/parallel.hpp"

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

// Calls visit(row, is_stored, code) for every row in [rows) that may be stored. Dense columns are
// walked without a branch: on images it could not be predicted.
template <class Visit>
void visit_column(const Column& column, int default_code, Range rows, Visit&& visit) {
  if (column.storage == Storage::dense8) {
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      visit(row, column.codes8[row] != default_code, column.codes8[row]);
  } else if (column.storage == Storage::dense16) {
    for (std::size_t row = rows.begin; row < rows.end; ++row)
      visit(row, column.codes16[row] != default_code, column.codes16[row]);
  } else {
    const Row* end = column.rows + column.n_entries;
    std::size_t e = std::lower_bound(column.rows, end, rows.begin) - column.rows;
    if (column.default_code == default_code) {
      for (; e < column.n_entries && column.rows[e] < rows.end; ++e)
        visit(column.rows[e], column.codes16[e] != default_code, column.codes16[e]);
      return;
    }
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const bool is_entry = e < column.n_entries && column.rows[e] == row;
      const int code = is_entry ? column.codes16[e++] : column.default_code;
      visit(row, code != default_code, code);
    }
  }
}

// Stores the rows of one block, on several threads.
class BlockWriter {
 public:
  BlockWriter(const Columns& columns, RowBlock& block, int n_threads, Listener& listener)
      : columns_(columns),
        block_(block),
        listener_(listener),
        n_slices_(slices_worth(columns.n_rows, rows_of_a_tile, n_threads)) {}

  void write() {
    const std::size_t n_rows = columns_.n_rows;
    block_.row_start.resize(n_rows + 1);
    std::vector<std::size_t> n_entries(n_slices_ + 1, 0);
    parallel_slices(n_rows, n_slices_, [&](std::size_t slice, std::size_t begin, std::size_t end) {
      n_entries[slice + 1] = count({begin, end});
    });
    for (std::size_t slice = 0; slice < n_slices_; ++slice)
      n_entries[slice + 1] += n_entries[slice];
    const std::size_t total = n_entries.back();
    block_.entries.resize(total + RowBlock::readable_past_end);
    std::fill(block_.entries.begin() + total, block_.entries.end(), std::uint16_t{0});
    block_.row_start[n_rows] = static_cast<std::uint32_t>(total);
    parallel_slices(n_rows, n_slices_, [&](std::size_t slice, std::size_t begin, std::size_t end) {
      std::size_t at = n_entries[slice];
      for (; begin < end && goes_on(); begin += rows_of_a_tile)
        at = store({begin, std::min(begin + rows_of_a_tile, end)}, at);
    });
  }

 private:
  // So few rows at a time that what is known of them stays in the first cache, column after column.
  static constexpr std::size_t rows_of_a_tile = 2048;

  // Asked before each tile.
  bool goes_on() { return listener_.goes_on(rows_of_a_tile * block_.features.size()); }

  template <class Visit>
  void visit_features(Range rows, Visit&& visit) const {
    for (std::size_t i = 0; i < block_.features.size(); ++i) {
      const std::uint32_t first = block_.first_code[i];
      visit_column(columns_.columns[block_.features[i]], block_.default_code[i], rows,
                   [&](std::size_t row, bool is_stored, int code) {
                     visit(row, is_stored, static_cast<std::uint16_t>(first + code));
                   });
    }
  }

  // Puts the number of entries of each row where its start will be; returns that of all rows.
  std::size_t count(Range rows) {
    std::uint32_t* counts = block_.row_start.data();
    std::size_t total = 0;
    for (std::size_t begin = rows.begin; begin < rows.end && goes_on(); begin += rows_of_a_tile) {
      const std::size_t end = std::min(begin + rows_of_a_tile, rows.end);
      std::fill(counts + begin, counts + end, 0u);
      visit_features({begin, end}, [&](std::size_t row, bool is_stored, std::uint16_t) {
        counts[row] += is_stored;
      });
      for (std::size_t row = begin; row < end; ++row) total += counts[row];
    }
    return total;
  }

  // Stores rows whose entries begin at `at`; returns where they end.
  std::size_t store(Range rows, std::size_t at) {
    std::uint32_t next[rows_of_a_tile];
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const std::uint32_t count = block_.row_start[row];
      block_.row_start[row] = next[row - rows.begin] = static_cast<std::uint32_t>(at);
      at += count;
    }
    std::uint16_t* entries = block_.entries.data();
    // A code that is not stored is written, too, where the next one will go. After the last entry
    // of these rows that is another thread's.
    std::uint16_t aside = 0;
    visit_features(rows, [&](std::size_t row, bool is_stored, std::uint16_t code) {
      std::uint32_t& place = next[row - rows.begin];
      std::uint16_t& entry = place < at ? entries[place] : aside;
      entry = is_stored ? code : entry;
      place += is_stored;
    });
    return at;
  }

  const Columns& columns_;
  RowBlock& block_;
  Listener& listener_;
  std::size_t n_slices_;
};

}  // namespace

RowBlocks::RowBlocks(const Columns& columns, int n_threads, const Poll& poll) {
  Listener listener(poll);
  // Row starts are 32 bits wide.
  const std::size_t most_features =
      std::numeric_limits<std::uint32_t>::max() / std::max<std::size_t>(1, columns.n_rows);
  std::vector<Default> defaults(columns.columns.size());
  parallel_each(defaults.size(), n_threads, [&](std::size_t f) {
    if (!listener.goes_on(sampled_rows + columns.columns[f].n_entries)) return;
    defaults[f] = find_default(columns.columns[f], columns.n_rows);
  });
  for (std::size_t f = 0; f < columns.columns.size(); ++f) {
    const Column& column = columns.columns[f];
    const Default& found = defaults[f];
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
    BlockWriter(columns, block, n_threads, listener).write();
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
