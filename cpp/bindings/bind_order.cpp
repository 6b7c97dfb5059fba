#include <vector>

#include "bindings/row_checks.hpp"
#include "core/rows/order.hpp"

namespace frugalboost {
namespace {

using RowArray = nb::ndarray<nb::numpy, Row>;

RowArray as_array(std::vector<Row> rows) {
  const std::size_t n = rows.size();
  return to_numpy(std::move(rows), {n});
}

RowArray merged(Array<Row, 1> order, Array<Sum, 1> mass, Array<std::int32_t, 1> group,
                std::size_t n_groups, int n_threads) {
  require_threads(n_threads);
  const std::size_t n = mass.shape(0);
  require(group.shape(0) == n, "group must have one entry per row");
  std::vector<Row> rows;
  {
    nb::gil_scoped_release release;
    require(all_below(order.data(), order.shape(0), n, n_threads) &&
                all_below(group.data(), n, n_groups, n_threads),
            "order and group must be in range");
    rows.assign(order.data(), order.data() + order.shape(0));
    merge_by_mass(rows, mass.data(), group.data(), n_groups, n_threads);
  }
  return as_array(std::move(rows));
}

bool none_negative(const Array<Sum, 1>& mass, int n_threads) {
  const Sum* numbers = mass.data();
  return all_rows(mass.shape(0), n_threads, [=](std::size_t i) { return numbers[i] >= 0; });
}

RowArray heaviest(Array<Sum, 1> mass, double share, nb::object among, int n_threads) {
  require_threads(n_threads);
  const std::size_t n_all = mass.shape(0);
  Array<Row, 1> rows;
  if (!among.is_none()) rows = nb::cast<Array<Row, 1>>(among);
  const Row* some = among.is_none() ? nullptr : rows.data();
  const std::size_t n = among.is_none() ? n_all : rows.shape(0);
  std::vector<Row> found;
  {
    nb::gil_scoped_release release;
    require(none_negative(mass, n_threads), "mass must not be negative");
    const auto is_next = [=](std::size_t i) {
      return some[i] < n_all && (i == 0 || some[i - 1] < some[i]);
    };
    require(some == nullptr || all_rows(n, n_threads, is_next),
            "among must be ascending and in range");
    found = heaviest_rows(mass.data(), some, n, share, n_threads);
  }
  return as_array(std::move(found));
}

double share_of(Array<Sum, 1> mass, double share) {
  nb::gil_scoped_release release;
  require(mass.shape(0) > 0 && none_negative(mass, 1), "mass must not be empty nor negative");
  return share_of_rows(mass.data(), mass.shape(0), share);
}

}  // namespace
}  // namespace frugalboost

void bind_order(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("merge_by_mass", &merged, "order"_a, "mass"_a, "group"_a, "n_groups"_a,
             "n_threads"_a = 1);
  module.def("heaviest_rows", &heaviest, "mass"_a, "share"_a, "among"_a.none() = nb::none(),
             "n_threads"_a = 1);
  module.def("share_of_rows", &share_of, "mass"_a, "share"_a);
}
