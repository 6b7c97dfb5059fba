#include "core/forest.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace frugalboost {
namespace {

// Rows that go through one tree after another while both stay in the cache.
constexpr std::size_t rows_per_block = 256;

template <class Body>
void for_blocks(std::size_t n, std::size_t n_trees, int n_threads, const Poll& poll, Body&& body) {
  const std::size_t n_blocks = (n + rows_per_block - 1) / rows_per_block;
  // A path through a tree is worth about eight cell updates.
  const std::size_t cost = rows_per_block * (n_trees + 1) * 8;
  parallel_for(n_blocks, cost, n_threads, poll, [&](std::size_t block) {
    const std::size_t begin = block * rows_per_block;
    body(begin, std::min(n, begin + rows_per_block));
  });
}

}  // namespace

template <class Real>
void add_trees(const Forest& forest, const Real* X, std::size_t n, std::size_t first,
               std::size_t last, int n_threads, const Poll& poll, double* decision) {
  const std::size_t n_outputs = forest.n_outputs;
  for_blocks(n, last - first, n_threads, poll, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tree = first; tree < last; ++tree) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t leaf = forest.leaf(tree, X + i * forest.n_features);
        const double* value = forest.values.data() + leaf * n_outputs;
        for (std::size_t v = 0; v < n_outputs; ++v) decision[i * n_outputs + v] += value[v];
      }
    }
  });
}

template <class Real>
void find_leaves(const Forest& forest, const Real* X, std::size_t n, std::size_t first,
                 std::size_t last, int n_threads, const Poll& poll, std::int32_t* leaves) {
  const std::size_t n_trees = last - first;
  for_blocks(n, n_trees, n_threads, poll, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = 0; t < n_trees; ++t)
      for (std::size_t i = begin; i < end; ++i)
        leaves[i * n_trees + t] = forest.leaf(first + t, X + i * forest.n_features) -
                                  static_cast<std::int32_t>(forest.roots[first + t]);
  });
}

template void add_trees(const Forest&, const float*, std::size_t, std::size_t, std::size_t, int,
                        const Poll&, double*);
template void add_trees(const Forest&, const double*, std::size_t, std::size_t, std::size_t, int,
                        const Poll&, double*);
template void find_leaves(const Forest&, const float*, std::size_t, std::size_t, std::size_t, int,
                          const Poll&, std::int32_t*);
template void find_leaves(const Forest&, const double*, std::size_t, std::size_t, std::size_t, int,
                          const Poll&, std::int32_t*);

}  // namespace frugalboost
