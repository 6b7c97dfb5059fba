// The way of many rows, or of one row in many trees, from the root to a leaf, side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/base/kernel_parts.hpp"
#include "core/predict/forest.hpp"

namespace frugalboost {

// Every step waits for the node before it; a processor that has this many other steps at hand
// works on them meanwhile.
constexpr std::size_t n_lanes = 16;

// Integers of 16 bits and less are floats, exactly.
template <class T>
constexpr bool compares_as_float = std::is_same_v<T, float> || sizeof(T) <= 2;

// A forest and a table whose values have type T.
template <class T, bool has_categories>
struct Walk {
  using Value = T;
  using Real = std::conditional_t<compares_as_float<T>, float, double>;

  Walk(const Forest& its_forest, const MatrixView& its_table)
      : forest(its_forest), table(its_table) {
    if constexpr (compares_as_float<T>)
      nodes = forest.float_nodes.data();
    else
      nodes = forest.double_nodes.data();
  }

  const char* row(std::size_t i) const {
    return table.data + static_cast<std::ptrdiff_t>(i) * table.row_stride;
  }

  std::int32_t root(std::size_t tree) const {
    return static_cast<std::int32_t>(forest.roots[tree]);
  }

  // The child, or the leaf itself.
  std::int32_t next(std::int32_t at, const char* row) const {
    const PackedNode<Real>& node = nodes[at];
    T raw;  // copied, as a column of a record need not be aligned
    std::memcpy(&raw, row + node.feature * table.column_stride, sizeof(T));
    const Real x = static_cast<Real>(raw);
    std::int32_t right = x > node.threshold;
    if constexpr (has_categories)
      if (forest.sets[at].start >= 0) right = !holds(forest.sets[at], x, !(node.link & 1));
    if constexpr (std::is_floating_point_v<T>) right |= (x != x) & node.link;
    return (node.link >> 1) + right;
  }

  bool holds(const CategorySet& set, double code, bool unseen) const {
    // Written so that NaN, too, counts as unseen.
    if (!(code >= 0.0 && code < set.size)) return unseen;
    const auto bit = static_cast<std::uint32_t>(code);
    return (forest.category_words[set.start + bit / 64] >> (bit % 64)) & 1;
  }

  const Forest& forest;
  const MatrixView& table;
  const PackedNode<Real>* nodes;
};

// Calls body with a Walk for the type of the table.
template <class T, class Body>
void with_walk(const Forest& forest, const MatrixView& X, Body&& body) {
  if (forest.has_categories())
    body(Walk<T, true>(forest, X));
  else
    body(Walk<T, false>(forest, X));
}

template <class Body>
void with_walk(const Forest& forest, const MatrixView& X, Body&& body) {
  with_type(X.type, [&](auto zero) { with_walk<decltype(zero)>(forest, X, body); });
}

struct Walkers {
  const char* row[n_lanes];
  std::int32_t at[n_lanes];
};

template <class Way>
void descend(const Way& walk, Walkers& lanes, std::int32_t depth) {
  for (std::int32_t level = 0; level < depth; ++level) {
    std::int32_t moved = 0;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const std::int32_t next = walk.next(lanes.at[lane], lanes.row[lane]);
      moved |= next ^ lanes.at[lane];
      lanes.at[lane] = next;
    }
    if (moved == 0) return;  // all at leaves of an uneven tree
  }
}

// Calls visit(row, tree, node) for rows [row, row + n), at most n_lanes of them, in one tree.
// `Rows` is a number, or a `Fixed` one.
template <class Way, class Rows, class Visit>
void visit_lanes(const Way& walk, std::size_t row, Rows n, std::size_t tree, Visit&& visit) {
  Walkers lanes;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    lanes.row[lane] = walk.row(row + std::min<std::size_t>(lane, n - 1));
    lanes.at[lane] = walk.root(tree);
  }
  descend(walk, lanes, walk.forest.depth[tree]);
  for (std::size_t lane = 0; lane < n; ++lane) visit(row + lane, tree, lanes.at[lane]);
}

// Calls visit(row, tree, node) for one row in trees [first, last), at most n_lanes of them.
template <class Way, class Visit>
void visit_trees(const Way& walk, std::size_t row, std::size_t first, std::size_t last,
                 Visit&& visit) {
  Walkers lanes;
  std::int32_t depth = 0;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) {
    const std::size_t tree = std::min(first + lane, last - 1);
    lanes.row[lane] = walk.row(row);
    lanes.at[lane] = walk.root(tree);
    depth = std::max(depth, walk.forest.depth[tree]);
  }
  descend(walk, lanes, depth);
  for (std::size_t tree = first; tree < last; ++tree) visit(row, tree, lanes.at[tree - first]);
}

// The same for rows [begin, end), fewer than n_lanes, and any number of trees: rows side by side,
// or the trees of each, whichever leaves fewer lanes idle.
template <class Way, class Visit>
void visit_few(const Way& walk, std::size_t begin, std::size_t end, std::size_t first,
               std::size_t last, Visit&& visit) {
  const std::size_t n_trees = last - first;
  if ((end - begin) * ((n_trees + n_lanes - 1) / n_lanes) > n_trees) {
    for (std::size_t tree = first; tree < last; ++tree)
      visit_lanes(walk, begin, end - begin, tree, visit);
    return;
  }
  for (std::size_t row = begin; row < end; ++row)
    for (std::size_t tree = first; tree < last; tree += n_lanes)
      visit_trees(walk, row, tree, std::min(last, tree + n_lanes), visit);
}

// Calls visit(row, tree, node) for rows [begin, end) and trees [first, last); a row sees its trees
// in their order.
template <class Way, class Visit>
void visit_block(const Way& walk, std::size_t begin, std::size_t end, std::size_t first,
                 std::size_t last, Visit&& visit) {
  const std::size_t rest = end - (end - begin) % n_lanes;
  for (std::size_t tree = first; tree < last; ++tree)
    for (std::size_t row = begin; row < rest; row += n_lanes)
      visit_lanes(walk, row, Fixed<n_lanes>{}, tree, visit);
  if (rest < end) visit_few(walk, rest, end, first, last, visit);
}

}  // namespace frugalboost
