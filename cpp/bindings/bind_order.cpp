#include <algorithm>

#include "bindings/support.hpp"
#include "core/rows/order.hpp"

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
      "heaviest_rows",
      [](Array<Sum, 1> mass, double share, nb::object among) {
        const std::size_t n_all = mass.shape(0);
        require(std::all_of(mass.data(), mass.data() + n_all, [](Sum m) { return m >= 0; }),
                "mass must not be negative");
        Array<Row, 1> rows;
        if (!among.is_none()) {
          rows = nb::cast<Array<Row, 1>>(among);
          for (std::size_t i = 0; i < rows.shape(0); ++i)
            require(rows(i) < n_all && (i == 0 || rows(i - 1) < rows(i)),
                    "among must be ascending and in range");
        }
        std::vector<Row> found;
        {
          nb::gil_scoped_release release;
          found = among.is_none() ? heaviest_rows(mass.data(), nullptr, n_all, share)
                                  : heaviest_rows(mass.data(), rows.data(), rows.shape(0), share);
        }
        const std::size_t n = found.size();
        return to_numpy(std::move(found), {n});
      },
      "mass"_a, "share"_a, "among"_a.none() = nb::none());
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
