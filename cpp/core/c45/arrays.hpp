// A finished tree as arrays, and the shares of the classes that it gives to rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/c45/tree.hpp"

namespace frugalboost::c45 {

// Nodes in the order of a walk that takes the first branch first.
struct Arrays {
  std::vector<std::int32_t> feature;  // -1: a leaf
  std::vector<double> threshold;      // NaN for categories and leaves
  std::vector<std::int32_t> label;
  std::vector<double> by_class;            // n_classes for each node
  std::vector<std::int64_t> child_offset;  // one more than nodes
  std::vector<std::int32_t> children;
};

Arrays to_arrays(const Table& table, const Tree& tree);

struct View {
  const std::int32_t* feature;
  const double* threshold;
  const std::int32_t* label;
  const double* by_class;
  const std::int64_t* child_offset;
  const std::int32_t* children;
  std::size_t n_nodes, n_classes;
};

// Writes a row of `shares` for each of X, whose categories are codes and missing values NaN.
void add_shares(const View& tree, const double* X, std::size_t n_rows, std::size_t n_features,
                const Poll& poll, double* shares);

}  // namespace frugalboost::c45
