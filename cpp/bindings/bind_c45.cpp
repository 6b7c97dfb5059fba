// Binding of core/c45.
#include <cstdint>

#include "bindings/support.hpp"
#include "core/c45/arrays.hpp"
#include "core/c45/tree.hpp"

namespace frugalboost {
namespace {

c45::Table table_of(const Array<std::int32_t, 2>& codes, const Array<std::int32_t, 1>& labels,
                    const Array<std::int64_t, 1>& offsets, const Array<double, 1>& values,
                    const Array<bool, 1>& is_category, int n_classes) {
  c45::Table table;
  table.n_rows = codes.shape(1);
  table.n_classes = static_cast<std::size_t>(n_classes);
  table.labels = labels.data();
  for (std::size_t f = 0; f < codes.shape(0); ++f) {
    const std::int64_t first = offsets.data()[f];
    table.columns.push_back({codes.data() + f * table.n_rows, values.data() + first,
                             static_cast<std::int32_t>(offsets.data()[f + 1] - first),
                             is_category.data()[f]});
  }
  return table;
}

void check_table(const c45::Table& table) {
  for (const c45::Column& column : table.columns) {
    for (std::size_t i = 0; i < table.n_rows; ++i) {
      require(column.codes[i] >= c45::unknown && column.codes[i] < column.n_codes,
              "a code is out of range");
    }
  }
  for (std::size_t i = 0; i < table.n_rows; ++i) {
    require(table.labels[i] >= 0 && static_cast<std::size_t>(table.labels[i]) < table.n_classes,
            "a label is out of range");
  }
}

c45::Cases cases_of(const Array<double, 1>& weights) {
  c45::Cases cases;
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    if (weights.data()[i] > 0.0) cases.add(static_cast<Row>(i), weights.data()[i]);
  }
  return cases;
}

nb::tuple to_python(c45::Arrays arrays, std::size_t n_classes) {
  const std::size_t n = arrays.feature.size(), n_children = arrays.children.size();
  return nb::make_tuple(
      to_numpy(std::move(arrays.feature), {n}), to_numpy(std::move(arrays.threshold), {n}),
      to_numpy(std::move(arrays.label), {n}), to_numpy(std::move(arrays.by_class), {n, n_classes}),
      to_numpy(std::move(arrays.child_offset), {n + 1}),
      to_numpy(std::move(arrays.children), {n_children}));
}

// Grows a tree on the rows of positive weight, and prunes it if there is a confidence.
nb::tuple grow_c45(const Array<std::int32_t, 2>& codes, const Array<std::int32_t, 1>& labels,
                   const Array<double, 1>& weights, const Array<std::int64_t, 1>& offsets,
                   const Array<double, 1>& values, const Array<bool, 1>& is_category, int n_classes,
                   double min_cases, double confidence) {
  const std::size_t n_features = codes.shape(0), n_rows = codes.shape(1);
  require(n_classes >= 1, "n_classes must be at least 1");
  require(labels.shape(0) == n_rows && weights.shape(0) == n_rows, "arrays differ in length");
  require(offsets.shape(0) == n_features + 1 && is_category.shape(0) == n_features &&
              offsets.data()[0] == 0 &&
              offsets.data()[n_features] == static_cast<std::int64_t>(values.shape(0)),
          "offsets do not fit");
  for (std::size_t f = 0; f < n_features; ++f) {
    require(offsets.data()[f] <= offsets.data()[f + 1], "offsets must not fall");
  }
  require(min_cases >= 1.0, "min_cases must be at least 1");
  require(confidence <= 1.0, "confidence must be at most 1");
  const c45::Table table = table_of(codes, labels, offsets, values, is_category, n_classes);
  c45::Options options;
  options.min_cases = min_cases;
  options.prunes = confidence > 0.0;
  if (options.prunes) options.confidence = confidence;
  const Poll poll = signal_poll();
  c45::Arrays arrays;
  {
    nb::gil_scoped_release release;
    check_table(table);
    const c45::Cases cases = cases_of(weights);
    c45::Tree tree = c45::grow(table, cases, options, poll);
    if (options.prunes) c45::prune(table, cases, options, poll, tree);
    arrays = c45::to_arrays(table, tree);
  }
  return to_python(std::move(arrays), table.n_classes);
}

// Children come after their parents and have one each, so that every walk ends soon.
void check_nodes(const c45::View& tree, std::size_t n_children, std::size_t n_features) {
  const std::int64_t* offset = tree.child_offset;
  require(offset[0] == 0 && offset[tree.n_nodes] == static_cast<std::int64_t>(n_children),
          "child_offset must fit children");
  for (std::size_t i = 0; i < tree.n_nodes; ++i) {
    require(offset[i] <= offset[i + 1], "child_offset must not fall");
  }
  std::vector<bool> has_parent(tree.n_nodes, false);
  for (std::size_t i = 0; i < tree.n_nodes; ++i) {
    require(tree.feature[i] < static_cast<std::int64_t>(n_features), "X has too few features");
    require((tree.feature[i] < 0) == (offset[i] == offset[i + 1]),
            "inner nodes must have children, and leaves none");
    require(tree.label[i] >= 0 && tree.label[i] < static_cast<std::int64_t>(tree.n_classes),
            "labels must be classes");
    for (std::int64_t at = offset[i]; at < offset[i + 1]; ++at) {
      const std::int64_t child = tree.children[at];
      require(child > static_cast<std::int64_t>(i) &&
                  child < static_cast<std::int64_t>(tree.n_nodes) && !has_parent[child],
              "children must be later nodes, each of one parent");
      has_parent[child] = true;
    }
  }
}

nb::ndarray<nb::numpy, double> c45_shares(const Array<std::int32_t, 1>& feature,
                                          const Array<double, 1>& threshold,
                                          const Array<std::int32_t, 1>& label,
                                          const Array<double, 2>& by_class,
                                          const Array<std::int64_t, 1>& child_offset,
                                          const Array<std::int32_t, 1>& children,
                                          const Array<double, 2>& X) {
  const std::size_t n_nodes = feature.shape(0), n_classes = by_class.shape(1);
  require(n_nodes >= 1 && threshold.shape(0) == n_nodes && label.shape(0) == n_nodes &&
              by_class.shape(0) == n_nodes && child_offset.shape(0) == n_nodes + 1,
          "arrays differ in length");
  const c45::View tree{feature.data(),      threshold.data(), label.data(), by_class.data(),
                       child_offset.data(), children.data(),  n_nodes,      n_classes};
  check_nodes(tree, children.shape(0), X.shape(1));
  const std::size_t n_rows = X.shape(0);
  std::vector<double> shares(n_rows * n_classes, 0.0);
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    c45::add_shares(tree, X.data(), n_rows, X.shape(1), poll, shares.data());
  }
  return to_numpy(std::move(shares), {n_rows, n_classes});
}

}  // namespace
}  // namespace frugalboost

void bind_c45(nanobind::module_& module) {
  using nanobind::literals::operator""_a;
  module.def("grow_c45", &frugalboost::grow_c45, "codes"_a, "labels"_a, "weights"_a, "offsets"_a,
             "values"_a, "is_category"_a, "n_classes"_a, "min_cases"_a, "confidence"_a);
  module.def("c45_shares", &frugalboost::c45_shares, "feature"_a, "threshold"_a, "label"_a,
             "by_class"_a, "child_offset"_a, "children"_a, "X"_a);
}
