#include "core/predict/predict.hpp"

#include <algorithm>

#include "core/base/kernel_parts.hpp"
#include "core/predict/stumps.hpp"
#include "core/predict/visit.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {
namespace {

// Adds what leaves say to the decisions of rows. `Outputs` is their number, or a `Fixed` one.
template <class Outputs>
struct Adder {
  const double* values;
  Outputs n_outputs;
  double* decision;

  void walked(std::size_t row, std::size_t, std::int32_t node) const {
    add(values + node * std::size_t{n_outputs}, row);
  }

  template <class Masks>
  void masked(std::size_t row, std::size_t n, std::size_t tree, const Masks& masks,
              const std::uint32_t* leaves) const {
    const double* by_leaf = masks.leaf_values.data() + masks.tree(tree).first_leaf * n_outputs;
    for (std::size_t i = 0; i < n; ++i) add(by_leaf + leaves[i] * std::size_t{n_outputs}, row + i);
  }

  void add(const double* said, std::size_t row) const {
    double* sums = decision + row * n_outputs;
    for (std::size_t v = 0; v < n_outputs; ++v) sums[v] += said[v];
  }
};

// Calls body with an adder.
template <class Body>
void with_adder(const Forest& forest, double* decision, Body&& body) {
  const std::size_t n_outputs = forest.n_outputs;
  if (n_outputs == 1) return body(Adder<Fixed<1>>{forest.values.data(), {}, decision});
  body(Adder<std::size_t>{forest.values.data(), n_outputs, decision});
}

// Notes the leaves themselves.
struct Noter {
  const std::int32_t* number;
  std::size_t first, n_trees;
  std::int32_t* noted;

  void walked(std::size_t row, std::size_t tree, std::int32_t node) const {
    noted[row * n_trees + (tree - first)] = number[node];
  }

  template <class Masks>
  void masked(std::size_t row, std::size_t n, std::size_t tree, const Masks& masks,
              const std::uint32_t* leaves) const {
    const std::int32_t* nodes = &masks.leaf_nodes[masks.tree(tree).first_leaf];
    for (std::size_t i = 0; i < n; ++i) walked(row + i, tree, nodes[leaves[i]]);
  }
};

// Blocks of whole tiles: as many as keep all threads busy to the end, but not so many that room for
// tiles and looks at the stumps are felt.
std::size_t rows_per_block(std::size_t n, int n_threads, std::size_t most) {
  const std::size_t fair = n / (4 * static_cast<std::size_t>(n_threads)) / tile_rows * tile_rows;
  return std::clamp(fair, tile_rows, most);
}

// Calls body(begin, end) for blocks of n rows. `cost` is the work of a row in cell updates.
template <class Body>
void for_blocks(std::size_t n, std::size_t most, std::size_t cost, int n_threads, const Poll& poll,
                Body&& body) {
  const std::size_t rows = rows_per_block(n, n_threads, most);
  const std::size_t n_blocks = (n + rows - 1) / rows;
  const int team = static_cast<int>(std::min<std::size_t>(n_threads, n_blocks));
  parallel_for(n_blocks, std::min(n, rows) * cost, std::max(team, 1), poll,
               [&](std::size_t block) { body(block * rows, std::min(n, (block + 1) * rows)); });
}

// Calls body(visitor, begin, end) for blocks of all rows; the visitor knows trees [first, last).
template <class Out, class Body>
void visit_rows(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
                int n_threads, const Poll& poll, const Out& out, Body&& body) {
  constexpr std::size_t most = 8 * tile_rows;
  with_walk(forest, X, [&](const auto& walk) {
    const Visitor visitor(walk, out, first, last, X.n_rows);
    for_blocks(X.n_rows, most, visitor.cost(last - first) + 1, n_threads, poll,
               [&](std::size_t begin, std::size_t end) { body(visitor, begin, end); });
  });
}

// Adds trees [first, last) to rows that start(begin, end) has made ready.
template <class Start>
void add_to_blocks(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
                   int n_threads, const Poll& poll, double* decision, Start&& start) {
  if (forest.stumps_only && X.n_rows >= n_lanes) {
    constexpr std::size_t most = 64 * tile_rows;
    return for_blocks(X.n_rows, most, last - first + 1, n_threads, poll,
                      [&](std::size_t begin, std::size_t end) {
                        start(begin, end);
                        add_stumps(forest, X, begin, end, first, last, decision);
                      });
  }
  with_adder(forest, decision, [&](const auto& adder) {
    visit_rows(forest, X, first, last, n_threads, poll, adder,
               [&](const auto& visitor, std::size_t begin, std::size_t end) {
                 start(begin, end);
                 visitor.visit(begin, end, first, last);
               });
  });
}

}  // namespace

void add_trees(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
               int n_threads, const Poll& poll, double* decision) {
  if (first == last) return;
  add_to_blocks(forest, X, first, last, n_threads, poll, decision, [](std::size_t, std::size_t) {});
}

void sum_trees(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
               double baseline, int n_threads, const Poll& poll, double* decision) {
  const std::size_t n_outputs = forest.n_outputs;
  // By the thread that adds to them next: fresh memory is not there before it is touched.
  add_to_blocks(forest, X, first, last, n_threads, poll, decision,
                [=](std::size_t begin, std::size_t end) {
                  std::fill(decision + begin * n_outputs, decision + end * n_outputs, baseline);
                });
}

void add_trees_from(const Forest& forest, const MatrixView& X, const std::int32_t* first_of_row,
                    int n_threads, const Poll& poll, double* decision) {
  if (X.n_rows == 0) return;
  const std::size_t last = forest.n_trees();
  const auto [lowest, highest] = std::minmax_element(first_of_row, first_of_row + X.n_rows);
  if (*lowest == *highest) return add_trees(forest, X, *lowest, last, n_threads, poll, decision);
  // Rows that have seen the same trees go side by side.
  const auto for_runs = [&](std::size_t begin, std::size_t end, const auto& body) {
    for (std::size_t stop, row = begin; row < end; row = stop) {
      const std::int32_t first = first_of_row[row];
      for (stop = row + 1; stop < end && first_of_row[stop] == first;) ++stop;
      if (static_cast<std::size_t>(first) < last) body(row, stop, static_cast<std::size_t>(first));
    }
  };
  with_adder(forest, decision, [&](const auto& adder) {
    visit_rows(forest, X, *lowest, last, n_threads, poll, adder,
               [&](const auto& visitor, std::size_t begin, std::size_t end) {
                 for_runs(begin, end, [&](std::size_t row, std::size_t stop, std::size_t first) {
                   visitor.visit(row, stop, first, last);
                 });
               });
  });
}

void find_leaves(const Forest& forest, const MatrixView& X, std::size_t first, std::size_t last,
                 int n_threads, const Poll& poll, std::int32_t* leaves) {
  const Noter noter{forest.number.data(), first, last - first, leaves};
  visit_rows(forest, X, first, last, n_threads, poll, noter,
             [&](const auto& visitor, std::size_t begin, std::size_t end) {
               visitor.visit(begin, end, first, last);
             });
}

}  // namespace frugalboost
