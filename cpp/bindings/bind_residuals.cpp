#include <cmath>

#include "bindings/residuals_holder.hpp"
#include "bindings/targets_holder.hpp"

namespace frugalboost {
namespace {

using Counts = std::vector<std::int64_t>;

Counts count_rows(const std::int32_t* node_of_row, std::size_t n, std::size_t n_nodes,
                  int n_threads) {
  const auto of_slice = [=](std::size_t begin, std::size_t end) {
    Counts counts(n_nodes, 0);
    for (std::size_t i = begin; i < end; ++i) ++counts[node_of_row[i]];
    return counts;
  };
  return join_rows(n, 1, n_threads, Counts(n_nodes, 0), of_slice,
                   [](Counts& all, const Counts& part) {
                     for (std::size_t node = 0; node < all.size(); ++node) all[node] += part[node];
                   });
}

}  // namespace

ResidualsHolder::ResidualsHolder(Array<double, 1> targets, double start, int n_threads)
    : targets_(targets), n_threads_(n_threads) {
  require(std::isfinite(start), "start must be finite");
  require_threads(n_threads);
  const std::size_t n = targets.shape(0);
  const double* given = targets.data();
  nb::gil_scoped_release release;
  require(n >= 1 && all_rows(n, n_threads, [=](std::size_t i) { return std::isfinite(given[i]); }),
          "targets must be finite numbers, at least one");
  residuals_ = std::make_unique<Residuals>(given, n, start, n_threads);
}

void ResidualsHolder::reset() {
  nb::gil_scoped_release release;
  residuals_->reset(n_threads_);
}

void ResidualsHolder::advance(Array<double, 1> values, Array<std::int32_t, 1> node_of_row) {
  const std::size_t n = residuals_->size(), n_nodes = values.shape(0);
  nb::gil_scoped_release release;
  check_nodes(node_of_row, n, n_nodes, n_threads_);
  const Counts n_samples = count_rows(node_of_row.data(), n, n_nodes, n_threads_);
  residuals_->advance(values.data(), n_samples.data(), n_nodes, node_of_row.data(), n_threads_);
}

}  // namespace frugalboost

void bind_residuals(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<ResidualsHolder>(module, "Residuals")
      .def(nb::init<Array<double, 1>, double, int>(), "targets"_a, "start"_a, "n_threads"_a = 1)
      .def("reset", &ResidualsHolder::reset)
      .def("advance", &ResidualsHolder::advance, "values"_a, "node_of_row"_a)
      .def("rows",
           [](ResidualsHolder& self) {
             return unpacked_rows(self.get().problem(), self.n_threads());
           })
      .def(
          "mass",
          [](ResidualsHolder& self, std::size_t stride) {
            return squares_of_rows(self.get().problem(), stride, self.n_threads());
          },
          "stride"_a = 1)
      .def_prop_ro("n_rows", [](ResidualsHolder& self) { return self.get().size(); })
      .def_prop_ro("exponents",
                   [](ResidualsHolder& self) { return nb::make_tuple(0, self.get().exponent()); });
}
