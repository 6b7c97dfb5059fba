#include <algorithm>

#include "bindings/support.hpp"
#include "core/rows/row_updates.hpp"

namespace frugalboost {
namespace {

using State = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using States = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, Sum> to_fixed_array(Array<double, 2> weights, int exponent) {
  auto fixed = fresh<Sum>({weights.shape(0), weights.shape(1)});
  {
    nb::gil_scoped_release release;
    to_fixed(weights.data(), weights.size(), exponent, fixed.data());
  }
  return fixed;
}

bool all_below(const std::int32_t* leaf, std::size_t n, std::size_t limit) {
  // Negative numbers are huge without a sign.
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max(largest, static_cast<std::uint32_t>(leaf[i]));
  return n == 0 || largest < limit;
}

void add_by_leaf_and_label(const State& state, Array<double, 2> table, Array<std::int32_t, 1> leaf,
                           Array<std::int64_t, 1> label) {
  const std::size_t n = state.shape(0);
  require(leaf.shape(0) == n && label.shape(0) == n, "leaf and label must have one entry per row");
  const auto n_labels = static_cast<std::int64_t>(table.shape(1));
  bool fits = all_below(leaf.data(), n, table.shape(0));
  for (std::size_t i = 0; i < n; ++i) fits &= label(i) >= 0 && label(i) < n_labels;
  require(fits, "leaf and label must be in range of the table");
  nb::gil_scoped_release release;
  add_by_leaf(state.data(), n, table.data(), table.shape(1), leaf.data(), label.data());
}

void add_to_rows_by_leaf(const States& state, Array<double, 2> table, Array<std::int32_t, 1> leaf) {
  require(leaf.shape(0) == state.shape(0), "leaf must have one entry per row");
  require(table.shape(1) == state.shape(1), "table must have as many columns as the state");
  require(all_below(leaf.data(), leaf.shape(0), table.shape(0)),
          "leaf must be in range of the table");
  nb::gil_scoped_release release;
  add_rows_by_leaf(state.data(), state.shape(0), state.shape(1), table.data(), leaf.data());
}

}  // namespace
}  // namespace frugalboost

void bind_row_updates(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("to_fixed", &to_fixed_array, "weights"_a, "exponent"_a);
  module.def("add_by_leaf", &add_by_leaf_and_label, "state"_a.noconvert(), "table"_a, "leaf"_a,
             "label"_a);
  module.def("add_rows_by_leaf", &add_to_rows_by_leaf, "state"_a.noconvert(), "table"_a, "leaf"_a);
}
