#include <algorithm>

#include "bindings/support.hpp"
#include "core/order.hpp"

void bind_order(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def(
      "merge_by_mass",
      [](Array<Row, 1> order, Array<Sum, 1> mass, Array<std::int32_t, 1> group,
         std::size_t n_groups) {
        const std::size_t n = mass.shape(0);
        require(group.shape(0) == n, "group must have one entry per row");
        std::vector<Row> merged(order.data(), order.data() + order.shape(0));
        for (Row row : merged)
          require(row < n && group(row) >= 0 && static_cast<std::size_t>(group(row)) < n_groups,
                  "order and group must be in range");
        {
          nb::gil_scoped_release release;
          merge_by_mass(merged, mass.data(), group.data(), n_groups);
        }
        const std::size_t length = merged.size();
        return to_numpy(std::move(merged), {length});
      },
      "order"_a, "mass"_a, "group"_a, "n_groups"_a);
  module.def(
      "share_of_rows",
      [](Array<Sum, 1> mass, double share) {
        const std::size_t n = mass.shape(0);
        require(n > 0 && std::all_of(mass.data(), mass.data() + n, [](Sum m) { return m >= 0; }),
                "mass must not be empty nor negative");
        nb::gil_scoped_release release;
        return share_of_rows(mass.data(), n, share);
      },
      "mass"_a, "share"_a);
}
