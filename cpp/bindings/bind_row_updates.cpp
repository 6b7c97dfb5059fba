#include "bindings/support.hpp"
#include "core/logit_rows.hpp"
#include "core/row_updates.hpp"

namespace frugalboost {
namespace {

using State = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, Sum> to_fixed_array(Array<double, 2> weights, int exponent) {
  std::vector<Sum> fixed(weights.size());
  {
    nb::gil_scoped_release release;
    to_fixed(weights.data(), weights.size(), exponent, fixed.data());
  }
  return to_numpy(std::move(fixed), {weights.shape(0), weights.shape(1)});
}

void add_rows_by_leaf(const State& state, Array<double, 2> table, Array<std::int32_t, 1> leaf,
                      Array<std::int64_t, 1> label) {
  const std::size_t n = state.shape(0);
  require(leaf.shape(0) == n && label.shape(0) == n, "leaf and label must have one entry per row");
  const auto n_leaves = static_cast<std::int64_t>(table.shape(0));
  const auto n_labels = static_cast<std::int64_t>(table.shape(1));
  bool fits = true;
  for (std::size_t i = 0; i < n; ++i)
    fits &= leaf(i) >= 0 && leaf(i) < n_leaves && label(i) >= 0 && label(i) < n_labels;
  require(fits, "leaf and label must be in range of the table");
  nb::gil_scoped_release release;
  add_by_leaf(state.data(), n, table.data(), table.shape(1), leaf.data(), label.data());
}

nb::tuple logit_rows_of(Array<double, 2> decision, Array<std::int64_t, 1> labels,
                        Array<double, 1> scales, double largest_response,
                        double smallest_curvature) {
  const std::size_t n_rows = decision.shape(0), n_outputs = decision.shape(1);
  require(labels.shape(0) == n_rows && scales.shape(0) == n_rows,
          "labels and scales must have one entry per row");
  const auto n_classes = static_cast<std::int64_t>(std::max<std::size_t>(n_outputs, 2));
  bool fits = n_outputs > 0;
  for (std::size_t i = 0; i < n_rows; ++i) fits &= labels(i) >= 0 && labels(i) < n_classes;
  require(fits, "labels must be below the number of classes");
  std::vector<double> weights(decision.size()), numerators(decision.size());
  {
    nb::gil_scoped_release release;
    logit_rows(decision.data(), labels.data(), scales.data(), n_rows, n_outputs,
               {largest_response, smallest_curvature}, weights.data(), numerators.data());
  }
  return nb::make_tuple(to_numpy(std::move(weights), {n_rows, n_outputs}),
                        to_numpy(std::move(numerators), {n_rows, n_outputs}));
}

}  // namespace
}  // namespace frugalboost

void bind_row_updates(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("to_fixed", &to_fixed_array, "weights"_a, "exponent"_a);
  module.def("add_by_leaf", &add_rows_by_leaf, "state"_a.noconvert(), "table"_a, "leaf"_a,
             "label"_a);
  module.def("logit_rows", &logit_rows_of, "decision"_a, "labels"_a, "scales"_a,
             "largest_response"_a, "smallest_curvature"_a);
}
