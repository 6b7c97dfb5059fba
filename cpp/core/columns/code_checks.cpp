#include "core/columns/code_checks.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>

#include "core/base/dispatch.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

FRUGALBOOST_CLONES
bool are_below(const std::uint8_t* codes, std::size_t n, std::uint8_t limit) {
  std::uint8_t most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, codes[i]);
  return n == 0 || most < limit;
}

FRUGALBOOST_CLONES
bool are_below(const std::uint16_t* codes, std::size_t n, std::uint16_t limit) {
  std::uint16_t most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, codes[i]);
  return n == 0 || most < limit;
}

FRUGALBOOST_CLONES
bool are_below(const Row* rows, std::size_t n, std::size_t limit) {
  Row most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, rows[i]);
  return n == 0 || most < limit;
}

std::size_t n_stored(const Column& column, std::size_t n_rows) {
  return column.storage == Storage::sparse ? column.n_entries : n_rows;
}

// Entries [begin, end) of a column.
bool fits(const Column& column, std::size_t n_rows, std::size_t begin, std::size_t end) {
  const int n_codes = column.n_codes();
  const std::size_t n = end - begin;
  if (column.storage == Storage::dense8)
    return n_codes > std::numeric_limits<std::uint8_t>::max() ||
           are_below(column.codes8 + begin, n, static_cast<std::uint8_t>(n_codes));
  const bool are_codes = n_codes > std::numeric_limits<std::uint16_t>::max() ||
                         are_below(column.codes16 + begin, n, static_cast<std::uint16_t>(n_codes));
  if (column.storage == Storage::dense16) return are_codes;
  return are_codes && are_below(column.rows + begin, n, n_rows);
}

}  // namespace

void check_codes(const Columns& columns, int n_threads, const Poll& poll) {
  Listener listener(poll);
  constexpr std::size_t fewest = std::size_t{1} << 16;
  std::atomic<bool> all_fit{true};
  const std::size_t n_slices = slices_worth(columns.n_rows, fewest, n_threads);
  const std::size_t n_columns = columns.columns.size();
  const bool is_large = columns.n_rows * n_columns > fewest;
  parallel_each(n_columns * n_slices, is_large ? n_threads : 1, [&](std::size_t i) {
    const Column& column = columns.columns[i / n_slices];
    const std::size_t n = n_stored(column, columns.n_rows), slice = i % n_slices;
    if (!listener.goes_on(n / n_slices)) return;
    if (column.storage == Storage::sparse && column.default_code >= column.n_codes())
      all_fit = false;
    if (!fits(column, columns.n_rows, n * slice / n_slices, n * (slice + 1) / n_slices))
      all_fit = false;
  });
  if (!all_fit) throw std::invalid_argument("a code or row of the binned columns is out of range");
}

}  // namespace frugalboost
