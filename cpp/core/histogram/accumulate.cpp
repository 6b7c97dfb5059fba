#include "core/histogram/accumulate.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/histogram/wide_cells.hpp"

namespace frugalboost {
namespace {

// An adder adds the channels of one row to the cells of any number of codes: `row` looks the row's
// weights up once, and what it returns is called for each code.

struct ClassesAdd {
  const RowOrder& order;
  std::size_t n_classes;
  Sum* cells;
  struct OfRow {
    Sum* cells;  // of the row's label
    std::size_t stride;
    Sum weight;
    void operator()(std::size_t code) const { cells[code * stride] += weight; }
    void only_if(bool holds, std::size_t code) const {
      cells[code * stride] += weight & -static_cast<Sum>(holds);
    }
  };
  OfRow row(std::size_t position, Row) const {
    return {cells + order.labels()[position], n_classes, order.weights()[position]};
  }
};

struct TwoClassesAdd {
  const RowOrder& order;
  Sum* cells;
  struct OfRow {
    Sum* cells;
    Sum weight;
    void operator()(std::size_t code) const { cells[2 * code] += weight; }
    void only_if(bool holds, std::size_t code) const {
      cells[2 * code] += weight & -static_cast<Sum>(holds);
    }
  };
  OfRow row(std::size_t position, Row) const {
    const Sum weight = order.weights()[position];
    return {cells + (weight > 0), weight > 0 ? weight : -weight};
  }
};

// One number for each row: two classes by error, real targets of one output.
struct SingleAdd {
  const RowOrder& order;
  Sum* cells;
  struct OfRow {
    Sum* cells;
    Sum weight;
    void operator()(std::size_t code) const { cells[code] += weight; }
    void only_if(bool holds, std::size_t code) const {
      cells[code] += weight & -static_cast<Sum>(holds);
    }
  };
  OfRow row(std::size_t position, Row) const { return {cells, order.weights()[position]}; }
};

struct VotesAdd {
  const Problem& problem;
  Sum* cells;
  struct OfRow {
    Sum* cells;
    const Sum* weights;
    std::size_t n, label;
    void operator()(std::size_t code) const {
      Sum* cell = cells + code * 2 * n;
      for (std::size_t k = 0; k < n; ++k) cell[k] += weights[k];
      cell[n + label] += weights[label];
    }
    void only_if(bool holds, std::size_t code) const {
      if (holds) (*this)(code);
    }
  };
  OfRow row(std::size_t, Row row) const {
    const std::size_t n = problem.n_outputs;
    return {cells, problem.weights + row * n, n, problem.labels[row]};
  }
};

struct RealAdd {
  const Problem& problem;
  Sum* cells;
  struct OfRow {
    Sum* cells;
    const Sum* values;
    std::size_t n;
    void operator()(std::size_t code) const {
      Sum* cell = cells + code * n;
      for (std::size_t c = 0; c < n; ++c) cell[c] += values[c];
    }
    void only_if(bool holds, std::size_t code) const {
      if (holds) (*this)(code);
    }
  };
  OfRow row(std::size_t, Row row) const {
    const auto n = static_cast<std::size_t>(problem.n_channels());
    return {cells, problem.weights + row * n, n};
  }
};

template <class Use>
void with_adder(const Problem& problem, const RowOrder& order, Sum* cells, Use&& use) {
  switch (problem.layout) {
    case Layout::classes:
      if (problem.signed_cells) {
        use(SingleAdd{order, cells});
      } else if (order.labels() == nullptr) {
        use(TwoClassesAdd{order, cells});
      } else {
        use(ClassesAdd{order, static_cast<std::size_t>(problem.n_outputs), cells});
      }
      break;
    case Layout::votes:
      use(VotesAdd{problem, cells});
      break;
    case Layout::real:
      if (problem.n_outputs == 1) {
        use(SingleAdd{order, cells});
      } else {
        use(RealAdd{problem, cells});
      }
      break;
  }
}

bool is_wide(const Problem& problem) {
  return problem.layout != Layout::classes && problem.n_outputs > 1;
}

WideRows wide_rows(const Problem& problem, const RowOrder& order) {
  const bool is_votes = problem.layout == Layout::votes;
  const auto n = static_cast<std::size_t>(is_votes ? problem.n_outputs : problem.n_channels());
  return {order.is_identity() ? nullptr : order.rows(), problem.weights, n,
          is_votes ? problem.labels : nullptr};
}

template <class Code, class Add>
void add_dense(const Code* codes, const RowOrder& order, Range range, const Add& add,
               std::uint32_t* counts) {
  const auto visit = [&](std::size_t i, Row row) {
    add.row(i, row)(codes[row]);
    if (counts != nullptr) ++counts[codes[row]];
  };
  if (order.is_identity()) {
    for (std::size_t i = range.begin; i < range.end; ++i) visit(i, static_cast<Row>(i));
    return;
  }
  // Rows in weight order lie anywhere in the column: ask for each code some rows ahead.
  constexpr std::size_t ahead = 32;
  const Row* rows = order.rows();
  const std::size_t last = range.end > range.begin + ahead ? range.end - ahead : range.begin;
  std::size_t i = range.begin;
  for (; i < last; ++i) {
    __builtin_prefetch(codes + rows[i + ahead]);
    visit(i, rows[i]);
  }
  for (; i < range.end; ++i) visit(i, rows[i]);
}

template <std::size_t... I, class Add>
std::array<Add, sizeof...(I)> repeated(const Add& add, std::index_sequence<I...>) {
  return {(static_cast<void>(I), add)...};
}

template <int N, bool Counts, class Add>
void add_several(const Target* targets, const RowOrder& order, Range range, const Add& add) {
  const std::uint8_t* codes[N];
  std::uint32_t* counts[N];
  std::array<Add, N> adds = repeated(add, std::make_index_sequence<N>());
  for (int j = 0; j < N; ++j) {
    codes[j] = targets[j].column->codes8;
    counts[j] = targets[j].counts;
    adds[j].cells = targets[j].cells;
  }
  const bool is_identity = order.is_identity();
  const Row* rows = order.rows();
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Row row = is_identity ? static_cast<Row>(i) : rows[i];
    for (int j = 0; j < N; ++j) {
      const std::uint8_t code = codes[j][row];
      adds[j].row(i, row)(code);
      if (Counts) ++counts[j][code];
    }
  }
}

template <bool Counts, class Add>
void add_dense_group(const Target* targets, std::size_t n, const RowOrder& order, Range range,
                     const Add& add) {
  static_assert(Accumulator::group_size == 4);
  switch (n) {
    case 2:
      return add_several<2, Counts>(targets, order, range, add);
    case 3:
      return add_several<3, Counts>(targets, order, range, add);
    default:
      return add_several<4, Counts>(targets, order, range, add);
  }
}

// Adds a row to the cells of its entries, four at a time: how many there are changes from row to
// row, and a loop that ends at another entry each time is predicted wrongly each time. So the last
// four always go through, those past the end, which are of the next row, with a weight of zero.
// A call for each row would take a fifth of the time of a table with few entries.
template <bool Counts, class AddRow>
[[gnu::always_inline]] inline void add_entries_of(const AddRow& add_row, const std::uint16_t* entry,
                                                  const std::uint16_t* end, std::uint32_t* counts) {
  constexpr std::size_t at_once = RowBlock::readable_past_end;
  for (; end - entry >= static_cast<std::ptrdiff_t>(at_once); entry += at_once)
    for (std::size_t j = 0; j < at_once; ++j) {
      add_row(entry[j]);
      if (Counts) ++counts[entry[j]];
    }
  for (std::size_t j = 0; j < at_once; ++j) {
    const bool is_of_row = entry + j < end;
    add_row.only_if(is_of_row, entry[j]);
    if (Counts) counts[entry[j]] += is_of_row;
  }
}

void count_dense(const Column& column, const RowOrder& order, Range range, std::uint32_t* counts) {
  for (std::size_t i = range.begin; i < range.end; ++i) ++counts[column.code_of(order.row(i))];
}

// Looking rows up in the column beats scanning the column when the rows are few. About 2 log2(n)
// steps a look-up; 32 covers columns of up to 2^16 entries, and any value is correct.
bool is_cheaper_by_row(const Column& column, Range range) {
  return range.size() * 32 < column.n_entries;
}

template <class Visit>
void visit_sparse(const Column& column, const RowOrder& order, Range range, Visit&& visit) {
  if (is_cheaper_by_row(column, range)) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const int code = column.code_of(order.row(i));
      if (code != column.default_code) visit(i, static_cast<std::uint16_t>(code));
    }
    return;
  }
  for (std::size_t e = 0; e < column.n_entries; ++e) {
    const std::size_t position = order.position(column.rows[e]);
    if (position >= range.begin && position < range.end) visit(position, column.codes16[e]);
  }
}

}  // namespace

std::size_t Accumulator::add_group(const Target* targets, std::size_t n, Range range) const {
  const bool is_side_by_side =
      n > 1 && !is_wide(problem_) && std::all_of(targets, targets + n, [](const Target& t) {
        return t.column->storage == Storage::dense8;
      });
  if (is_side_by_side) {
    with_adder(problem_, order_, nullptr, [&](const auto& add) {
      targets[0].counts != nullptr ? add_dense_group<true>(targets, n, order_, range, add)
                                   : add_dense_group<false>(targets, n, order_, range, add);
    });
    return n * range.size();
  }
  std::size_t reads = 0;
  for (std::size_t i = 0; i < n; ++i) reads += add(targets[i], range);
  return reads;
}

std::size_t Accumulator::add(const Target& target, Range range) const {
  const Column& column = *target.column;
  Sum* cells = target.cells;
  std::uint32_t* counts = target.counts;
  if (is_wide(problem_) && column.storage == Storage::dense8) {
    add_wide_codes(column.codes8, wide_rows(problem_, order_), range, cells);
    if (counts != nullptr) count_dense(column, order_, range, counts);
    return range.size();
  }
  std::size_t reads = 0;
  with_adder(problem_, order_, cells, [&](const auto& add) {
    if (column.storage == Storage::sparse) {
      visit_sparse(column, order_, range, [&](std::size_t position, std::uint16_t code) {
        add.row(position, order_.row(position))(code);
        if (counts != nullptr) ++counts[code];
        ++reads;
      });
      return;
    }
    if (column.storage == Storage::dense8) {
      add_dense(column.codes8, order_, range, add, counts);
    } else {
      add_dense(column.codes16, order_, range, add, counts);
    }
    reads = range.size();
  });
  return reads;
}

void Accumulator::collect_entries(const Column& column, Range range,
                                  std::vector<Entry>& entries) const {
  entries.clear();
  visit_sparse(column, order_, range, [&](std::size_t position, std::uint16_t code) {
    entries.push_back({static_cast<Row>(position), code});
  });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.position < b.position; });
}

void Accumulator::add_entry(const Entry& entry, Sum* cells, std::uint32_t* counts) const {
  with_adder(problem_, order_, cells, [&](const auto& add) {
    add.row(entry.position, order_.row(entry.position))(entry.code);
  });
  if (counts != nullptr) ++counts[entry.code];
}

void Accumulator::add_rows(Range range, Sum* cell) const {
  with_adder(problem_, order_, cell, [&](const auto& add) {
    for (std::size_t i = range.begin; i < range.end; ++i) add.row(i, order_.row(i))(0);
  });
}

void Accumulator::add_by_node(const std::int32_t* node_of_row, Sum* cells) const {
  with_adder(problem_, order_, cells, [&](const auto& add) {
    for (std::size_t i = 0; i < problem_.n_rows; ++i)
      add.row(i, static_cast<Row>(i))(static_cast<std::size_t>(node_of_row[i]));
  });
}

std::size_t Accumulator::add_block(const RowBlock& block, Range range, Sum* cells,
                                   std::uint32_t* counts) const {
  if (is_wide(problem_))
    return add_wide_block(block, wide_rows(problem_, order_), range, cells, counts);
  return add_entries(block.row_start.data(), block.entries.data(), range, cells, counts);
}

std::size_t Accumulator::add_entries(const std::uint32_t* row_start, const std::uint16_t* entries,
                                     Range range, Sum* cells, std::uint32_t* counts) const {
  if (is_wide(problem_))
    return add_wide_entries(row_start, entries, wide_rows(problem_, order_), range, cells, counts);
  // Rows that are not in the order of the table lie anywhere: ask for their entries ahead of time.
  constexpr std::size_t ahead = 8;
  const bool is_identity = order_.is_identity();
  const Row* rows = order_.rows();
  std::size_t reads = 0;
  with_adder(problem_, order_, cells, [&](const auto& add) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!is_identity && i + 2 * ahead < range.end) {
        __builtin_prefetch(row_start + rows[i + 2 * ahead]);
        __builtin_prefetch(entries + row_start[rows[i + ahead]]);
      }
      const std::size_t row = is_identity ? i : rows[i];
      const auto add_row = add.row(i, static_cast<Row>(row));
      const std::uint16_t* entry = entries + row_start[row];
      const std::uint16_t* end = entries + row_start[row + 1];
      counts != nullptr ? add_entries_of<true>(add_row, entry, end, counts)
                        : add_entries_of<false>(add_row, entry, end, counts);
      reads += row_start[row + 1] - row_start[row];
    }
  });
  return reads;
}

void Accumulator::add_codes(const CodeReader& code_of, Range range, Sum* cells,
                            std::uint32_t* counts) const {
  with_adder(problem_, order_, cells, [&](const auto& add) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Row row = order_.row(i);
      const auto code = static_cast<std::size_t>(code_of(row));
      add.row(i, row)(code);
      ++counts[code];
    }
  });
}

void Accumulator::fill_rest(const Target& target, int code, const Sum* totals, int n_channels,
                            std::size_t n_rows) {
  Sum* rest = target.cells + static_cast<std::size_t>(code) * n_channels;
  std::copy(totals, totals + n_channels, rest);
  for (int other = 0; other < target.column->n_codes(); ++other) {
    if (other == code) continue;
    if (target.counts != nullptr && target.counts[other] == 0) continue;
    const Sum* cell = target.cells + static_cast<std::size_t>(other) * n_channels;
    for (int c = 0; c < n_channels; ++c) rest[c] -= cell[c];
  }
  if (target.counts == nullptr) return;
  target.counts[code] = 0;
  std::size_t others = 0;
  for (int other = 0; other < target.column->n_codes(); ++other) others += target.counts[other];
  target.counts[code] = static_cast<std::uint32_t>(n_rows - others);
}

}  // namespace frugalboost
