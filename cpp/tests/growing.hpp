// Growing trees in tests, and comparing them.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/grow/grower.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {

inline const Poll no_poll = [] {};

inline std::vector<Row> heaviest_first(const Problem& problem) {
  std::vector<Row> rows(problem.n_rows);
  std::iota(rows.begin(), rows.end(), Row{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Row a, Row b) { return problem.mass_of(a) > problem.mass_of(b); });
  return rows;
}

// A tree and where its rows went.
struct Grown {
  GrownTree tree;
  UnfilledVector<std::int32_t> nodes;
};

inline Grown grow(Grower& grower, const Problem& problem, const std::vector<Row>* rows,
                  const std::vector<std::uint32_t>& features) {
  GrownTree tree = grower.grow(problem, rows == nullptr ? nullptr : rows->data(), problem.n_rows,
                               features, no_poll);
  return {std::move(tree), grower.node_of_row()};
}

inline std::vector<std::uint32_t> all_features(const Table& table) {
  std::vector<std::uint32_t> features(table.columns.columns.size());
  std::iota(features.begin(), features.end(), 0u);
  return features;
}

inline Grown grow(const Table& table, const Problem& problem, GrowOptions options) {
  Grower grower(table.columns, options);
  const std::vector<Row> rows = heaviest_first(problem);
  return grow(grower, problem, &rows, all_features(table));
}

inline bool same_tree(const Grown& x, const Grown& y) {
  const GrownTree &a = x.tree, &b = y.tree;
  return a.feature == b.feature && a.bin == b.bin && a.left == b.left && a.right == b.right &&
         a.missing_left == b.missing_left && a.category_start == b.category_start &&
         a.category_words == b.category_words && a.loss == b.loss && a.gain == b.gain &&
         a.n_samples == b.n_samples && a.sums == b.sums && x.nodes == y.nodes;
}

// Columns that nobody has stored by rows yet.
inline void copy_columns(const Table& table, Columns& columns) {
  columns.n_rows = table.columns.n_rows;
  columns.columns = table.columns.columns;
}

inline bool operator==(const Grown& a, const Grown& b) { return same_tree(a, b); }

}  // namespace frugalboost::testing
