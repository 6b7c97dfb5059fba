#include <cmath>
#include <vector>

#include "bindings/matrix_view.hpp"
#include "bindings/support.hpp"
#include "core/predict/predict.hpp"

namespace frugalboost {
namespace {

using Sums = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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
              roots(roots.shape(0) - 1) == static_cast<std::int64_t>(n) && n < (1u << 30),
          "roots must run from 0 to the number of nodes");
  std::vector<FlatNode> nodes(n);
  std::vector<bool> has_parent(n);
  for (std::size_t tree = 0; tree + 1 < roots.shape(0); ++tree) {
    const std::int64_t begin = roots(tree), end = roots(tree + 1);
    require(0 <= begin && begin < end && end <= static_cast<std::int64_t>(n), "roots must rise");
    for (std::int64_t i = begin; i < end; ++i) {
      FlatNode& node = nodes[i];
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
      require(node.left != node.right && !has_parent[node.left] && !has_parent[node.right],
              "a node must not have two parents");
      has_parent[node.left] = has_parent[node.right] = true;
      require(node.category_start >= 0 || !std::isnan(node.threshold),
              "a numeric split must have a threshold");
      const std::int64_t n_words = (std::int64_t{node.n_categories} + 63) / 64;
      require(node.category_start < 0 || (node.n_categories >= 0 &&
                                          node.category_start + n_words <=
                                              static_cast<std::int64_t>(category_words.shape(0))),
              "a node's categories are out of range");
    }
  }
  return Forest(nodes, {roots.data(), roots.data() + roots.shape(0)},
                {category_words.data(), category_words.data() + category_words.shape(0)},
                {values.data(), values.data() + values.size()}, static_cast<int>(values.shape(1)),
                n_features);
}

MatrixView checked_view(const Forest& forest, const AnyMatrix& X, std::size_t first,
                        std::size_t last, int n_threads) {
  require(X.shape(1) == static_cast<std::size_t>(forest.n_features) && first <= last &&
              last <= forest.n_trees() && n_threads >= 1,
          "X, first, last or n_threads do not fit the forest");
  return view_of(X);
}

void add(const Forest& forest, const AnyMatrix& X, std::size_t first, std::size_t last,
         int n_threads, const Sums& decision) {
  const MatrixView view = checked_view(forest, X, first, last, n_threads);
  require(decision.shape(0) == view.n_rows &&
              decision.shape(1) == static_cast<std::size_t>(forest.n_outputs),
          "decision must have one row for each row of X and one column for each output");
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  add_trees(forest, view, first, last, n_threads, poll, decision.data());
}

void add_from(const Forest& forest, const AnyMatrix& X, Array<std::int32_t, 1> first_of_row,
              int n_threads, const Sums& decision) {
  const MatrixView view = checked_view(forest, X, 0, forest.n_trees(), n_threads);
  require(first_of_row.shape(0) == view.n_rows && decision.shape(0) == view.n_rows &&
              decision.shape(1) == static_cast<std::size_t>(forest.n_outputs),
          "first_of_row and decision must have one row for each row of X");
  for (std::size_t i = 0; i < view.n_rows; ++i)
    require(first_of_row(i) >= 0 && static_cast<std::size_t>(first_of_row(i)) <= forest.n_trees(),
            "first_of_row must be from 0 to the number of trees");
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  add_trees_from(forest, view, first_of_row.data(), n_threads, poll, decision.data());
}

nb::ndarray<nb::numpy, double> predict(const Forest& forest, const AnyMatrix& X, std::size_t first,
                                       std::size_t last, double baseline, int n_threads) {
  const MatrixView view = checked_view(forest, X, first, last, n_threads);
  auto decision = fresh<double>({view.n_rows, static_cast<std::size_t>(forest.n_outputs)});
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    sum_trees(forest, view, first, last, baseline, n_threads, poll, decision.data());
  }
  return decision;
}

nb::ndarray<nb::numpy, std::int32_t> apply(const Forest& forest, const AnyMatrix& X,
                                           std::size_t first, std::size_t last, int n_threads) {
  const MatrixView view = checked_view(forest, X, first, last, n_threads);
  auto leaves = fresh<std::int32_t>({view.n_rows, last - first});
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    find_leaves(forest, view, first, last, n_threads, poll, leaves.data());
  }
  return leaves;
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
      .def_prop_ro("has_categories", &Forest::has_categories)
      .def("add", &add, "X"_a, "first"_a, "last"_a, "n_threads"_a, "decision"_a.noconvert())
      .def("add_from", &add_from, "X"_a, "first_of_row"_a, "n_threads"_a, "decision"_a.noconvert())
      .def("predict", &predict, "X"_a, "first"_a, "last"_a, "baseline"_a, "n_threads"_a)
      .def("apply", &apply, "X"_a, "first"_a, "last"_a, "n_threads"_a);
}
