#include <algorithm>
#include <cmath>

#include "bindings/residuals_holder.hpp"
#include "bindings/targets_holder.hpp"

namespace frugalboost {
namespace {

const Array<double, 1>& checked(const Array<double, 1>& targets, double start) {
  require(std::isfinite(start), "start must be finite");
  require(targets.shape(0) >= 1 && std::all_of(targets.data(), targets.data() + targets.shape(0),
                                               [](double target) { return std::isfinite(target); }),
          "targets must be finite numbers, at least one");
  return targets;
}

}  // namespace

ResidualsHolder::ResidualsHolder(Array<double, 1> targets, double start)
    : targets_(checked(targets, start)), residuals_(targets_.data(), targets_.shape(0), start) {}

void ResidualsHolder::advance(Array<double, 1> values, Array<std::int32_t, 1> node_of_row) {
  const std::size_t n_nodes = values.shape(0);
  require(node_of_row.shape(0) == residuals_.size(), "node_of_row must have one entry per row");
  std::vector<std::int64_t> n_samples(n_nodes, 0);
  for (std::size_t i = 0; i < node_of_row.shape(0); ++i) {
    require(0 <= node_of_row(i) && static_cast<std::size_t>(node_of_row(i)) < n_nodes,
            "node_of_row must name one of the values for each row");
    ++n_samples[node_of_row(i)];
  }
  nb::gil_scoped_release release;
  residuals_.advance(values.data(), n_samples.data(), n_nodes, node_of_row.data());
}

}  // namespace frugalboost

void bind_residuals(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<ResidualsHolder>(module, "Residuals")
      .def(nb::init<Array<double, 1>, double>(), "targets"_a, "start"_a)
      .def("reset", [](ResidualsHolder& self) { self.get().reset(); })
      .def("advance", &ResidualsHolder::advance, "values"_a, "node_of_row"_a)
      .def("rows", [](ResidualsHolder& self) { return unpacked_rows(self.get().problem()); })
      .def(
          "mass",
          [](ResidualsHolder& self, std::size_t stride) {
            return squares_of_rows(self.get().problem(), stride);
          },
          "stride"_a = 1)
      .def_prop_ro("n_rows", [](ResidualsHolder& self) { return self.get().size(); })
      .def_prop_ro("exponents",
                   [](ResidualsHolder& self) { return nb::make_tuple(0, self.get().exponent()); });
}
