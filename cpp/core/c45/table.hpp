// What a tree of C4.5 grows on, and the cases of a node. The twin is reference/c45*.py: sums are
// taken in the same order, so that both give the same tree to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/types.hpp"

namespace frugalboost::c45 {

constexpr std::int32_t unknown = -1;

// How far below the average a gain may be, how small the entropy of a split at most, and by how
// much a subtree must do better than a leaf.
constexpr double slack = 1e-3;

// A column: codes of its ascending values, or of categories; `unknown` where missing.
struct Column {
  const std::int32_t* codes;
  const double* values;  // of the codes, unless they are categories
  std::int32_t n_codes;
  bool is_category;
};

struct Table {
  std::size_t n_rows = 0;
  std::size_t n_classes = 0;
  std::vector<Column> columns;
  const std::int32_t* labels = nullptr;
};

// Rows, ascending, and weights. A case with an unknown value is in several branches, with a share
// of its weight in each.
struct Cases {
  std::vector<Row> rows;
  std::vector<double> weights;

  std::size_t size() const { return rows.size(); }
  void reserve(std::size_t n) {
    rows.reserve(n);
    weights.reserve(n);
  }
  void give_back_spare_room() {
    if (rows.capacity() <= 2 * rows.size()) return;
    rows.shrink_to_fit();
    weights.shrink_to_fit();
  }
  void add(Row row, double weight) {
    rows.push_back(row);
    weights.push_back(weight);
  }
};

inline double add_up(const double* terms, std::size_t n) {
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += terms[i];
  return total;
}
inline double add_up(const std::vector<double>& terms) {
  return add_up(terms.data(), terms.size());
}

}  // namespace frugalboost::c45
