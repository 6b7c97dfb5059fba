#include "core/binning/encoding.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "core/binning/binning_jobs.hpp"
#include "core/binning/code_lookup.hpp"

namespace frugalboost {
namespace {

struct Scratch {
  std::vector<char> tile;
  std::vector<std::uint16_t> codes = std::vector<std::uint16_t>(kTileRows);
  std::vector<std::int32_t> integers = std::vector<std::int32_t>(kTileRows);
};

Cuts cuts_of(const Thresholds& thresholds, std::size_t column) {
  const std::int64_t begin = thresholds.offsets[column], end = thresholds.offsets[column + 1];
  return {thresholds.values + begin, static_cast<std::size_t>(end - begin)};
}

[[noreturn]] void table_changed() {
  throw std::runtime_error("the table changed while it was read");
}

// Calls visit(i) for codes other than the default, which most of them are.
template <class Visit>
void visit_others(const std::uint16_t* codes, std::size_t n, std::uint16_t default_code,
                  Visit&& visit) {
  constexpr std::size_t group = 16;
  for (std::size_t first = 0; first < n; first += group) {
    const std::size_t end = std::min(first + group, n);
    int differs = 0;
    for (std::size_t i = first; i < end; ++i) differs |= codes[i] ^ default_code;
    if (differs == 0) continue;
    for (std::size_t i = first; i < end; ++i)
      if (codes[i] != default_code) visit(i);
  }
}

// Writes the codes of some rows of one column where they go, rows ascending; of a sparse column
// entries [begin, end).
class Writer {
 public:
  Writer(const CodeTarget& target, std::size_t begin, std::size_t end)
      : target_(&target), next_(begin), end_(end) {}
  explicit Writer(const CodeTarget& target) : Writer(target, 0, target.n_entries) {}

  template <class T>
  void add(const T* values, std::size_t first_row, std::size_t n, const CodeLookup& lookup,
           Scratch& scratch) {
    std::int32_t* room = scratch.integers.data();
    if (target_->storage == Storage::dense8) {
      lookup.encode(values, n, static_cast<std::uint8_t*>(target_->codes) + first_row, room);
    } else if (target_->storage == Storage::dense16) {
      lookup.encode(values, n, static_cast<std::uint16_t*>(target_->codes) + first_row, room);
    } else {
      const std::uint16_t* codes = scratch.codes.data();
      lookup.encode(values, n, scratch.codes.data(), room);
      visit_others(codes, n, target_->default_code,
                   [&](std::size_t i) { put(static_cast<Row>(first_row + i), codes[i]); });
    }
  }

  void push(Row row, std::uint16_t code) {
    if (code != target_->default_code) put(row, code);
  }

  void finish() const {
    if (target_->storage == Storage::sparse && next_ != end_) table_changed();
  }

 private:
  void put(Row row, std::uint16_t code) {
    if (next_ < end_) {
      target_->rows[next_] = row;
      static_cast<std::uint16_t*>(target_->codes)[next_] = code;
    }
    ++next_;
  }

  const CodeTarget* target_;
  std::size_t next_, end_;
};

// Codes of a dense table. The rows of a sparse column are divided among threads, too; each must
// know where its entries go, so they are counted first.
class DenseEncoder {
 public:
  DenseEncoder(const std::vector<MatrixView>& parts, const Thresholds& thresholds,
               const std::vector<CodeTarget>& targets, int n_threads, Listener& listener)
      : targets_(targets), n_threads_(n_threads), listener_(listener), panels_(make_panels(parts)) {
    n_slices_ = count_slices(panels_, n_threads);
    cost_ = panels_.empty() ? 0 : parts[0].n_rows * targets.size() / panels_.size() / n_slices_;
    lookups_.resize(targets.size());
    for_each_job<char>(targets.size(), cost_, n_threads, listener, [&](std::size_t j, char&) {
      lookups_[j] = std::make_unique<CodeLookup>(cuts_of(thresholds, j), parts[0].n_rows);
    });
  }

  void encode() {
    if (n_slices_ > 1) count_entries();
    for_each_piece(panels_, [&](const PanelRows& piece, Scratch& scratch, auto zero) {
      write<decltype(zero)>(piece, scratch);
    });
  }

 private:
  // Calls body(piece, scratch, zero), with a zero of the panel's type.
  template <class Body>
  void for_each_piece(const std::vector<Panel>& panels, Body&& body) const {
    const std::vector<PanelRows> pieces = slice_panels(panels, n_slices_);
    const auto visit_piece = [&](std::size_t i, Scratch& scratch) {
      with_type(pieces[i].panel->part->type, [&](auto zero) { body(pieces[i], scratch, zero); });
    };
    for_each_job<Scratch>(pieces.size(), cost_, n_threads_, listener_, visit_piece);
  }

  bool is_sparse(std::size_t column) const { return targets_[column].storage == Storage::sparse; }

  // Where the entries of each slice of a sparse column begin.
  void count_entries() {
    begins_.resize(targets_.size());
    for (std::size_t j = 0; j < targets_.size(); ++j)
      if (is_sparse(j)) begins_[j].assign(n_slices_ + 1, 0);
    std::vector<Panel> panels;
    for (const Panel& panel : panels_) add_sparse_runs(panel, panels);
    for_each_piece(panels, [&](const PanelRows& piece, Scratch& scratch, auto zero) {
      count<decltype(zero)>(piece, scratch);
    });
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      if (!is_sparse(j)) continue;
      for (std::size_t slice = 0; slice < n_slices_; ++slice)
        begins_[j][slice + 1] += begins_[j][slice];
      if (begins_[j].back() != targets_[j].n_entries) table_changed();
    }
  }

  void add_sparse_runs(const Panel& panel, std::vector<Panel>& out) const {
    for (std::size_t c = 0; c < panel.n_columns; ++c) {
      if (!is_sparse(panel.first_number + c)) continue;
      const bool goes_on = c > 0 && is_sparse(panel.first_number + c - 1);
      if (goes_on) {
        ++out.back().n_columns;
      } else {
        out.push_back({panel.part, panel.first + c, 1, panel.first_number + c});
      }
    }
  }

  template <class T>
  void count(const PanelRows& piece, Scratch& scratch) {
    const std::size_t number = piece.panel->first_number;
    std::vector<std::size_t> n_others(piece.panel->n_columns, 0);
    visit_tiles<T>(piece, scratch.tile, listener_,
                   [&](std::size_t c, std::size_t, const T* values, std::size_t n) {
                     std::uint16_t* codes = scratch.codes.data();
                     const std::uint16_t default_code = targets_[number + c].default_code;
                     lookups_[number + c]->encode(values, n, codes, scratch.integers.data());
                     for (std::size_t i = 0; i < n; ++i) n_others[c] += codes[i] != default_code;
                   });
    for (std::size_t c = 0; c < n_others.size(); ++c)
      begins_[number + c][piece.slice + 1] = n_others[c];
  }

  template <class T>
  void write(const PanelRows& piece, Scratch& scratch) const {
    const std::size_t number = piece.panel->first_number;
    std::vector<Writer> writers;
    for (std::size_t c = 0; c < piece.panel->n_columns; ++c)
      writers.push_back(writer(number + c, piece.slice));
    const auto add = [&](std::size_t c, std::size_t first, const T* values, std::size_t n) {
      writers[c].add(values, first, n, *lookups_[number + c], scratch);
    };
    if (!visit_tiles<T>(piece, scratch.tile, listener_, add)) return;
    for (const Writer& writer : writers) writer.finish();
  }

  Writer writer(std::size_t column, std::size_t slice) const {
    if (n_slices_ == 1 || !is_sparse(column)) return Writer(targets_[column]);
    return Writer(targets_[column], begins_[column][slice], begins_[column][slice + 1]);
  }

  const std::vector<CodeTarget>& targets_;
  int n_threads_;
  Listener& listener_;
  std::vector<Panel> panels_;
  std::size_t n_slices_, cost_;
  std::vector<std::unique_ptr<CodeLookup>> lookups_;
  std::vector<std::vector<std::size_t>> begins_;  // of each sparse column, by slices
};

template <class Code>
void scatter(const CodeTarget& target, Row row, std::uint16_t code) {
  static_cast<Code*>(target.codes)[row] = static_cast<Code>(code);
}

// A sparse column of values; rows between the stored ones are zero.
template <class T, class Index>
void encode_stored(const T* values, const Index* rows, std::size_t n, std::size_t n_rows,
                   const Cuts& cuts, const CodeTarget& target, Scratch& scratch,
                   Listener& listener) {
  const std::uint16_t zero = static_cast<std::uint16_t>(cuts.below(0.0));
  const bool is_wide = target.storage == Storage::dense16;
  if (target.storage == Storage::dense8)
    std::fill_n(static_cast<std::uint8_t*>(target.codes), n_rows, static_cast<std::uint8_t>(zero));
  if (is_wide) std::fill_n(static_cast<std::uint16_t*>(target.codes), n_rows, zero);
  Writer writer(target);
  const CodeLookup lookup(cuts, n);
  std::size_t next = 0;  // the first row that has not been written
  const auto write_zeros = [&](std::size_t end) {
    if (zero == target.default_code) return;
    for (; next < end; ++next) writer.push(static_cast<Row>(next), zero);
  };
  for (std::size_t first = 0; first < n; first += kTileRows) {
    const std::size_t m = std::min(kTileRows, n - first);
    if (!listener.goes_on(m)) return;
    lookup.encode(values + first, m, scratch.codes.data(), scratch.integers.data());
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
            const std::vector<CodeTarget>& targets, int n_threads, const Poll& poll) {
  Listener listener(poll);
  DenseEncoder(parts, thresholds, targets, n_threads, listener).encode();
}

template <class Index>
void encode(const SparseView& matrix, const Index* indices, const Thresholds& thresholds,
            const std::vector<CodeTarget>& targets, int n_threads, const Poll& poll) {
  Listener listener(poll);
  const std::size_t n_entries = matrix.indptr[matrix.n_columns] - matrix.indptr[0];
  const std::size_t cost = n_entries / std::max<std::size_t>(1, matrix.n_columns);
  with_type(matrix.type, [&](auto zero) {
    using T = decltype(zero);
    const T* data = reinterpret_cast<const T*>(matrix.data);
    const auto encode_column = [&](std::size_t j, Scratch& scratch) {
      const std::int64_t at = matrix.indptr[j];
      encode_stored(data + at, indices + at, matrix.n_stored(j), matrix.n_rows,
                    cuts_of(thresholds, j), targets[j], scratch, listener);
    };
    for_each_job<Scratch>(matrix.n_columns, cost, n_threads, listener, encode_column);
  });
}

template void encode(const SparseView&, const std::int32_t*, const Thresholds&,
                     const std::vector<CodeTarget>&, int, const Poll&);
template void encode(const SparseView&, const std::int64_t*, const Thresholds&,
                     const std::vector<CodeTarget>&, int, const Poll&);

}  // namespace frugalboost
