#include "core/predict/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/predict/stumps.hpp"
#include "core/predict/walk.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Rows that go through one tree after another while both stay in the cache.
constexpr std::size_t rows_per_block = 64;
static_assert(rows_per_block % n_lanes == 0);

// The largest float that is not above t: a float is at most t if and only if it is at most this.
float float_at_most(double t) {
  const float nearest = static_cast<float>(t);
  return nearest > t ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

template <class Body>
void for_blocks(std::size_t n, std::size_t n_trees, int n_threads, const Poll& poll, Body&& body) {
  const std::size_t n_blocks = (n + rows_per_block - 1) / rows_per_block;
  // A path through a tree is worth about eight cell updates.
  const std::size_t cost = std::min(n, rows_per_block) * (n_trees + 1) * 8;
  const int team = static_cast<int>(std::min<std::size_t>(n_threads, n_blocks));
  parallel_for(n_blocks, cost, std::max(team, 1), poll, [&](std::size_t block) {
    const std::size_t begin = block * rows_per_block;
    body(begin, std::min(n, begin + rows_per_block));
  });
}

// Long blocks: each begins with a look at the stumps.
template <class Body>
void for_stump_blocks(std::size_t n, std::size_t n_trees, int n_threads, const Poll& poll,
                      Body&& body) {
  constexpr std::size_t rows = 64 * tile_rows;
  const std::size_t n_blocks = (n + rows - 1) / rows;
  const int team = static_cast<int>(std::min<std::size_t>(n_threads, n_blocks));
  parallel_for(n_blocks, std::min(n, rows) * (n_trees + 1), std::max(team, 1), poll,
               [&](std::size_t block) { body(block * rows, std::min(n, (block + 1) * rows)); });
}

// Calls body with a function that adds what a node says to a row's decision.
template <class Body>
void with_adder(const Forest& forest, double* decision, Body&& body) {
  const std::size_t n_outputs = forest.n_outputs;
  const double* values = forest.values.data();
  if (n_outputs == 1)
    return body(
        [=](std::size_t row, std::size_t, std::int32_t at) { decision[row] += values[at]; });
  body([=](std::size_t row, std::size_t, std::int32_t at) {
    for (std::size_t v = 0; v < n_outputs; ++v)
      decision[row * n_outputs + v] += values[at * n_outputs + v];
  });
}

// Puts the trees of a model one after the other, level by level.
struct Packer {
  Forest& forest;
  const std::vector<FlatNode>& flat;
  const std::vector<double>& flat_values;
  std::vector<std::pair<std::int32_t, std::int32_t>> queue;  // flat position, level

  void pack_tree(std::int32_t begin) {
    queue.assign(1, {begin, 0});
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const auto [from, level] = queue[k];
      const auto at = static_cast<std::int32_t>(begin + k);
      const FlatNode& node = flat[from];
      forest.number[at] = from - begin;
      const auto n_outputs = static_cast<std::size_t>(forest.n_outputs);
      std::copy_n(&flat_values[from * n_outputs], n_outputs, &forest.values[at * n_outputs]);
      if (node.feature < 0) {
        put(at, std::numeric_limits<double>::infinity(), 0, at, false);
        continue;
      }
      const auto left = static_cast<std::int32_t>(begin + queue.size());
      put(at, node.threshold, node.feature, left, !node.missing_left);
      if (node.category_start >= 0) put_set(at, {node.category_start, node.n_categories});
      queue.push_back({node.left, level + 1});
      queue.push_back({node.right, level + 1});
    }
    forest.depth.push_back(queue.back().second);
  }

  void put(std::int32_t at, double threshold, std::int32_t feature, std::int32_t left,
           bool missing_right) {
    const std::int32_t link = 2 * left + missing_right;
    forest.double_nodes[at] = {threshold, feature, link};
    forest.float_nodes[at] = {float_at_most(threshold), feature, link};
  }

  void put_set(std::int32_t at, CategorySet set) {
    forest.sets.resize(flat.size());
    forest.sets[at] = set;
  }
};

}  // namespace

Forest::Forest(const std::vector<FlatNode>& flat, std::vector<std::int64_t> first_nodes,
               std::vector<std::uint64_t> words, const std::vector<double>& flat_values,
               int outputs, int features)
    : roots(std::move(first_nodes)),
      float_nodes(flat.size()),
      double_nodes(flat.size()),
      category_words(std::move(words)),
      number(flat.size()),
      values(flat_values.size()),
      n_outputs(outputs),
      n_features(features) {
  Packer packer{*this, flat, flat_values, {}};
  for (std::size_t tree = 0; tree < n_trees(); ++tree)
    packer.pack_tree(static_cast<std::int32_t>(roots[tree]));
  // Trees without a split may come with a table that has no column to read.
  stumps_only = n_features > 0 && n_outputs == 1 && !has_categories() &&
                std::all_of(depth.begin(), depth.end(), [](auto levels) { return levels <= 1; });
}

void add_trees(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
               int n_threads, const Poll& poll, double* decision) {
  if (first == last) return;
  if (forest.stumps_only && X.n_rows >= n_lanes)
    return for_stump_blocks(X.n_rows, last - first, n_threads, poll,
                            [&](std::size_t begin, std::size_t end) {
                              add_stumps(forest, X, begin, end, first, last, decision);
                            });
  with_adder(forest, decision, [&](const auto& add) {
    with_walk(forest, X, [&](const auto& walk) {
      for_blocks(X.n_rows, last - first, n_threads, poll, [&](std::size_t begin, std::size_t end) {
        visit_block(walk, begin, end, first, last, add);
      });
    });
  });
}

void add_trees_from(const Forest& forest, const MatrixView& X, const std::int32_t* first_of_row,
                    int n_threads, const Poll& poll, double* decision) {
  if (X.n_rows == 0) return;
  const std::size_t last = forest.n_trees();
  // Rows that have seen the same trees, as fresh ones have, go side by side.
  const auto for_runs = [&](std::size_t begin, std::size_t end, const auto& body) {
    for (std::size_t stop, row = begin; row < end; row = stop) {
      const std::int32_t first = first_of_row[row];
      for (stop = row + 1; stop < end && first_of_row[stop] == first;) ++stop;
      if (static_cast<std::size_t>(first) < last) body(row, stop, static_cast<std::size_t>(first));
    }
  };
  if (forest.stumps_only && std::all_of(first_of_row, first_of_row + X.n_rows,
                                        [&](auto first) { return first == first_of_row[0]; }))
    return add_trees(forest, X, first_of_row[0], last, n_threads, poll, decision);
  with_adder(forest, decision, [&](const auto& add) {
    with_walk(forest, X, [&](const auto& walk) {
      for_blocks(X.n_rows, last, n_threads, poll, [&](std::size_t begin, std::size_t end) {
        for_runs(begin, end, [&](std::size_t row, std::size_t stop, std::size_t first) {
          visit_block(walk, row, stop, first, last, add);
        });
      });
    });
  });
}

void find_leaves(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
                 int n_threads, const Poll& poll, std::int32_t* leaves) {
  const std::size_t n_trees = last - first;
  const std::int32_t* number = forest.number.data();
  const auto note = [=](std::size_t row, std::size_t tree, std::int32_t at) {
    leaves[row * n_trees + (tree - first)] = number[at];
  };
  with_walk(forest, X, [&](const auto& walk) {
    for_blocks(X.n_rows, n_trees, n_threads, poll, [&](std::size_t begin, std::size_t end) {
      visit_block(walk, begin, end, first, last, note);
    });
  });
}

}  // namespace frugalboost
