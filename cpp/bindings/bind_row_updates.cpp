#include "bindings/row_checks.hpp"
#include "core/rows/row_updates.hpp"

namespace frugalboost {
namespace {

using State = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using States = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Leaves = Array<std::int32_t, 1>;
using Labels = Array<std::int64_t, 1>;

nb::ndarray<nb::numpy, Sum> to_fixed_array(Array<double, 2> weights, int exponent, int n_threads) {
  require_threads(n_threads);
  auto fixed = fresh<Sum>({weights.shape(0), weights.shape(1)});
  nb::gil_scoped_release release;
  to_fixed(weights.data(), weights.size(), exponent, fixed.data(), n_threads);
  return fixed;
}

// A leaf and a label for each of n rows, for a table with so many of both.
void check_leaves(const Leaves& leaf, std::size_t n, std::size_t n_leaves, int n_threads) {
  require(leaf.shape(0) == n, "leaf must have one entry per row");
  require(all_below(leaf.data(), n, n_leaves, n_threads), "leaf must be in range of the table");
}
void check_leaf_labels(const Labels& label, std::size_t n, std::size_t n_labels, int n_threads) {
  require(label.shape(0) == n, "label must have one entry per row");
  require(all_below(label.data(), n, n_labels, n_threads), "label must be in range of the table");
}

void add_by_leaf_and_label(const State& state, Array<double, 2> table, Leaves leaf, Labels label,
                           int n_threads) {
  require_threads(n_threads);
  const std::size_t n = state.shape(0), n_labels = table.shape(1);
  nb::gil_scoped_release release;
  check_leaves(leaf, n, table.shape(0), n_threads);
  check_leaf_labels(label, n, n_labels, n_threads);
  add_by_leaf(state.data(), n, table.data(), n_labels, leaf.data(), label.data(), n_threads);
}

void add_to_rows_by_leaf(const States& state, Array<double, 2> table, Leaves leaf, int n_threads) {
  require_threads(n_threads);
  const std::size_t n = state.shape(0), n_outputs = state.shape(1);
  require(table.shape(1) == n_outputs, "table must have as many columns as the state");
  nb::gil_scoped_release release;
  check_leaves(leaf, n, table.shape(0), n_threads);
  add_rows_by_leaf(state.data(), n, n_outputs, table.data(), leaf.data(), n_threads);
}

void add_to_rows_by_leaf_and_label(const States& state, Array<double, 3> table, Leaves leaf,
                                   Labels label, int n_threads) {
  require_threads(n_threads);
  const std::size_t n = state.shape(0), n_outputs = state.shape(1), n_labels = table.shape(1);
  require(table.shape(2) == n_outputs, "table must have as many columns as the state");
  nb::gil_scoped_release release;
  check_leaves(leaf, n, table.shape(0), n_threads);
  check_leaf_labels(label, n, n_labels, n_threads);
  add_rows_by_leaf_and_label(state.data(), n, n_outputs, table.data(), n_labels, leaf.data(),
                             label.data(), n_threads);
}

}  // namespace
}  // namespace frugalboost

void bind_row_updates(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("to_fixed", &to_fixed_array, "weights"_a, "exponent"_a, "n_threads"_a = 1);
  module.def("add_by_leaf", &add_by_leaf_and_label, "state"_a.noconvert(), "table"_a, "leaf"_a,
             "label"_a, "n_threads"_a = 1);
  module.def("add_rows_by_leaf", &add_to_rows_by_leaf, "state"_a.noconvert(), "table"_a, "leaf"_a,
             "n_threads"_a = 1);
  module.def("add_rows_by_leaf_and_label", &add_to_rows_by_leaf_and_label, "state"_a.noconvert(),
             "table"_a, "leaf"_a, "label"_a, "n_threads"_a = 1);
}
