#include "bindings/targets_holder.hpp"

namespace frugalboost {

nb::ndarray<nb::numpy, Sum> unpacked_rows(const Problem& problem, int n_threads) {
  const std::size_t n = problem.n_rows, n_outputs = problem.n_outputs;
  const std::size_t n_channels = problem.n_channels();
  auto rows = fresh<Sum>({n, 2 * n_outputs});
  Sum* to = rows.data();
  nb::gil_scoped_release release;
  for_rows(n, n_outputs, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < n_outputs; ++k) {
        const Sum packed = problem.weights[i * n_channels + k];
        to[2 * i * n_outputs + k] = problem.packing.weight(packed);
        to[(2 * i + 1) * n_outputs + k] = problem.packing.numerator(packed);
      }
  });
  return rows;
}

nb::ndarray<nb::numpy, Sum> squares_of_rows(const Problem& problem, std::size_t stride,
                                            int n_threads) {
  require(stride >= 1, "stride must be positive");
  const std::size_t n = (problem.n_rows + stride - 1) / stride;
  auto mass = fresh<Sum>({n});
  Sum* to = mass.data();
  nb::gil_scoped_release release;
  for_rows(n, problem.n_outputs, n_threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] = problem.mass_of(i * stride);
  });
  return mass;
}

TargetsHolder::TargetsHolder(nb::object labels, nb::object scales, int n_classes,
                             double largest_response, double smallest_curvature, int n_threads)
    : labels_(labels, n_classes), scales_(scales), n_threads_(n_threads) {
  require_threads(n_threads);
  require(largest_response > 0.0 && smallest_curvature > 0.0, "limits must be positive");
  // Past this many rows no units would do.
  constexpr std::size_t most_rows = (std::size_t{1} << 32) - (std::size_t{1} << 26);
  require(labels_.size() >= 1 && labels_.size() <= most_rows,
          "there must be labels, at most 2^32 - 2^26");
  nb::gil_scoped_release release;
  labels_.check(n_threads);
  scales_.check(labels_.size(), 2.0, n_threads,
                "scales must be positive, at most 2, one for each row");
  targets_ = make({largest_response, smallest_curvature});
}

std::unique_ptr<LogitTargets> TargetsHolder::make(LogitLimits limits) const {
  const std::size_t n = labels_.size();
  const int n_classes = labels_.n_classes();
  if (n_classes == 2)
    return std::make_unique<LogitTargets>(labels_.bytes(), scales_.get(), n, limits, n_threads_);
  return std::make_unique<LogitTargets>(labels_.numbers(), scales_.get(), n, n_classes, limits,
                                        n_threads_);
}

void TargetsHolder::reset() {
  nb::gil_scoped_release release;
  targets_->reset();
}

void TargetsHolder::advance(Array<double, 2> values, Array<std::int32_t, 1> node_of_row) {
  require(values.shape(1) == static_cast<std::size_t>(targets_->n_outputs()),
          "values must have a column for each output");
  nb::gil_scoped_release release;
  check_nodes(node_of_row, targets_->size(), values.shape(0), n_threads_);
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
      .def("reset", &TargetsHolder::reset)
      .def("advance", &TargetsHolder::advance, "values"_a, "node_of_row"_a)
      .def(
          "rows",
          [](TargetsHolder& self) { return unpacked_rows(self.get().problem(), self.n_threads()); })
      .def(
          "mass",
          [](TargetsHolder& self, std::size_t stride) {
            return squares_of_rows(self.get().problem(), stride, self.n_threads());
          },
          "stride"_a = 1)
      .def_prop_ro("n_rows", [](TargetsHolder& self) { return self.get().size(); })
      .def_prop_ro("n_outputs", [](TargetsHolder& self) { return self.get().n_outputs(); })
      .def_prop_ro("exponents", [](TargetsHolder& self) {
        return nb::make_tuple(self.get().weight_exponent(), self.get().numerator_exponent());
      });
}
