// The Python module: one function per area, each in its own file.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_binning(nb::module_& module);
void bind_c45(nb::module_& module);
void bind_columns(nb::module_& module);
void bind_grower(nb::module_& module);
void bind_labels(nb::module_& module);
void bind_leaves(nb::module_& module);
void bind_nodes(nb::module_& module);
void bind_order(nb::module_& module);
void bind_predict(nb::module_& module);
void bind_residuals(nb::module_& module);
void bind_row_problems(nb::module_& module);
void bind_row_updates(nb::module_& module);
void bind_weights(nb::module_& module);
void bind_shap(nb::module_& module);
void bind_targets(nb::module_& module);
void bind_threads(nb::module_& module);

namespace {

// nanobind has a table of the objects that Python holds, and ends the process where there is no
// memory for a larger one. It never becomes smaller, so it is made large enough at once: a fitted
// model holds two or three objects, a fit about ten.
void make_room_for_objects(const nb::module_& module) {
  constexpr int n_objects = 1000;
  nb::list objects;
  for (int i = 0; i < n_objects; ++i) objects.append(module.attr("KeptArrays")());
}

}  // namespace

NB_MODULE(_core, module) {
#ifdef NDEBUG
  // Objects that live until the interpreter ends are no concern of those who use the library.
  nb::set_leak_warnings(false);
#endif
  module.doc() = "Kernels of frugalboost.";
  bind_binning(module);
  bind_c45(module);
  bind_columns(module);
  bind_grower(module);
  bind_labels(module);
  bind_leaves(module);
  bind_nodes(module);
  bind_order(module);
  bind_predict(module);
  bind_residuals(module);
  bind_row_problems(module);
  bind_row_updates(module);
  bind_weights(module);
  bind_shap(module);
  bind_targets(module);
  bind_threads(module);
  make_room_for_objects(module);
}
