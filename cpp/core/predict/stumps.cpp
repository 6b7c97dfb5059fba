#include "core/predict/stumps.hpp"

#include <vector>

#include "core/base/dispatch.hpp"
#include "core/base/scratch.hpp"
#include "core/predict/tile.hpp"
#include "core/predict/walk.hpp"

namespace frugalboost {
namespace {

// Loops without a branch in them, which compilers turn into vectors.
template <class Real>
inline __attribute__((always_inline)) void add_by_side(const Stump<Real>& stump, const Real* x,
                                                       std::size_t n, double* decision) {
  const Real threshold = stump.threshold;
  const double low = stump.low, high = stump.high;
  if (stump.missing_high)
    for (std::size_t i = 0; i < n; ++i) decision[i] += x[i] <= threshold ? low : high;
  else
    for (std::size_t i = 0; i < n; ++i) decision[i] += x[i] > threshold ? high : low;
}

// The stumps of a forest, and the features that they use, each once.
template <class Real>
struct StumpList {
  std::vector<Stump<Real>> stumps;
  std::vector<std::int32_t> features;

  StumpList(const Forest& forest, const PackedNode<Real>* nodes, std::size_t first,
            std::size_t last) {
    std::vector<std::int32_t> column(forest.n_features, -1);
    for (std::size_t tree = first; tree < last; ++tree) {
      const auto root = static_cast<std::int32_t>(forest.roots[tree]);
      const PackedNode<Real>& node = nodes[root];
      // A tree without a split leads to itself on both sides.
      const std::int32_t low = node.link >> 1, high = forest.depth[tree] > 0 ? low + 1 : low;
      std::int32_t& at = column[node.feature];
      if (at < 0) {
        at = static_cast<std::int32_t>(features.size());
        features.push_back(node.feature);
      }
      stumps.push_back({node.threshold, static_cast<bool>(node.link & 1), at, forest.values[low],
                        forest.values[high]});
    }
  }
};

template <class T>
void add_to_rows(const Forest& forest, const MatrixView& X, std::size_t begin, std::size_t end,
                 std::size_t first, std::size_t last, double* decision) {
  const Walk<T, false> walk(forest, X);
  using Real = typename Walk<T, false>::Real;
  const StumpList<Real> list(forest, walk.nodes, first, last);
  Scratch<TileColumn<Real>> room;
  TileColumn<Real>* tile = room.room_for(list.features.size());
  for (; begin < end; begin += tile_rows) {
    const std::size_t stop = std::min(end, begin + tile_rows);
    fill_tile<T>(X, list.features, begin, stop, tile);
    for (const Stump<Real>& stump : list.stumps)
      add_stump(stump, tile[stump.column].values, stop - begin, decision + begin);
  }
}

}  // namespace

FRUGALBOOST_CLONES void add_stump(const Stump<float>& stump, const float* x, std::size_t n,
                                  double* decision) {
  add_by_side(stump, x, n, decision);
}

FRUGALBOOST_CLONES void add_stump(const Stump<double>& stump, const double* x, std::size_t n,
                                  double* decision) {
  add_by_side(stump, x, n, decision);
}

void add_stumps(const Forest& forest, const MatrixView& X, std::size_t begin, std::size_t end,
                std::size_t first, std::size_t last, double* decision) {
  with_type(X.type, [&](auto zero) {
    add_to_rows<decltype(zero)>(forest, X, begin, end, first, last, decision);
  });
}

}  // namespace frugalboost
