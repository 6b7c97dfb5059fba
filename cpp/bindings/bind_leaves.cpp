#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/support.hpp"
#include "core/grow/leaf_values.hpp"

namespace frugalboost {
namespace {

using Floats = nb::ndarray<nb::numpy, double>;

Floats scaled(Array<Sum, 2> sums, int first, int second) {
  Floats result = fresh<double>({sums.shape(0), sums.shape(1)});
  scale_sums(sums.data(), sums.shape(0), sums.shape(1), first, second, result.data());
  return result;
}

std::tuple<Floats, double, double> named(Array<double, 2> sums) {
  const std::size_t n_leaves = sums.shape(0), n_classes = sums.shape(1);
  require(n_leaves >= 1 && n_classes >= 2, "sums must have a row and at least two classes");
  Floats codes = fresh<double>({n_leaves, n_classes == 2 ? 1 : n_classes});
  const Answers answers = name_classes(sums.data(), n_leaves, n_classes, codes.data());
  return {codes, answers.right, answers.wrong};
}

Floats missed(Array<double, 2> values, double amount) {
  const std::size_t n_leaves = values.shape(0), width = values.shape(1);
  require(width >= 1, "values must have a column");
  const std::size_t n_classes = width == 1 ? 2 : width;
  Floats rise = fresh<double>({n_leaves, n_classes});
  raise_misses(values.data(), n_leaves, n_classes, amount, rise.data());
  return rise;
}

void require_single(const Array<double, 3>& sums) {
  require(sums.shape(0) >= 1 && sums.shape(1) == 2 && sums.shape(2) == 1,
          "sums must be those of a single output: (leaves, 2, 1)");
}

std::tuple<Floats, double, double> newton(Array<double, 3> sums, double prior, double largest) {
  require_single(sums);
  Floats values = fresh<double>({sums.shape(0), 1});
  const Steps steps = newton_values(sums.data(), sums.shape(0), prior, largest, values.data());
  return {values, steps.mean_square, steps.largest};
}

std::tuple<Floats, double, double> means(Array<double, 3> sums) {
  require_single(sums);
  Floats values = fresh<double>({sums.shape(0), 1});
  const Steps steps = mean_values(sums.data(), sums.shape(0), values.data());
  return {values, steps.mean_square, steps.largest};
}

}  // namespace
}  // namespace frugalboost

void bind_leaves(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("scale_sums", &scaled, "sums"_a, "first"_a, "second"_a);
  module.def("name_classes", &named, "sums"_a);
  module.def("raise_misses", &missed, "values"_a, "amount"_a);
  module.def("newton_values", &newton, "sums"_a, "prior"_a, "largest"_a);
  module.def("mean_values", &means, "sums"_a);
}
