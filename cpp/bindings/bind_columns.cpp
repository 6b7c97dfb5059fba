#include "bindings/columns_holder.hpp"
#include "bindings/support.hpp"
#include "core/columns/code_checks.hpp"
#include "core/columns/row_blocks.hpp"

namespace frugalboost {

ColumnsHolder::ColumnsHolder(std::size_t n_rows, Array<std::uint8_t, 2> dense8,
                             Array<std::uint16_t, 2> dense16, Array<std::int64_t, 1> indptr,
                             Array<std::uint32_t, 1> rows, Array<std::uint16_t, 1> codes,
                             Array<std::uint16_t, 1> defaults, Array<std::int8_t, 1> storage,
                             Array<std::int32_t, 1> slot, Array<std::int32_t, 1> n_bins,
                             Array<bool, 1> has_missing, Array<bool, 1> is_categorical,
                             int n_threads)
    : dense8_(dense8), dense16_(dense16), rows_(rows), codes_(codes) {
  const std::size_t n = storage.shape(0);
  require(slot.shape(0) == n && n_bins.shape(0) == n && has_missing.shape(0) == n &&
              is_categorical.shape(0) == n,
          "storage, slot, n_bins, has_missing and is_categorical must have one entry per feature");
  require(n_rows <= most_rows, "n_rows must be below 2^31");
  require(dense8.shape(0) == 0 || dense8.shape(1) == n_rows, "dense8 must have n_rows columns");
  require(dense16.shape(0) == 0 || dense16.shape(1) == n_rows, "dense16 must have n_rows columns");
  require(indptr.shape(0) == defaults.shape(0) + 1 && rows.shape(0) == codes.shape(0),
          "the parts of the sparse columns must have matching lengths");
  require(n_threads >= 1, "n_threads must be at least 1");
  columns_.n_rows = n_rows;
  for (std::size_t f = 0; f < n; ++f) {
    Column column;
    column.n_bins = n_bins(f);
    column.has_missing = has_missing(f);
    column.is_categorical = is_categorical(f);
    const std::size_t at = slot(f);
    column.storage = static_cast<Storage>(storage(f));
    require(column.n_bins >= 1 && slot(f) >= 0, "n_bins must be positive and slot not negative");
    if (column.storage == Storage::dense8) {
      require(at < dense8.shape(0), "slot points past dense8");
      column.codes8 = dense8.data() + at * n_rows;
    } else if (column.storage == Storage::dense16) {
      require(at < dense16.shape(0), "slot points past dense16");
      column.codes16 = dense16.data() + at * n_rows;
    } else {
      require(column.storage == Storage::sparse && at < defaults.shape(0),
              "slot points past the sparse columns");
      const std::int64_t begin = indptr(at), end = indptr(at + 1);
      require(0 <= begin && begin <= end && end <= static_cast<std::int64_t>(rows.shape(0)),
              "sparse_indptr must rise from 0 to the number of entries");
      column.rows = rows.data() + begin;
      column.codes16 = codes.data() + begin;
      column.n_entries = static_cast<std::size_t>(end - begin);
      column.default_code = defaults(at);
    }
    columns_.columns.push_back(column);
  }
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  check_codes(columns_, n_threads, poll);
}

}  // namespace frugalboost

void bind_columns(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::list storages;
  for (const char* name : storage_names) storages.append(name);
  module.attr("STORAGES") = nb::tuple(storages);
  module.attr("MAX_BINS") = most_bins;
  module.attr("MAX_ROWS") = most_rows;
  nb::class_<ColumnsHolder>(module, "Columns")
      .def(nb::init<std::size_t, Array<std::uint8_t, 2>, Array<std::uint16_t, 2>,
                    Array<std::int64_t, 1>, Array<std::uint32_t, 1>, Array<std::uint16_t, 1>,
                    Array<std::uint16_t, 1>, Array<std::int8_t, 1>, Array<std::int32_t, 1>,
                    Array<std::int32_t, 1>, Array<bool, 1>, Array<bool, 1>, int>(),
           nb::kw_only(), "n_rows"_a, "dense8"_a, "dense16"_a, "sparse_indptr"_a, "sparse_rows"_a,
           "sparse_codes"_a, "sparse_default"_a, "storage"_a, "slot"_a, "n_bins"_a, "has_missing"_a,
           "is_categorical"_a, "n_threads"_a = 1)
      .def(
          "read_share",
          [](const ColumnsHolder& self, int n_threads) {
            require(n_threads >= 1, "n_threads must be at least 1");
            const Poll poll = signal_poll();
            nb::gil_scoped_release release;
            return self.get().row_blocks(n_threads, poll).read_share();
          },
          "n_threads"_a)
      .def_prop_ro("n_rows", [](const ColumnsHolder& self) { return self.get().n_rows; })
      .def_prop_ro("n_features",
                   [](const ColumnsHolder& self) { return self.get().columns.size(); });
}
