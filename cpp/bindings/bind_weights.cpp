#include <cstdlib>
#include <limits>

#include "bindings/weights_holder.hpp"
#include "core/rows/scales.hpp"

namespace frugalboost {

WeightsHolder::WeightsHolder(nb::object labels, nb::object sample_weight, int n_classes,
                             int n_threads)
    : labels_(labels, n_classes), sample_weight_(sample_weight), n_threads_(n_threads) {
  require_threads(n_threads);
  nb::gil_scoped_release release;
  labels_.check(n_threads);
  sample_weight_.check(labels_.size(), std::numeric_limits<double>::max(), n_threads,
                       "sample_weight must be positive, finite, one for each row");
  weights_ = make();
}

std::unique_ptr<GrowingWeights> WeightsHolder::make() const {
  const double* given = sample_weight_.get();
  const std::size_t n = labels_.size();
  const int n_classes = labels_.n_classes();
  if (n_classes == 2)
    return std::make_unique<GrowingWeights>(labels_.bytes(), given, n, n_threads_);
  return std::make_unique<GrowingWeights>(labels_.numbers(), given, n, n_classes, n_threads_);
}

void WeightsHolder::reset() {
  nb::gil_scoped_release release;
  weights_->reset();
}

nb::ndarray<nb::numpy, Sum> WeightsHolder::mass(std::size_t stride) const {
  require(stride >= 1, "stride must be positive");
  const UnfilledVector<Sum>& fixed = weights_->fixed();
  const std::size_t n = (fixed.size() + stride - 1) / stride;
  auto mass = fresh<Sum>({n});
  Sum* to = mass.data();
  nb::gil_scoped_release release;
  for_rows(n, 1, n_threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to[i] = std::abs(fixed[i * stride]);
  });
  return mass;
}

void check_rise(const Array<double, 2>& rise, const GrowingWeights& weights) {
  require(rise.shape(1) == static_cast<std::size_t>(weights.n_classes()),
          "rise must have a column for each class");
}

void WeightsHolder::advance(Array<double, 2> rise, Array<std::int32_t, 1> node_of_row) {
  check_rise(rise, *weights_);
  nb::gil_scoped_release release;
  check_nodes(node_of_row, weights_->size(), rise.shape(0), n_threads_);
  weights_->advance(rise.data(), rise.shape(0), node_of_row.data(), n_threads_);
}

}  // namespace frugalboost

void bind_weights(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.attr("WEIGHT_BAND") = weight_band;
  module.attr("GOAL_BITS") = goal_bits;
  module.attr("SMALLEST_BITS") = smallest_bits;
  module.attr("LARGEST_BITS") = largest_bits;
  nb::class_<WeightsHolder>(module, "GrowingWeights")
      .def(nb::init<nb::object, nb::object, int, int>(), "labels"_a, "sample_weight"_a.none(),
           "n_classes"_a, "n_threads"_a = 1)
      .def("reset", &WeightsHolder::reset)
      .def("advance", &WeightsHolder::advance, "rise"_a, "node_of_row"_a)
      .def("mass", &WeightsHolder::mass, "stride"_a = 1)
      .def_prop_ro("exponent", [](WeightsHolder& self) { return self.get().exponent(); });
}
