#include <algorithm>

#include "bindings/row_checks.hpp"
#include "core/rows/logit_rows.hpp"
#include "core/rows/pair_rows.hpp"
#include "core/rows/real_rows.hpp"

namespace frugalboost {
namespace {

using Rows = Array<double, 2>;
using Floats = nb::ndarray<nb::numpy, double>;

void check_scales(const Rows& rows, const Array<double, 1>& scales) {
  require(rows.shape(1) > 0, "rows must have an output");
  require(scales.shape(0) == rows.shape(0), "scales must have one entry per row");
}

void check_labels_of(const Rows& rows, const Array<std::int64_t, 1>& labels, int n_threads) {
  require(labels.shape(0) == rows.shape(0), "labels must have one entry per row");
  check_labels(labels.data(), labels.shape(0), std::max<std::size_t>(rows.shape(1), 2), n_threads);
}

nb::tuple logit_rows_of(Rows decision, Array<std::int64_t, 1> labels, Array<double, 1> scales,
                        double largest_response, double smallest_curvature, int n_threads) {
  require_threads(n_threads);
  check_scales(decision, scales);
  Floats weights = fresh<double>({decision.shape(0), decision.shape(1)});
  Floats numerators = fresh<double>({decision.shape(0), decision.shape(1)});
  {
    nb::gil_scoped_release release;
    check_labels_of(decision, labels, n_threads);
    logit_rows(decision.data(), labels.data(), scales.data(), decision.shape(0), decision.shape(1),
               {largest_response, smallest_curvature}, weights.data(), numerators.data(),
               n_threads);
  }
  return nb::make_tuple(weights, numerators);
}

nb::tuple residual_rows_of(Array<double, 1> prediction, Array<double, 1> targets,
                           Array<double, 1> scales, int n_threads) {
  require_threads(n_threads);
  const std::size_t n = prediction.shape(0);
  require(targets.shape(0) == n && scales.shape(0) == n,
          "targets and scales must have one entry per row");
  Floats weights = fresh<double>({n, 1});
  Floats numerators = fresh<double>({n, 1});
  {
    nb::gil_scoped_release release;
    residual_rows(prediction.data(), targets.data(), scales.data(), n, weights.data(),
                  numerators.data(), n_threads);
  }
  return nb::make_tuple(weights, numerators);
}

Floats exponential_weights_of(Rows log_weights, Array<double, 1> scales, int n_threads) {
  require_threads(n_threads);
  check_scales(log_weights, scales);
  Floats weights = fresh<double>({log_weights.shape(0), log_weights.shape(1)});
  nb::gil_scoped_release release;
  exponential_weights(log_weights.data(), scales.data(), log_weights.shape(0), log_weights.shape(1),
                      weights.data(), n_threads);
  return weights;
}

Floats pair_weights_of(Rows scores, Array<std::int64_t, 1> labels, Array<double, 1> scales,
                       int kind, int n_threads) {
  require_threads(n_threads);
  check_scales(scores, scales);
  require(kind >= 0 && kind <= static_cast<int>(PairWeight::logistic), "kind must be 0, 1 or 2");
  Floats weights = fresh<double>({scores.shape(0), scores.shape(1)});
  nb::gil_scoped_release release;
  check_labels_of(scores, labels, n_threads);
  pair_weights(scores.data(), labels.data(), scales.data(), scores.shape(0), scores.shape(1),
               static_cast<PairWeight>(kind), weights.data(), n_threads);
  return weights;
}

double total(Rows values, int n_threads) {
  require_threads(n_threads);
  nb::gil_scoped_release release;
  return total_of(values.data(), values.size(), n_threads);
}

double largest(Array<double, 1> values, int n_threads) {
  require_threads(n_threads);
  require(values.shape(0) >= 1, "values must not be empty");
  nb::gil_scoped_release release;
  return largest_of(values.data(), values.shape(0), n_threads);
}

void check_real(const Rows& weights, const Rows& numerators) {
  require(weights.shape(1) > 0, "rows must have an output");
  require(weights.shape(0) == numerators.shape(0) && weights.shape(1) == numerators.shape(1),
          "weights and numerators must have the same shape");
}

nb::tuple real_exponents_of(Rows weights, Rows numerators, int n_threads) {
  require_threads(n_threads);
  check_real(weights, numerators);
  RealExponents exponents{};
  {
    nb::gil_scoped_release release;
    exponents = real_exponents(weights.data(), numerators.data(), weights.shape(0),
                               weights.shape(1), n_threads);
  }
  return nb::make_tuple(exponents.weight, exponents.numerator);
}

nb::tuple real_to_fixed_of(Rows weights, Rows numerators, int weight_exponent,
                           int numerator_exponent, int n_threads) {
  require_threads(n_threads);
  check_real(weights, numerators);
  const std::size_t n_rows = weights.shape(0), n_outputs = weights.shape(1);
  auto fixed = fresh<Sum>({n_rows, 2 * n_outputs});
  auto mass = fresh<Sum>({n_rows});
  {
    nb::gil_scoped_release release;
    real_to_fixed(weights.data(), numerators.data(), n_rows, n_outputs,
                  {weight_exponent, numerator_exponent}, fixed.data(), mass.data(), n_threads);
  }
  return nb::make_tuple(fixed, mass);
}

nb::tuple votes_to_fixed_of(Rows weights, int exponent, int n_threads) {
  require_threads(n_threads);
  require(weights.shape(1) > 0, "rows must have an output");
  const std::size_t n_rows = weights.shape(0), n_outputs = weights.shape(1);
  auto fixed = fresh<Sum>({n_rows, n_outputs});
  auto mass = fresh<Sum>({n_rows});
  {
    nb::gil_scoped_release release;
    votes_to_fixed(weights.data(), n_rows, n_outputs, exponent, fixed.data(), mass.data(),
                   n_threads);
  }
  return nb::make_tuple(fixed, mass);
}

}  // namespace
}  // namespace frugalboost

void bind_row_problems(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<KeptArrays>(module, "KeptArrays").def(nb::init<>());
  module.def("logit_rows", &logit_rows_of, "decision"_a, "labels"_a, "scales"_a,
             "largest_response"_a, "smallest_curvature"_a, "n_threads"_a = 1);
  module.def("residual_rows", &residual_rows_of, "prediction"_a, "targets"_a, "scales"_a,
             "n_threads"_a = 1);
  module.def("exponential_weights", &exponential_weights_of, "log_weights"_a, "scales"_a,
             "n_threads"_a = 1);
  module.def("pair_weights", &pair_weights_of, "scores"_a, "labels"_a, "scales"_a, "kind"_a,
             "n_threads"_a = 1);
  module.def("total", &total, "values"_a, "n_threads"_a = 1);
  module.def("largest", &largest, "values"_a, "n_threads"_a = 1);
  module.def("real_exponents", &real_exponents_of, "weights"_a, "numerators"_a, "n_threads"_a = 1);
  module.def("real_to_fixed", &real_to_fixed_of, "weights"_a, "numerators"_a, "weight_exponent"_a,
             "numerator_exponent"_a, "n_threads"_a = 1);
  module.def("votes_to_fixed", &votes_to_fixed_of, "weights"_a, "exponent"_a, "n_threads"_a = 1);
}
