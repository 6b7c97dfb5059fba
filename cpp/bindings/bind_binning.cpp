// Bindings of core/binning.hpp: check shapes and types, release the GIL, call one kernel.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/matrix_view.hpp"
#include "core/binning.hpp"

namespace nb = nanobind;
using namespace frugalboost;

namespace {

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutVector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutMatrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// Thresholds of all columns, where each column's start, whether the column has missing values.
using Bins = std::tuple<NumpyVector<double>, NumpyVector<std::int64_t>, NumpyVector<bool>>;

void require(bool is_right, const char* message) {
  if (!is_right) throw nb::value_error(message);
}

std::vector<MatrixView> views_of(const std::vector<AnyMatrix>& parts) {
  std::vector<MatrixView> views;
  for (const AnyMatrix& part : parts) {
    require(part.shape(0) == parts[0].shape(0), "parts must have the same number of rows");
    views.push_back(view_of(part));
  }
  return views;
}

SparseView view_of(const AnyVector& data, const Vector<std::int64_t>& indptr, std::size_t n_rows) {
  require(indptr.shape(0) > 0, "indptr must not be empty");
  const std::size_t n_columns = indptr.shape(0) - 1;
  const std::int64_t* at = indptr.data();
  require(at[0] >= 0 && at[n_columns] <= static_cast<std::int64_t>(data.shape(0)),
          "indptr must point into data");
  for (std::size_t j = 0; j < n_columns; ++j) {
    require(at[j] <= at[j + 1], "indptr must not decrease");
    require(at[j + 1] - at[j] <= static_cast<std::int64_t>(n_rows),
            "a column must not have more entries than rows");
  }
  return {static_cast<const char*>(data.data()), at, n_rows, n_columns, scalar_of(data.dtype())};
}

Thresholds thresholds_of(const Vector<double>& values, const Vector<std::int64_t>& offsets,
                         std::size_t n_columns) {
  require(offsets.shape(0) == n_columns + 1, "offsets must have one entry more than columns");
  const std::int64_t* at = offsets.data();
  require(at[0] >= 0 && at[n_columns] <= static_cast<std::int64_t>(values.shape(0)),
          "offsets must point into thresholds");
  for (std::size_t j = 0; j < n_columns; ++j) {
    require(at[j] <= at[j + 1], "offsets must not decrease");
    require(at[j + 1] - at[j] < 65535, "a column must have at most 65535 bins");
  }
  return {values.data(), at};
}

void check_options(std::size_t max_bins, int n_threads) {
  require(2 <= max_bins && max_bins <= 65535, "max_bins must be from 2 to 65535");
  require(n_threads >= 1, "n_threads must be at least 1");
}

template <class T>
NumpyVector<T> new_vector(std::size_t size) {
  T* data = new T[std::max<std::size_t>(size, 1)];
  nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
  return NumpyVector<T>(data, {size}, owner);
}

Bins pack(const std::vector<ColumnBins>& columns) {
  std::size_t total = 0;
  for (const ColumnBins& column : columns) total += column.thresholds.size();
  auto thresholds = new_vector<double>(total);
  auto offsets = new_vector<std::int64_t>(columns.size() + 1);
  auto has_missing = new_vector<bool>(columns.size());
  double* end = thresholds.data();
  offsets.data()[0] = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    end = std::copy(columns[j].thresholds.begin(), columns[j].thresholds.end(), end);
    offsets.data()[j + 1] = end - thresholds.data();
    has_missing.data()[j] = columns[j].has_missing;
  }
  return {thresholds, offsets, has_missing};
}

Bins find_dense(const std::vector<AnyMatrix>& parts, std::size_t max_bins, int n_threads) {
  check_options(max_bins, n_threads);
  const std::vector<MatrixView> views = views_of(parts);
  std::vector<ColumnBins> bins;
  {
    nb::gil_scoped_release release;
    bins = find_bins(views, max_bins, n_threads);
  }
  return pack(bins);
}

Bins find_sparse(const AnyVector& data, const Vector<std::int64_t>& indptr, std::size_t n_rows,
                 std::size_t max_bins, int n_threads) {
  check_options(max_bins, n_threads);
  const SparseView view = view_of(data, indptr, n_rows);
  std::vector<ColumnBins> bins;
  {
    nb::gil_scoped_release release;
    bins = find_bins(view, max_bins, n_threads);
  }
  return pack(bins);
}

// Column j goes to row slot[j] of dense8 or of dense16.
void encode_dense(const std::vector<AnyMatrix>& parts, const Vector<double>& thresholds,
                  const Vector<std::int64_t>& offsets, const OutMatrix<std::uint8_t>& dense8,
                  const OutMatrix<std::uint16_t>& dense16, const Vector<bool>& is_wide,
                  const Vector<std::int32_t>& slot, int n_threads) {
  const std::vector<MatrixView> views = views_of(parts);
  std::size_t n_columns = 0;
  for (const MatrixView& view : views) n_columns += view.n_columns;
  const std::size_t n_rows = views.empty() ? 0 : views[0].n_rows;
  const Thresholds cuts = thresholds_of(thresholds, offsets, n_columns);
  require(n_threads >= 1, "n_threads must be at least 1");
  require(is_wide.shape(0) == n_columns && slot.shape(0) == n_columns,
          "is_wide and slot must have one entry per column");
  std::vector<CodeTarget> targets;
  for (std::size_t j = 0; j < n_columns; ++j) {
    const bool wide = is_wide.data()[j];
    const std::int64_t row = slot.data()[j];
    require(row >= 0 && row < static_cast<std::int64_t>(wide ? dense16.shape(0) : dense8.shape(0)),
            "slot must be a row of its matrix of codes");
    require((wide ? dense16.shape(1) : dense8.shape(1)) == n_rows,
            "codes must have one column per row of the table");
    require(wide || cuts.offsets[j + 1] - cuts.offsets[j] < 256,
            "a column with more than 256 bins must be wide");
    targets.push_back({wide ? static_cast<void*>(dense16.data() + row * n_rows)
                            : static_cast<void*>(dense8.data() + row * n_rows),
                       wide});
  }
  nb::gil_scoped_release release;
  encode(views, cuts, targets, n_threads);
}

void encode_stored(const AnyVector& data, const Vector<std::int64_t>& indptr, std::size_t n_rows,
                   const Vector<double>& thresholds, const Vector<std::int64_t>& offsets,
                   const OutVector<std::uint16_t>& codes, int n_threads) {
  const SparseView view = view_of(data, indptr, n_rows);
  const Thresholds cuts = thresholds_of(thresholds, offsets, view.n_columns);
  require(n_threads >= 1, "n_threads must be at least 1");
  require(codes.shape(0) == data.shape(0), "codes must have the length of data");
  nb::gil_scoped_release release;
  encode(view, cuts, codes.data(), n_threads);
}

}  // namespace

void bind_binning(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("find_bins", &find_dense, "parts"_a, "max_bins"_a, "n_threads"_a);
  module.def("find_bins_sparse", &find_sparse, "data"_a, "indptr"_a, "n_rows"_a, "max_bins"_a,
             "n_threads"_a);
  module.def("encode", &encode_dense, "parts"_a, "thresholds"_a, "offsets"_a,
             "dense8"_a.noconvert(), "dense16"_a.noconvert(), "is_wide"_a, "slot"_a, "n_threads"_a);
  module.def("encode_sparse", &encode_stored, "data"_a, "indptr"_a, "n_rows"_a, "thresholds"_a,
             "offsets"_a, "codes"_a.noconvert(), "n_threads"_a);
}
