#include <vector>

#include "bindings/matrix_view.hpp"
#include "bindings/support.hpp"
#include "core/explain/shap.hpp"

namespace frugalboost {
namespace {

ShapForest make_shap_forest(const Forest& forest, Array<std::int64_t, 1> n_samples) {
  require(static_cast<std::int64_t>(n_samples.shape(0)) == forest.roots.back(),
          "n_samples must have one entry per node");
  std::vector<double> rows(n_samples.shape(0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    require(n_samples(i) > 0, "n_samples must be positive");
    rows[i] = static_cast<double>(n_samples(i));
  }
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  return ShapForest(forest, rows, poll);
}

nb::ndarray<nb::numpy, double> shap_values(const ShapForest& shap, const AnyMatrix& X,
                                           int n_threads) {
  const std::size_t n_features = shap.forest().n_features, n_outputs = shap.forest().n_outputs;
  require(X.shape(1) == n_features && n_threads >= 1, "X or n_threads do not fit the forest");
  const MatrixView view = view_of(X);
  std::vector<double> values(view.n_rows * n_features * n_outputs);
  const Poll poll = signal_poll();
  {
    nb::gil_scoped_release release;
    shap.add(view, n_threads, poll, values.data());
  }
  return to_numpy(std::move(values), {view.n_rows, n_features, n_outputs});
}

nb::ndarray<nb::numpy, double> expected_value(const ShapForest& shap) {
  return to_numpy(shap.expected(), {shap.expected().size()});
}

}  // namespace
}  // namespace frugalboost

void bind_shap(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<ShapForest>(module, "ShapForest")
      .def(nb::new_(&make_shap_forest), "forest"_a, "n_samples"_a, nb::keep_alive<0, 1>())
      .def("values", &shap_values, "X"_a, "n_threads"_a)
      .def("expected", &expected_value);
}
