#include "core/sides.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace frugalboost {
namespace {

constexpr std::size_t rows_worth_a_thread = 16384;

template <class CodeOf>
Division look_up_rows(const RowOrder& order, Range range, const std::uint8_t* side_of_code,
                      bool is_weighed, std::uint8_t* out, CodeOf&& code_of) {
  const std::size_t n = range.size();
  const Row* rows = order.is_identity() ? nullptr : order.rows() + range.begin;
  const Sum* weights = order.weights() + (is_weighed ? range.begin : 0);
  Division division;
  const auto visit = [&](std::size_t i, std::size_t row) {
    const std::uint8_t side = out[i] = side_of_code[code_of(row)];
    division.n_left += side;
    if (!is_weighed) return;
    const Sum weight = weights[i] & -static_cast<Sum>(side);
    division.left_difference += weight;
    division.left_mass += weight < 0 ? -weight : weight;
  };
  if (rows == nullptr) {
    for (std::size_t i = 0; i < n; ++i) visit(i, range.begin + i);
  } else {
    for (std::size_t i = 0; i < n; ++i) visit(i, rows[i]);
  }
  return division;
}

// Marking the rows of all entries beats looking rows up one by one unless the rows are few.
bool is_cheaper_by_entry(const Column& column, Range range) {
  return column.n_entries < 4 * range.size();
}

}  // namespace

std::vector<std::uint8_t> side_of_code(const Column& column, const SplitChoice& choice) {
  std::vector<std::uint8_t> sides(column.n_codes(), 0);
  if (column.is_categorical) {
    for (int code : choice.left_codes) sides[code] = 1;
  } else {
    std::fill_n(sides.begin(), choice.bin + 1, std::uint8_t{1});
    if (column.has_missing) sides[column.missing_code()] = choice.missing_left;
  }
  return sides;
}

Division SideFinder::find(std::uint32_t feature, const RowOrder& order, Range range,
                          const std::vector<std::uint8_t>& side_of_code, bool is_weighed) {
  sides_.resize(range.size());
  const Column& column = columns_.columns[feature];
  const std::uint8_t* side = side_of_code.data();
  if (column.storage == Storage::dense8) {
    return look_up(order, range, side, is_weighed,
                   [codes = column.codes8](std::size_t row) { return codes[row]; });
  }
  if (column.storage == Storage::dense16) {
    return look_up(order, range, side, is_weighed,
                   [codes = column.codes16](std::size_t row) { return codes[row]; });
  }
  if (is_cheaper_by_entry(column, range))
    return find_marked(column, order, range, side_of_code, is_weighed);
  return look_up(order, range, side, is_weighed, CodeReader(columns_, feature));
}

template <class CodeOf>
Division SideFinder::look_up(const RowOrder& order, Range range, const std::uint8_t* side_of_code,
                             bool is_weighed, CodeOf&& code_of) {
  const std::size_t n_slices = slices_worth(range.size(), rows_worth_a_thread, n_threads_);
  std::vector<Division> parts(n_slices);
  parallel_slices(
      range.size(), n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
        parts[slice] = look_up_rows(order, {range.begin + begin, range.begin + end}, side_of_code,
                                    is_weighed, sides_.data() + begin, code_of);
      });
  Division division;
  for (const Division& part : parts) division += part;
  return division;
}

// A row is marked if it goes the other way than the column's default.
Division SideFinder::find_marked(const Column& column, const RowOrder& order, Range range,
                                 const std::vector<std::uint8_t>& side_of_code, bool is_weighed) {
  marks_.resize(columns_.n_rows, 0);
  const std::uint8_t usual = side_of_code[column.default_code];
  const auto for_entries = [&](auto&& visit) {
    parallel_slices(column.n_entries,
                    slices_worth(column.n_entries, rows_worth_a_thread, n_threads_),
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (std::size_t e = begin; e < end; ++e) visit(e);
                    });
  };
  for_entries(
      [&](std::size_t e) { marks_[column.rows[e]] = side_of_code[column.codes16[e]] != usual; });
  const std::uint8_t sides[] = {usual, static_cast<std::uint8_t>(1 - usual)};
  const Division division =
      look_up(order, range, sides, is_weighed,
              [marks = marks_.data()](std::size_t row) { return marks[row]; });
  for_entries([&](std::size_t e) { marks_[column.rows[e]] = 0; });
  return division;
}

}  // namespace frugalboost
