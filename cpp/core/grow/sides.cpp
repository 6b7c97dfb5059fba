#include "core/grow/sides.hpp"

#include <algorithm>

#include "core/columns/code_reader.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Marking the rows of all entries beats looking rows up one by one unless the rows are few.
bool is_cheaper_by_entry(const Column& column, std::size_t n_rows) {
  return column.n_entries < 4 * n_rows;
}

// Writes what the sides of rows say; no branch, since sides cannot be predicted.
auto labels_of(const SideFinder::Look& split, const RowOrder& order, std::int32_t* out) {
  const Row* rows = order.is_identity() ? nullptr : order.rows();
  return [rows, out, of_side = split.out_of_side](std::size_t begin, std::size_t n,
                                                  const std::uint8_t* sides) {
    for (std::size_t i = 0; i < n; ++i)
      out[rows == nullptr ? begin + i : rows[begin + i]] = of_side[sides[i]];
  };
}

}  // namespace

int last_left(const std::vector<std::uint8_t>& side_of_code) {
  const auto end = std::find(side_of_code.begin(), side_of_code.end(), std::uint8_t{0});
  const bool is_simple = std::find(end, side_of_code.end(), std::uint8_t{1}) == side_of_code.end();
  return is_simple ? static_cast<int>(end - side_of_code.begin()) - 1 : -1;
}

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

Division SideFinder::divide(std::uint32_t feature, Range range,
                            const std::vector<std::uint8_t>& side_of_code, std::size_t n_heavy,
                            bool is_weighed, RowOrder& order) {
  const SidesOfCodes sides{side_of_code, last_left(side_of_code)};
  return with_side_of(feature, range.size(), sides, [&](auto&& side_of) {
    return order.divide(range, n_heavy, is_weighed, side_of);
  });
}

void SideFinder::look(Look& split, const RowOrder& order, std::int32_t* out) {
  split.division =
      with_side_of(split.feature, split.range.size(), split.sides(), [&](auto&& side_of) {
        return order.look(split.range, split.n_heavy, split.is_weighed, side_of,
                          labels_of(split, order, out));
      });
}

bool SideFinder::is_faster_alone(std::uint32_t feature, std::size_t n_rows) const {
  const Column& column = columns_.columns[feature];
  return column.storage == Storage::sparse && is_cheaper_by_entry(column, n_rows);
}

// Each thread has rows next to each other, of all nodes, so that no two write to one cache line.
void SideFinder::look_all(std::vector<Look>& splits, const RowOrder& order,
                          std::int32_t* out) const {
  std::size_t n = 0;
  for (const Look& split : splits) n += split.range.size();
  const std::size_t n_slices =
      shared_slices_worth(n, rows_worth_a_thread, n_threads_, splits.size());
  std::vector<Division> divisions(n_slices * splits.size());
  parallel_shared_slices(columns_.n_rows, n_slices, n_threads_,
                         [&](std::size_t s, std::size_t begin, std::size_t end) {
                           for (std::size_t i = 0; i < splits.size(); ++i) {
                             const Look& split = splits[i];
                             const Range part = order.is_ascending()
                                                    ? order.between(split.range, {begin, end})
                                                    : part_of(split.range, s, n_slices);
                             const std::size_t before = part.begin - split.range.begin;
                             const std::size_t n_heavy = std::min(
                                 split.n_heavy - std::min(split.n_heavy, before), part.size());
                             divisions[s * splits.size() + i] =
                                 with_codes(split.feature, split.sides(), [&](auto&& side_of) {
                                   return order.look_alone(part, n_heavy, split.is_weighed, side_of,
                                                           labels_of(split, order, out));
                                 });
                           }
                         });
  for (std::size_t i = 0; i < splits.size(); ++i) {
    splits[i].division.range = splits[i].range;
    for (std::size_t s = 0; s < n_slices; ++s)
      splits[i].division += divisions[s * splits.size() + i];
  }
}

// Calls use(side_of), where side_of(row) is 1 for rows that go left.
template <class Use>
Division SideFinder::with_side_of(std::uint32_t feature, std::size_t n_rows,
                                  const SidesOfCodes& sides, Use&& use) {
  // There is one set of marks.
  if (is_faster_alone(feature, n_rows) && !is_in_team())
    return with_marks(columns_.columns[feature], sides.side_of_code, use);
  return with_codes(feature, sides, use);
}

template <class Use>
Division SideFinder::with_codes(std::uint32_t feature, const SidesOfCodes& sides, Use&& use) const {
  const Column& column = columns_.columns[feature];
  const std::uint8_t* side = sides.side_of_code.data();
  // Rows next to each other are compared by vector instructions; sides cannot be looked up by them.
  if (column.storage == Storage::dense8 && sides.last_left >= 0)
    return use([codes = column.codes8, last = static_cast<std::uint8_t>(sides.last_left)](
                   std::size_t row) { return static_cast<std::uint8_t>(codes[row] <= last); });
  if (column.storage == Storage::dense8)
    return use([codes = column.codes8, side](std::size_t row) { return side[codes[row]]; });
  if (column.storage == Storage::dense16)
    return use([codes = column.codes16, side](std::size_t row) { return side[codes[row]]; });
  const CodeReader code_of(columns_, feature);
  return use([&code_of, side](std::size_t row) { return side[code_of(row)]; });
}

// A row is marked if it goes the other way than the column's default.
template <class Use>
Division SideFinder::with_marks(const Column& column, const std::vector<std::uint8_t>& side_of_code,
                                Use&& use) {
  marks_.resize(columns_.n_rows, 0);
  const std::uint8_t usual = side_of_code[column.default_code];
  const auto for_entries = [&](auto&& visit) {
    parallel_slices(column.n_entries,
                    slices_worth(column.n_entries, rows_worth_a_thread, n_threads_),
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (std::size_t e = begin; e < end; ++e) visit(e);
                    });
  };
  try {
    for_entries(
        [&](std::size_t e) { marks_[column.rows[e]] = side_of_code[column.codes16[e]] != usual; });
    const Division division = use([marks = marks_.data(), usual](std::size_t row) -> std::uint8_t {
      return marks[row] ^ usual;
    });
    for_entries([&](std::size_t e) { marks_[column.rows[e]] = 0; });
    return division;
  } catch (...) {
    marks_.clear();  // for want of memory some are left
    throw;
  }
}

}  // namespace frugalboost
