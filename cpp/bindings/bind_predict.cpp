#include <algorithm>

#include "bindings/support.hpp"
#include "core/forest.hpp"

namespace frugalboost {
namespace {

Forest make_forest(Array<std::int64_t, 1> roots, Array<std::int32_t, 1> feature,
                   Array<double, 1> threshold, Array<std::int32_t, 1> left,
                   Array<std::int32_t, 1> right, Array<std::uint8_t, 1> missing_left,
                   Array<std::int32_t, 1> category_start, Array<std::int32_t, 1> n_categories,
                   Array<std::uint64_t, 1> category_words, Array<double, 2> values,
                   int n_features) {
  const std::size_t n = feature.shape(0);
  require(threshold.shape(0) == n && left.shape(0) == n && right.shape(0) == n &&
              missing_left.shape(0) == n && category_start.shape(0) == n &&
              n_categories.shape(0) == n && values.shape(0) == n,
          "the arrays of a forest must have one entry per node");
  require(roots.shape(0) >= 1 && roots(0) == 0 &&
              roots(roots.shape(0) - 1) == static_cast<std::int64_t>(n) && n < (1u << 31),
          "roots must run from 0 to the number of nodes");
  Forest forest;
  forest.roots.assign(roots.data(), roots.data() + roots.shape(0));
  forest.category_words.assign(category_words.data(),
                               category_words.data() + category_words.shape(0));
  forest.values.assign(values.data(), values.data() + values.size());
  forest.n_outputs = static_cast<int>(values.shape(1));
  forest.n_features = n_features;
  forest.nodes.resize(n);
  for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
    const std::int64_t begin = forest.roots[tree], end = forest.roots[tree + 1];
    require(0 <= begin && begin < end && end <= static_cast<std::int64_t>(n), "roots must rise");
    for (std::int64_t i = begin; i < end; ++i) {
      ForestNode& node = forest.nodes[i];
      node.feature = feature(i);
      if (node.feature < 0) continue;
      node.threshold = threshold(i);
      node.missing_left = missing_left(i);
      node.category_start = category_start(i);
      node.n_categories = n_categories(i);
      node.left = static_cast<std::int32_t>(begin + left(i));
      node.right = static_cast<std::int32_t>(begin + right(i));
      // Children after their parent: a walk always ends.
      require(node.feature < n_features && node.left > i && node.left < end && node.right > i &&
                  node.right < end,
              "a node's feature or children are out of range");
      const std::int64_t n_words = (node.n_categories + 63) / 64;
      require(node.category_start < 0 || (node.n_categories >= 0 &&
                                          node.category_start + n_words <=
                                              static_cast<std::int64_t>(category_words.shape(0))),
              "a node's categories are out of range");
    }
  }
  return forest;
}

template <class Real>
nb::ndarray<nb::numpy, double> predict(const Forest& forest, Array<Real, 2> X, std::size_t first,
                                       std::size_t last, double baseline, int n_threads) {
  require(X.shape(1) == static_cast<std::size_t>(forest.n_features) && first <= last &&
              last <= forest.n_trees() && n_threads >= 1,
          "X, first, last or n_threads do not fit the forest");
  const std::size_t n = X.shape(0), n_outputs = forest.n_outputs;
  std::vector<double> decision(n * n_outputs, baseline);
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    add_trees(forest, X.data(), n, first, last, n_threads, poll, decision.data());
  }
  return to_numpy(std::move(decision), {n, n_outputs});
}

template <class Real>
nb::ndarray<nb::numpy, std::int32_t> apply(const Forest& forest, Array<Real, 2> X,
                                           std::size_t first, std::size_t last, int n_threads) {
  require(X.shape(1) == static_cast<std::size_t>(forest.n_features) && first <= last &&
              last <= forest.n_trees() && n_threads >= 1,
          "X, first, last or n_threads do not fit the forest");
  const std::size_t n = X.shape(0), n_trees = last - first;
  std::vector<std::int32_t> leaves(n * n_trees);
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    find_leaves(forest, X.data(), n, first, last, n_threads, poll, leaves.data());
  }
  return to_numpy(std::move(leaves), {n, n_trees});
}

}  // namespace
}  // namespace frugalboost

void bind_predict(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<Forest>(module, "Forest")
      .def(nb::new_(&make_forest), nb::kw_only(), "roots"_a, "feature"_a, "threshold"_a, "left"_a,
           "right"_a, "missing_left"_a, "category_start"_a, "n_categories"_a, "category_words"_a,
           "values"_a, "n_features"_a)
      .def_prop_ro("n_trees", &Forest::n_trees)
      .def("predict", &predict<float>, "X"_a.noconvert(), "first"_a, "last"_a, "baseline"_a,
           "n_threads"_a)
      .def("predict", &predict<double>, "X"_a.noconvert(), "first"_a, "last"_a, "baseline"_a,
           "n_threads"_a)
      .def("apply", &apply<float>, "X"_a.noconvert(), "first"_a, "last"_a, "n_threads"_a)
      .def("apply", &apply<double>, "X"_a.noconvert(), "first"_a, "last"_a, "n_threads"_a);
}
