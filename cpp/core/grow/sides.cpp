#include "core/grow/sides.hpp"

#include <algorithm>

#include "core/base/dispatch.hpp"
#include "core/columns/code_reader.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// How many rows go left, and what they weigh. Apart from finding their sides, which takes look-ups,
// this is plain arithmetic on arrays: vector instructions do it at a fraction of the cost.
FRUGALBOOST_CLONES
void add_left(const std::uint8_t* sides, const Sum* weights, std::size_t n, Division& division) {
  Sum difference = 0, mass = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Sum weight = weights[i] & -static_cast<Sum>(sides[i]);
    difference += weight;
    mass += weight < 0 ? -weight : weight;
  }
  division.left_difference += difference;
  division.left_mass += mass;
}

FRUGALBOOST_CLONES
std::size_t count_left(const std::uint8_t* sides, std::size_t n) {
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < n; ++i) n_left += sides[i];
  return n_left;
}

// out[i] = side_of(i-th row of the range).
template <class SideOf>
Division look_up_rows(const RowOrder& order, Range range, bool is_weighed, std::uint8_t* out,
                      SideOf&& side_of) {
  // So few that their sides are in the cache when they are added up.
  constexpr std::size_t rows_at_once = 4096;
  Division division;
  for (std::size_t begin = range.begin; begin < range.end; begin += rows_at_once) {
    const std::size_t n = std::min(rows_at_once, range.end - begin);
    if (order.is_identity()) {
      for (std::size_t i = 0; i < n; ++i) out[i] = side_of(begin + i);
    } else {
      const Row* rows = order.rows() + begin;
      for (std::size_t i = 0; i < n; ++i) out[i] = side_of(rows[i]);
    }
    division.n_left += count_left(out, n);
    if (is_weighed) add_left(out, order.weights() + begin, n, division);
    out += n;
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
  sides_.room_for(range.size());
  const Column& column = columns_.columns[feature];
  const std::uint8_t* side = side_of_code.data();
  if (column.storage == Storage::dense8) {
    return look_up(order, range, is_weighed,
                   [codes = column.codes8, side](std::size_t row) { return side[codes[row]]; });
  }
  if (column.storage == Storage::dense16) {
    return look_up(order, range, is_weighed,
                   [codes = column.codes16, side](std::size_t row) { return side[codes[row]]; });
  }
  if (is_cheaper_by_entry(column, range))
    return find_marked(column, order, range, side_of_code, is_weighed);
  const CodeReader code_of(columns_, feature);
  return look_up(order, range, is_weighed,
                 [&code_of, side](std::size_t row) { return side[code_of(row)]; });
}

template <class SideOf>
Division SideFinder::look_up(const RowOrder& order, Range range, bool is_weighed,
                             SideOf&& side_of) {
  const std::size_t n_slices = slices_worth(range.size(), rows_worth_a_thread, n_threads_);
  std::vector<Division> parts(n_slices);
  parallel_slices(range.size(), n_slices,
                  [&](std::size_t slice, std::size_t begin, std::size_t end) {
                    parts[slice] = look_up_rows(order, {range.begin + begin, range.begin + end},
                                                is_weighed, sides_.data() + begin, side_of);
                  });
  Division division;
  lefts_.clear();
  for (const Division& part : parts) {
    division += part;
    lefts_.push_back(part.n_left);
  }
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
  const Division division = look_up(
      order, range, is_weighed, [marks = marks_.data(), usual](std::size_t row) -> std::uint8_t {
        return marks[row] ^ usual;
      });
  for_entries([&](std::size_t e) { marks_[column.rows[e]] = 0; });
  return division;
}

}  // namespace frugalboost
