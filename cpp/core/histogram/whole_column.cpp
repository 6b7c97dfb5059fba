#include "core/histogram/whole_column.hpp"

#include <algorithm>

#include "core/columns/code_reader.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Every other row goes to a second histogram: codes repeat, and each addition to a cell waits for
// the last one.
template <class CodeOf>
void add_in_turns(const RowOrder& order, Range range, Sum* cells, Sum* others, CodeOf&& code_of) {
  const Sum* weights = order.weights();
  std::size_t i = range.begin;
  for (; i + 1 < range.end; i += 2) {
    cells[code_of(order.row(i))] += weights[i];
    others[code_of(order.row(i + 1))] += weights[i + 1];
  }
  if (i < range.end) cells[code_of(order.row(i))] += weights[i];
}

// Rows are looked up one by one in some ten times what a byte takes to store.
bool is_cheaper_dense(const Column& column, std::size_t n_all, std::size_t n_rows) {
  return column.storage == Storage::sparse && column.n_codes() <= 256 &&
         n_all / 32 + column.n_entries < 12 * n_rows;
}

}  // namespace

void WholeColumn::begin(std::uint32_t feature, std::size_t n_rows) {
  const Column& column = columns_.columns[feature];
  feature_ = feature;
  codes_ = column.storage == Storage::dense8 ? column.codes8 : nullptr;
  if (is_cheaper_dense(column, columns_.n_rows, n_rows)) spread(column);
}

void WholeColumn::spread(const Column& column) {
  if (dense_.empty() || dense_feature_ != feature_) {
    dense_.assign(columns_.n_rows, static_cast<std::uint8_t>(column.default_code));
    for (std::size_t e = 0; e < column.n_entries; ++e)
      dense_[column.rows[e]] = static_cast<std::uint8_t>(column.codes16[e]);
    dense_feature_ = feature_;
  }
  codes_ = dense_.data();
}

void WholeColumn::add(const RowOrder& order, Range range, Sum* cells) {
  if (codes_ != nullptr) {
    add_codes(order, range, cells, [codes = codes_](std::size_t row) { return codes[row]; });
  } else {
    add_codes(order, range, cells, CodeReader(columns_, feature_));
  }
}

// Each thread has two histograms, but for the first, whose one is that of the caller.
template <class CodeOf>
void WholeColumn::add_codes(const RowOrder& order, Range range, Sum* cells, CodeOf&& code_of) {
  const std::size_t n_codes = columns_.columns[feature_].n_codes();
  const std::size_t n_slices = slices_worth(range.size(), rows_worth_a_thread, n_threads_);
  const std::size_t n_others = 2 * n_slices - 1;
  if (others_.size() < n_others * n_codes) others_.resize(n_others * n_codes, 0);
  parallel_slices(range.size(), n_slices,
                  [&](std::size_t slice, std::size_t begin, std::size_t end) {
                    Sum* own = others_.data() + 2 * slice * n_codes;
                    add_in_turns(order, {range.begin + begin, range.begin + end},
                                 slice == 0 ? cells : own - n_codes, own, code_of);
                  });
  for (std::size_t other = 0; other < n_others; ++other)
    for (std::size_t code = 0; code < n_codes; ++code)
      cells[code] += others_[other * n_codes + code];
  std::fill_n(others_.begin(), n_others * n_codes, Sum{0});
}

}  // namespace frugalboost
