// Bindings of core/binning/binning.hpp and encoding.hpp: check shapes and types, release the GIL,
// call one kernel.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "bindings/matrix_view.hpp"
#include "bindings/support.hpp"
#include "core/binning/binning.hpp"
#include "core/binning/encoding.hpp"

namespace frugalboost {
namespace {

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutVector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutMatrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyVector = nb::ndarray<nb::numpy, T>;

// Thresholds of all columns, where each column's start, whether the column has missing values, its
// most frequent code, the number of rows with another one.
using Bins = std::tuple<NumpyVector<double>, NumpyVector<std::int64_t>, NumpyVector<bool>,
                        NumpyVector<std::uint16_t>, NumpyVector<std::int64_t>>;

// nanobind would make this vector before the call, where an exception ends the process.
std::vector<AnyMatrix> matrices_of(const nb::list& parts) {
  std::vector<AnyMatrix> matrices(parts.size());
  for (std::size_t i = 0; i < matrices.size(); ++i)
    if (!nb::try_cast(parts[i], matrices[i]))
      throw nb::type_error("parts must be a list of arrays with two dimensions");
  return matrices;
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
    require(at[j + 1] - at[j] < static_cast<std::int64_t>(most_bins),
            "a column must have at most 65535 bins");
  }
  return {values.data(), at};
}

void check_options(std::size_t max_bins, int n_threads) {
  require(2 <= max_bins && max_bins <= most_bins, "max_bins must be from 2 to 65535");
  require(n_threads >= 1, "n_threads must be at least 1");
}

Bins pack(const std::vector<ColumnBins>& columns) {
  std::size_t total = 0;
  for (const ColumnBins& column : columns) total += column.thresholds.size();
  auto thresholds = fresh<double>({total});
  auto offsets = fresh<std::int64_t>({columns.size() + 1});
  auto has_missing = fresh<bool>({columns.size()});
  auto most_frequent = fresh<std::uint16_t>({columns.size()});
  auto n_others = fresh<std::int64_t>({columns.size()});
  double* end = thresholds.data();
  offsets.data()[0] = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    end = std::copy(columns[j].thresholds.begin(), columns[j].thresholds.end(), end);
    offsets.data()[j + 1] = end - thresholds.data();
    has_missing.data()[j] = columns[j].has_missing;
    most_frequent.data()[j] = columns[j].most_frequent;
    n_others.data()[j] = static_cast<std::int64_t>(columns[j].n_others);
  }
  return {thresholds, offsets, has_missing, most_frequent, n_others};
}

Bins find_dense(const nb::list& parts, std::size_t max_bins, int n_threads) {
  check_options(max_bins, n_threads);
  const std::vector<AnyMatrix> matrices = matrices_of(parts);
  const std::vector<MatrixView> views = views_of(matrices);
  const Poll poll = signal_poll();
  std::vector<ColumnBins> bins;
  {
    nb::gil_scoped_release release;
    bins = find_bins(views, max_bins, n_threads, poll);
  }
  return pack(bins);
}

Bins find_sparse(const AnyVector& data, const Vector<std::int64_t>& indptr, std::size_t n_rows,
                 std::size_t max_bins, int n_threads) {
  check_options(max_bins, n_threads);
  const SparseView view = view_of(data, indptr, n_rows);
  const Poll poll = signal_poll();
  std::vector<ColumnBins> bins;
  {
    nb::gil_scoped_release release;
    bins = find_bins(view, max_bins, n_threads, poll);
  }
  return pack(bins);
}

// Room for the codes of all columns of a table; column j goes to place slot[j] of its storage.
class Room {
 public:
  Room(const OutMatrix<std::uint8_t>& dense8, const OutMatrix<std::uint16_t>& dense16,
       const Vector<std::int64_t>& indptr, const OutVector<std::uint32_t>& rows,
       const OutVector<std::uint16_t>& codes, const Vector<std::uint16_t>& defaults)
      : dense8_(dense8),
        dense16_(dense16),
        indptr_(indptr),
        rows_(rows),
        codes_(codes),
        defaults_(defaults) {
    require(indptr.shape(0) == defaults.shape(0) + 1 && rows.shape(0) == codes.shape(0),
            "the parts of the sparse columns must have matching lengths");
  }

  std::vector<CodeTarget> targets(const Vector<std::int8_t>& storage,
                                  const Vector<std::int32_t>& slot, const Thresholds& cuts,
                                  std::size_t n_rows, std::size_t n_columns) const {
    require(storage.shape(0) == n_columns && slot.shape(0) == n_columns,
            "storage and slot must have one entry per column");
    std::vector<CodeTarget> targets;
    for (std::size_t j = 0; j < n_columns; ++j) {
      require(slot.data()[j] >= 0, "slot must not be negative");
      const auto kind = static_cast<Storage>(storage.data()[j]);
      require(kind != Storage::dense8 || cuts.offsets[j + 1] - cuts.offsets[j] < 256,
              "a column with more than 256 bins must be wide");
      targets.push_back(target(kind, static_cast<std::size_t>(slot.data()[j]), n_rows));
    }
    return targets;
  }

 private:
  CodeTarget target(Storage kind, std::size_t at, std::size_t n_rows) const {
    if (kind == Storage::dense8) {
      require(at < dense8_.shape(0) && dense8_.shape(1) == n_rows, "slot must be a row of dense8");
      return {kind, dense8_.data() + at * n_rows};
    }
    if (kind == Storage::dense16) {
      require(at < dense16_.shape(0) && dense16_.shape(1) == n_rows,
              "slot must be a row of dense16");
      return {kind, dense16_.data() + at * n_rows};
    }
    require(kind == Storage::sparse && at < defaults_.shape(0), "slot must be a sparse column");
    const std::int64_t begin = indptr_.data()[at], end = indptr_.data()[at + 1];
    require(0 <= begin && begin <= end && end <= static_cast<std::int64_t>(rows_.shape(0)),
            "sparse_indptr must rise from 0 to the number of entries");
    return {kind, codes_.data() + begin, rows_.data() + begin,
            static_cast<std::size_t>(end - begin), defaults_.data()[at]};
  }

  const OutMatrix<std::uint8_t>& dense8_;
  const OutMatrix<std::uint16_t>& dense16_;
  const Vector<std::int64_t>& indptr_;
  const OutVector<std::uint32_t>& rows_;
  const OutVector<std::uint16_t>& codes_;
  const Vector<std::uint16_t>& defaults_;
};

void encode_dense(const nb::list& parts, const Vector<double>& thresholds,
                  const Vector<std::int64_t>& offsets, const OutMatrix<std::uint8_t>& dense8,
                  const OutMatrix<std::uint16_t>& dense16, const Vector<std::int64_t>& indptr,
                  const OutVector<std::uint32_t>& rows, const OutVector<std::uint16_t>& codes,
                  const Vector<std::uint16_t>& defaults, const Vector<std::int8_t>& storage,
                  const Vector<std::int32_t>& slot, int n_threads) {
  const std::vector<AnyMatrix> matrices = matrices_of(parts);
  const std::vector<MatrixView> views = views_of(matrices);
  std::size_t n_columns = 0;
  for (const MatrixView& view : views) n_columns += view.n_columns;
  const std::size_t n_rows = views.empty() ? 0 : views[0].n_rows;
  const Thresholds cuts = thresholds_of(thresholds, offsets, n_columns);
  require(n_threads >= 1, "n_threads must be at least 1");
  const Room room(dense8, dense16, indptr, rows, codes, defaults);
  const std::vector<CodeTarget> targets = room.targets(storage, slot, cuts, n_rows, n_columns);
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  encode(views, cuts, targets, n_threads, poll);
}

template <class Index>
void encode_sparse(const AnyVector& data, const Vector<Index>& indices,
                   const Vector<std::int64_t>& data_indptr, std::size_t n_rows,
                   const Vector<double>& thresholds, const Vector<std::int64_t>& offsets,
                   const OutMatrix<std::uint8_t>& dense8, const OutMatrix<std::uint16_t>& dense16,
                   const Vector<std::int64_t>& indptr, const OutVector<std::uint32_t>& rows,
                   const OutVector<std::uint16_t>& codes, const Vector<std::uint16_t>& defaults,
                   const Vector<std::int8_t>& storage, const Vector<std::int32_t>& slot,
                   int n_threads) {
  const SparseView view = view_of(data, data_indptr, n_rows);
  const Thresholds cuts = thresholds_of(thresholds, offsets, view.n_columns);
  require(n_threads >= 1, "n_threads must be at least 1");
  require(indices.shape(0) == data.shape(0), "indices must have the length of data");
  const Room room(dense8, dense16, indptr, rows, codes, defaults);
  const std::vector<CodeTarget> targets = room.targets(storage, slot, cuts, n_rows, view.n_columns);
  const Poll poll = signal_poll();
  nb::gil_scoped_release release;
  encode(view, indices.data(), cuts, targets, n_threads, poll);
}

}  // namespace
}  // namespace frugalboost

void bind_binning(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.def("find_bins", &find_dense, "parts"_a, "max_bins"_a, "n_threads"_a);
  module.def("find_bins_sparse", &find_sparse, "data"_a, "indptr"_a, "n_rows"_a, "max_bins"_a,
             "n_threads"_a);
  module.def("encode", &encode_dense, "parts"_a, "thresholds"_a, "offsets"_a,
             "dense8"_a.noconvert(), "dense16"_a.noconvert(), "sparse_indptr"_a,
             "sparse_rows"_a.noconvert(), "sparse_codes"_a.noconvert(), "sparse_default"_a,
             "storage"_a, "slot"_a, "n_threads"_a);
  const auto def_sparse = [&](auto function) {
    module.def("encode_sparse", function, "data"_a, "indices"_a.noconvert(), "indptr"_a, "n_rows"_a,
               "thresholds"_a, "offsets"_a, "dense8"_a.noconvert(), "dense16"_a.noconvert(),
               "sparse_indptr"_a, "sparse_rows"_a.noconvert(), "sparse_codes"_a.noconvert(),
               "sparse_default"_a, "storage"_a, "slot"_a, "n_threads"_a);
  };
  def_sparse(&encode_sparse<std::int32_t>);
  def_sparse(&encode_sparse<std::int64_t>);
}
