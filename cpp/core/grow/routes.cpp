#include "core/grow/routes.hpp"

#include <algorithm>
#include <utility>

#include "core/histogram/accumulate.hpp"

namespace frugalboost {
namespace {

std::vector<std::uint8_t> side_of_code_at(const Columns& columns, const GrownTree& tree,
                                          std::size_t id) {
  const Column& column = columns.columns[tree.feature[id]];
  std::vector<std::uint8_t> sides(column.n_codes(), 0);
  if (column.is_categorical) {
    const std::uint64_t* words = tree.category_words.data() + tree.category_start[id];
    for (int code = 0; code < column.n_bins; ++code)
      sides[code] = words[code / 64] >> (code % 64) & 1;
  } else {
    std::fill_n(sides.begin(), tree.bin[id] + 1, std::uint8_t{1});
  }
  if (column.has_missing) sides[column.missing_code()] = tree.missing_left[id];
  return sides;
}

void find_leaves(const Columns& columns, const std::vector<Row>& rows, const GrownTree& tree,
                 SideFinder& sides, RowOrder& order, std::int32_t* node_of_row) {
  std::vector<std::pair<std::size_t, Range>> open{{0, {0, rows.size()}}};
  while (!open.empty()) {
    const auto [id, range] = open.back();
    open.pop_back();
    if (tree.feature[id] < 0) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        node_of_row[order.row(i)] = static_cast<std::int32_t>(id);
      continue;
    }
    const auto feature = static_cast<std::uint32_t>(tree.feature[id]);
    const Division division =
        sides.divide(feature, range, side_of_code_at(columns, tree, id), 0, false, order);
    open.push_back({static_cast<std::size_t>(tree.left[id]), division.left()});
    open.push_back({static_cast<std::size_t>(tree.right[id]), division.right()});
  }
}

void add_sums_of_all(const Problem& problem, RowOrder& order, const std::int32_t* node_of_row,
                     GrownTree& tree) {
  Problem whole = problem;
  whole.signed_cells = false;
  order.reset(whole, nullptr, whole.n_rows, false);
  const std::size_t n_channels = whole.n_channels(), n_sums = whole.n_sums();
  std::vector<Sum> totals(tree.n_nodes() * n_channels, 0);
  Accumulator(whole, order).add_by_node(node_of_row, totals.data());
  tree.sums_of_all.resize(tree.n_nodes() * n_sums);
  for (std::size_t id = 0; id < tree.n_nodes(); ++id)
    write_sums(whole, totals.data() + id * n_channels, tree.sums_of_all.data() + id * n_sums);
}

}  // namespace

void route_rest(const Columns& columns, const Problem& problem, int n_threads, SideFinder& sides,
                UnfilledVector<std::int32_t>& node_of_row, GrownTree& tree) {
  std::vector<Row> rest;
  for (std::size_t row = 0; row < node_of_row.size(); ++row)
    if (node_of_row[row] < 0) rest.push_back(static_cast<Row>(row));
  Problem bare;  // of a layout that carries no weights along
  bare.layout = Layout::votes;
  bare.n_rows = problem.n_rows;
  RowOrder order(n_threads);
  order.reset(bare, rest.data(), rest.size(), false);
  find_leaves(columns, rest, tree, sides, order, node_of_row.data());
  add_sums_of_all(problem, order, node_of_row.data(), tree);
}

}  // namespace frugalboost
