#include <algorithm>
#include <limits>

#include "bindings/weights_holder.hpp"

namespace frugalboost {
namespace {

template <class Label>
void check_labels(const Array<Label, 1>& labels, int n_classes) {
  require(std::all_of(labels.data(), labels.data() + labels.shape(0),
                      [&](Label y) { return y < static_cast<Row>(n_classes); }),
          "labels must be below n_classes");
}

}  // namespace

WeightsHolder::WeightsHolder(nb::object labels, nb::object sample_weight, int n_classes,
                             int n_threads) {
  require(n_classes >= 2 && n_threads >= 1, "n_classes must be at least 2, n_threads 1");
  if (n_classes == 2) {
    two_labels_ = nb::cast<Array<std::uint8_t, 1>>(labels);
    check_labels(two_labels_, n_classes);
    const std::size_t n = two_labels_.shape(0);
    const double* given = read_weights(sample_weight, n);
    weights_ = std::make_unique<GrowingWeights>(two_labels_.data(), given, n, n_threads);
  } else {
    labels_ = nb::cast<Array<Row, 1>>(labels);
    check_labels(labels_, n_classes);
    const std::size_t n = labels_.shape(0);
    const double* given = read_weights(sample_weight, n);
    weights_ = std::make_unique<GrowingWeights>(labels_.data(), given, n, n_classes, n_threads);
  }
}

const double* WeightsHolder::read_weights(const nb::object& sample_weight, std::size_t n) {
  if (sample_weight.is_none()) return nullptr;
  sample_weight_ = nb::cast<Array<double, 1>>(sample_weight);
  const double* given = sample_weight_.data();
  require(
      sample_weight_.shape(0) == n &&
          std::all_of(given, given + n,
                      [](double w) { return w > 0.0 && w <= std::numeric_limits<double>::max(); }),
      "sample_weight must be positive, finite, one for each row");
  return given;
}

nb::ndarray<nb::numpy, Sum> WeightsHolder::mass(std::size_t stride) const {
  require(stride >= 1, "stride must be positive");
  const UnfilledVector<Sum>& fixed = weights_->fixed();
  std::vector<Sum> mass;
  mass.reserve(fixed.size() / stride + 1);
  for (std::size_t i = 0; i < fixed.size(); i += stride)
    mass.push_back(fixed[i] < 0 ? -fixed[i] : fixed[i]);
  const std::size_t n = mass.size();
  return to_numpy(std::move(mass), {n});
}

void check_rise(const Array<double, 2>& rise, const GrowingWeights& weights) {
  require(rise.shape(1) == static_cast<std::size_t>(weights.n_classes()),
          "rise must have a column for each class");
}

void WeightsHolder::advance(Array<double, 2> rise, Array<std::int32_t, 1> node_of_row) {
  check_rise(rise, *weights_);
  const auto n_nodes = static_cast<std::int32_t>(rise.shape(0));
  require(node_of_row.shape(0) == weights_->size() &&
              std::all_of(node_of_row.data(), node_of_row.data() + node_of_row.shape(0),
                          [&](std::int32_t node) { return 0 <= node && node < n_nodes; }),
          "node_of_row must name a row of rise for each example");
  nb::gil_scoped_release release;
  weights_->advance(rise.data(), rise.shape(0), node_of_row.data());
}

}  // namespace frugalboost

void bind_weights(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<WeightsHolder>(module, "GrowingWeights")
      .def(nb::init<nb::object, nb::object, int, int>(), "labels"_a, "sample_weight"_a.none(),
           "n_classes"_a, "n_threads"_a = 1)
      .def("reset", [](WeightsHolder& self) { self.get().reset(); })
      .def("advance", &WeightsHolder::advance, "rise"_a, "node_of_row"_a)
      .def("mass", &WeightsHolder::mass, "stride"_a = 1)
      .def_prop_ro("exponent", [](WeightsHolder& self) { return self.get().exponent(); });
}
