#include "core/binning/encoding.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/binning/binning_jobs.hpp"
#include "core/binning/code_lookup.hpp"

namespace frugalboost {
namespace {

struct Scratch {
  std::vector<char> tile;
  std::vector<std::uint16_t> codes = std::vector<std::uint16_t>(kTileRows);
};

Cuts cuts_of(const Thresholds& thresholds, std::size_t column) {
  const std::int64_t begin = thresholds.offsets[column], end = thresholds.offsets[column + 1];
  return {thresholds.values + begin, static_cast<std::size_t>(end - begin)};
}

// Writes the codes of one column where they go, rows ascending.
class Writer {
 public:
  explicit Writer(const CodeTarget& target) : target_(&target) {}

  template <class T>
  void add(const T* values, std::size_t first_row, std::size_t n, const CodeLookup<T>& lookup,
           std::uint16_t* room) {
    if (target_->storage == Storage::dense8) {
      lookup.encode(values, n, static_cast<std::uint8_t*>(target_->codes) + first_row);
    } else if (target_->storage == Storage::dense16) {
      lookup.encode(values, n, static_cast<std::uint16_t*>(target_->codes) + first_row);
    } else {
      lookup.encode(values, n, room);
      for (std::size_t i = 0; i < n; ++i) push(static_cast<Row>(first_row + i), room[i]);
    }
  }

  void push(Row row, std::uint16_t code) {
    if (code == target_->default_code) return;
    if (n_written_ < target_->n_entries) {
      target_->rows[n_written_] = row;
      static_cast<std::uint16_t*>(target_->codes)[n_written_] = code;
    }
    ++n_written_;
  }

  void finish() const {
    if (target_->storage == Storage::sparse && n_written_ != target_->n_entries)
      throw std::runtime_error("the table changed while it was read");
  }

 private:
  const CodeTarget* target_;
  std::size_t n_written_ = 0;
};

template <class T>
void encode_panel(const Panel& panel, const Thresholds& thresholds, const CodeTarget* targets,
                  Scratch& scratch) {
  std::vector<CodeLookup<T>> lookups;
  std::vector<Writer> writers;
  for (std::size_t c = 0; c < panel.n_columns; ++c) {
    lookups.emplace_back(cuts_of(thresholds, panel.first_number + c), panel.part->n_rows);
    writers.emplace_back(targets[panel.first_number + c]);
  }
  visit_tiles<T>(panel, scratch.tile,
                 [&](std::size_t c, std::size_t first, const T* values, std::size_t n) {
                   writers[c].add(values, first, n, lookups[c], scratch.codes.data());
                 });
  for (const Writer& writer : writers) writer.finish();
}

template <class Code>
void scatter(const CodeTarget& target, Row row, std::uint16_t code) {
  static_cast<Code*>(target.codes)[row] = static_cast<Code>(code);
}

// A sparse column of values; rows between the stored ones are zero.
template <class T, class Index>
void encode_stored(const T* values, const Index* rows, std::size_t n, std::size_t n_rows,
                   const Cuts& cuts, const CodeTarget& target, Scratch& scratch) {
  const std::uint16_t zero = static_cast<std::uint16_t>(cuts.below(0.0));
  const bool is_wide = target.storage == Storage::dense16;
  if (target.storage == Storage::dense8)
    std::fill_n(static_cast<std::uint8_t*>(target.codes), n_rows, static_cast<std::uint8_t>(zero));
  if (is_wide) std::fill_n(static_cast<std::uint16_t*>(target.codes), n_rows, zero);
  Writer writer(target);
  const CodeLookup<T> lookup(cuts, n);
  std::size_t next = 0;  // the first row that has not been written
  const auto write_zeros = [&](std::size_t end) {
    if (zero == target.default_code) return;
    for (; next < end; ++next) writer.push(static_cast<Row>(next), zero);
  };
  for (std::size_t first = 0; first < n; first += kTileRows) {
    const std::size_t m = std::min(kTileRows, n - first);
    lookup.encode(values + first, m, scratch.codes.data());
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t row = static_cast<std::size_t>(rows[first + i]);
      if (row >= n_rows) throw std::out_of_range("a row of the sparse matrix is out of range");
      if (target.storage == Storage::dense8) {
        scatter<std::uint8_t>(target, static_cast<Row>(row), scratch.codes[i]);
      } else if (is_wide) {
        scatter<std::uint16_t>(target, static_cast<Row>(row), scratch.codes[i]);
      } else {
        write_zeros(row);
        writer.push(static_cast<Row>(row), scratch.codes[i]);
        next = row + 1;
      }
    }
  }
  if (target.storage == Storage::sparse) write_zeros(n_rows);
  writer.finish();
}

}  // namespace

void encode(const std::vector<MatrixView>& parts, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads) {
  const std::vector<Panel> panels = make_panels(parts, n_threads);
  const std::size_t cost = panels.empty() ? 0 : parts[0].n_rows * targets.size() / panels.size();
  for_each_job<Scratch>(panels.size(), cost, n_threads, [&](std::size_t i, Scratch& scratch) {
    with_type(panels[i].part->type, [&](auto zero) {
      encode_panel<decltype(zero)>(panels[i], thresholds, targets.data(), scratch);
    });
  });
}

template <class Index>
void encode(const SparseView& matrix, const Index* indices, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads) {
  const std::size_t n_entries = matrix.indptr[matrix.n_columns] - matrix.indptr[0];
  const std::size_t cost = n_entries / std::max<std::size_t>(1, matrix.n_columns);
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    for_each_job<Scratch>(matrix.n_columns, cost, n_threads, [&](std::size_t j, Scratch& scratch) {
      const std::int64_t at = matrix.indptr[j];
      encode_stored(data + at, indices + at, matrix.n_stored(j), matrix.n_rows,
                    cuts_of(thresholds, j), targets[j], scratch);
    });
  });
}

template void encode(const SparseView&, const std::int32_t*, const Thresholds&,
                     const std::vector<CodeTarget>&, int);
template void encode(const SparseView&, const std::int64_t*, const Thresholds&,
                     const std::vector<CodeTarget>&, int);

}  // namespace frugalboost
