#include <algorithm>

#include "bindings/targets_holder.hpp"

namespace frugalboost {
namespace {

template <class Label>
void check_labels(const Array<Label, 1>& labels, int n_classes) {
  require(
      labels.shape(0) >= 1 && std::all_of(labels.data(), labels.data() + labels.shape(0),
                                          [&](Label y) { return y < static_cast<Row>(n_classes); }),
      "labels must be below n_classes, at least one");
}

}  // namespace

nb::ndarray<nb::numpy, Sum> unpacked_rows(const Problem& problem) {
  const std::size_t n = problem.n_rows, n_outputs = problem.n_outputs;
  const std::size_t n_channels = problem.n_channels();
  auto rows = fresh<Sum>({n, 2 * n_outputs});
  Sum* to = rows.data();
  for (std::size_t i = 0; i < n; ++i, to += 2 * n_outputs) {
    const Sum* from = problem.weights + i * n_channels;
    for (std::size_t k = 0; k < n_outputs; ++k) {
      to[k] = problem.packing.weight(from[k]);
      to[n_outputs + k] = problem.packing.numerator(from[k]);
    }
  }
  return rows;
}

nb::ndarray<nb::numpy, Sum> squares_of_rows(const Problem& problem, std::size_t stride) {
  require(stride >= 1, "stride must be positive");
  auto mass = fresh<Sum>({(problem.n_rows + stride - 1) / stride});
  for (std::size_t i = 0, at = 0; i < problem.n_rows; i += stride, ++at)
    mass.data()[at] = problem.mass_of(i);
  return mass;
}

TargetsHolder::TargetsHolder(nb::object labels, nb::object scales, int n_classes,
                             double largest_response, double smallest_curvature, int n_threads) {
  require(n_classes >= 2 && n_threads >= 1, "n_classes and n_threads must be at least 2 and 1");
  require(largest_response > 0.0 && smallest_curvature > 0.0, "limits must be positive");
  const LogitLimits limits{largest_response, smallest_curvature};
  if (n_classes == 2) {
    two_labels_ = nb::cast<Array<std::uint8_t, 1>>(labels);
    check_labels(two_labels_, n_classes);
    const std::size_t n = two_labels_.shape(0);
    targets_ = std::make_unique<LogitTargets>(two_labels_.data(), read_scales(scales, n), n, limits,
                                              n_threads);
  } else {
    labels_ = nb::cast<Array<Row, 1>>(labels);
    check_labels(labels_, n_classes);
    const std::size_t n = labels_.shape(0);
    targets_ = std::make_unique<LogitTargets>(labels_.data(), read_scales(scales, n), n, n_classes,
                                              limits, n_threads);
  }
}

const double* TargetsHolder::read_scales(const nb::object& scales, std::size_t n) {
  if (scales.is_none()) return nullptr;
  scales_ = nb::cast<Array<double, 1>>(scales);
  const double* given = scales_.data();
  require(scales_.shape(0) == n &&
              std::all_of(given, given + n, [](double s) { return s > 0.0 && s <= 2.0; }),
          "scales must be positive, at most 2, one for each row");
  return given;
}

void TargetsHolder::advance(Array<double, 2> values, Array<std::int32_t, 1> node_of_row) {
  const auto n_nodes = static_cast<std::int32_t>(values.shape(0));
  require(values.shape(1) == static_cast<std::size_t>(targets_->n_outputs()),
          "values must have a column for each output");
  require(node_of_row.shape(0) == targets_->size() &&
              std::all_of(node_of_row.data(), node_of_row.data() + node_of_row.shape(0),
                          [&](std::int32_t node) { return 0 <= node && node < n_nodes; }),
          "node_of_row must name a row of values for each example");
  nb::gil_scoped_release release;
  targets_->advance(values.data(), values.shape(0), node_of_row.data());
}

}  // namespace frugalboost

void bind_targets(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<TargetsHolder>(module, "LogitTargets")
      .def(nb::init<nb::object, nb::object, int, double, double, int>(), "labels"_a,
           "scales"_a.none(), "n_classes"_a, "largest_response"_a, "smallest_curvature"_a,
           "n_threads"_a)
      .def("reset", [](TargetsHolder& self) { self.get().reset(); })
      .def("advance", &TargetsHolder::advance, "values"_a, "node_of_row"_a)
      .def("rows", [](TargetsHolder& self) { return unpacked_rows(self.get().problem()); })
      .def(
          "mass",
          [](TargetsHolder& self, std::size_t stride) {
            return squares_of_rows(self.get().problem(), stride);
          },
          "stride"_a = 1)
      .def_prop_ro("n_rows", [](TargetsHolder& self) { return self.get().size(); })
      .def_prop_ro("n_outputs", [](TargetsHolder& self) { return self.get().n_outputs(); })
      .def_prop_ro("exponents", [](TargetsHolder& self) {
        return nb::make_tuple(self.get().weight_exponent(), self.get().numerator_exponent());
      });
}
