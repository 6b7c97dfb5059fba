// Finds the best split of one feature, or a lower bound on it, from the feature's histogram.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/columns/columns.hpp"
#include "core/search/losses.hpp"
#include "core/threads/listener.hpp"

// The innermost step of every search: a call here would cost as much as the step itself.
#define FRUGALBOOST_INLINE __attribute__((always_inline))

namespace frugalboost {

template <class Value>
struct Candidate {
  Value loss = no_loss<Value>();
  int bin = -1;  // numeric: last code on the left; categorical: codes of the prefix
  bool missing_left = false;
  int order = -1;  // categorical: which order of the categories
  // Both sides are known to have rows enough; otherwise they may have.
  bool is_sure = true;
  bool is_valid() const { return bin >= 0; }
};

// Cells of one feature, [code][channel], and the rows behind each code when somebody needs them.
struct Histogram {
  const Sum* cells;
  const std::uint32_t* counts;  // null unless min_samples_leaf > 1 and cells do not tell
  const Sum* totals;            // of all cells
};

// Whether a column of two codes, which split one way only, leaves a side too few rows: so it is
// with most columns of a one-hot table in most nodes.
inline bool is_too_lopsided(const Column& column, Histogram histogram, std::size_t smallest) {
  return histogram.counts != nullptr && column.n_codes() == 2 &&
         std::min(histogram.counts[0], histogram.counts[1]) < smallest;
}

// Channel sums of one side of a split. With their number known they stay in registers.
template <int FixedChannels>
class Sums {
 public:
  explicit Sums(int) {}
  Sum* data() { return values_; }

 private:
  Sum values_[FixedChannels] = {};
};

template <>
class Sums<0> {
 public:
  explicit Sums(int n_channels) : values_(n_channels, 0) {}
  Sum* data() { return values_.data(); }

 private:
  std::vector<Sum> values_;
};

// Fewer are sorted in the time that it takes to ask for the time.
constexpr std::size_t codes_worth_a_poll = 64;

// Whether the sides of a split have rows enough.
enum class Enough : std::int8_t { no, maybe, yes };

// Holds scratch memory: one per thread.
template <class Cell>
class SplitFinder {
 public:
  using Value = typename Cell::Value;

  // The poll must outlive it.
  SplitFinder(Cell cell, std::size_t min_samples_leaf, const Poll& poll = unheard)
      : cell_(cell),
        min_samples_leaf_(min_samples_leaf),
        poll_(&poll),
        total_(cell.n_channels()),
        left_(cell.n_channels()),
        right_(cell.n_channels()) {}

  void adapt(const Cell& cell) { cell_ = cell; }

  // Whether any row has the code.
  bool holds(Histogram histogram, int code) const { return !is_empty(at(histogram.cells, code)); }

  // The smallest loss over all splits of the feature, allowed or not, on the rows looked at. A
  // split with an empty side counts: rows not yet seen may fill it.
  Value lower(const Column& column, Histogram histogram, Sum mass) {
    copy_totals(histogram.totals);
    Value smallest = cell_.whole(cell_.part(total_.data()), mass);
    if (column.is_categorical) {
      if (cell_.n_orders() > 1) return finest(column, histogram.cells, mass);
      find_codes(column, histogram.cells);
      visit_prefixes(histogram.cells, 0, [&](const Sum* left, const Sum* right, int) {
        smallest = std::min(smallest, split_loss(left, right, mass));
      });
    } else {
      visit_thresholds(column, histogram.cells,
                       [&](const Sum* left, const Sum* right, int, bool) FRUGALBOOST_INLINE {
                         smallest = std::min(smallest, split_loss(left, right, mass));
                       });
    }
    return smallest;
  }

  // The best allowed split; lowest bin first, missing right before missing left. None may be named
  // where none has a loss of at most `to_beat`.
  Candidate<Value> best(const Column& column, Histogram histogram, Sum mass,
                        Value to_beat = no_loss<Value>()) {
    copy_totals(histogram.totals);
    if (column.is_categorical) return best_of_categories(column, histogram, mass, to_beat);
    if (has_kernel(column, histogram)) return scan(column, histogram, mass, to_beat);
    Candidate<Value> best;
    LeftRows rows = left_rows(column, histogram);
    visit_thresholds(
        column, histogram.cells,
        [&](const Sum* left, const Sum* right, int bin, bool missing_left) FRUGALBOOST_INLINE {
          if (is_empty(left) || is_empty(right)) return;
          const Enough enough =
              rows.is_counted()
                  ? rows.are_enough([&](int code) { return rows_of(histogram, code); }, bin,
                                    missing_left)
                  : judged_by_weight(left, right);
          if (enough == Enough::no) return;
          offer(best,
                {split_loss(left, right, mass), bin, missing_left, -1, enough == Enough::yes});
        });
    return best;
  }

  // Channel totals of the rows that `candidate` sends left.
  std::vector<Sum> left_totals(const Column& column, Histogram histogram,
                               const Candidate<Value>& candidate) {
    std::vector<Sum> totals(cell_.n_channels(), 0);
    if (column.is_categorical) {
      for (int code : left_codes(column, histogram, candidate))
        add(at(histogram.cells, code), totals.data());
      return totals;
    }
    for (int bin = 0; bin <= candidate.bin; ++bin) add(at(histogram.cells, bin), totals.data());
    if (candidate.missing_left) add(at(histogram.cells, column.missing_code()), totals.data());
    return totals;
  }

  // The categories that `candidate` sends left, by code.
  std::vector<int> left_codes(const Column& column, Histogram histogram,
                              const Candidate<Value>& candidate) {
    find_codes(column, histogram.cells);
    sort_codes(histogram.cells, candidate.order);
    return std::vector<int>(codes_.begin(), codes_.begin() + candidate.bin);
  }

 private:
  // Rows on the left of successive thresholds, where rows are counted.
  class LeftRows {
   public:
    LeftRows() = default;
    LeftRows(std::size_t smallest, std::size_t n_all, std::size_t n_missing)
        : smallest_(smallest), n_all_(n_all), n_missing_(n_missing), is_counted_(true) {}

    bool is_counted() const { return is_counted_; }
    // Bins must not fall from call to call.
    template <class RowsOf>
    Enough are_enough(RowsOf&& rows_of, int bin, bool missing_left) {
      while (next_ <= bin) n_left_ += rows_of(next_++);
      const std::size_t n_left = n_left_ + (missing_left ? n_missing_ : 0);
      return n_left >= smallest_ && n_all_ - n_left >= smallest_ ? Enough::yes : Enough::no;
    }

   private:
    std::size_t smallest_ = 0, n_all_ = 0, n_missing_ = 0, n_left_ = 0;
    int next_ = 0;
    bool is_counted_ = false;
  };

  bool knows_rows(Histogram histogram) const {
    if constexpr (Cell::cancels)
      if (cell_.tells_rows()) return true;
    return histogram.counts != nullptr;
  }

  std::size_t rows_of(Histogram histogram, int code) const {
    if constexpr (Cell::cancels)
      if (cell_.tells_rows())
        return static_cast<std::size_t>(cell_.rows(at(histogram.cells, code)));
    return histogram.counts[code];
  }

  LeftRows left_rows(const Column& column, Histogram histogram) const {
    if (min_samples_leaf_ <= 1 || !knows_rows(histogram)) return {};
    std::size_t n_all = 0;
    for (int code = 0; code < column.n_codes(); ++code) n_all += rows_of(histogram, code);
    const std::size_t n_missing =
        column.has_missing ? rows_of(histogram, column.missing_code()) : 0;
    return {min_samples_leaf_, n_all, n_missing};
  }

  // Where rows were not counted: a row weighs at least one unit, and no more than the largest.
  Enough judged_by_weight(const Sum* left, const Sum* right) const {
    if constexpr (Cell::cancels) {
      if (min_samples_leaf_ <= 1) return Enough::yes;
      const Sum lighter = std::min(cell_.packing.weight(left[0]), cell_.packing.weight(right[0]));
      if (lighter < static_cast<Sum>(min_samples_leaf_)) return Enough::no;
      return lighter >= sure_weight() ? Enough::yes : Enough::maybe;
    }
    return Enough::yes;
  }

  // What only so many rows together can weigh.
  Sum sure_weight() const {
    if constexpr (Cell::cancels) {
      constexpr Sum most = std::numeric_limits<Sum>::max();
      const Sum rows = static_cast<Sum>(min_samples_leaf_);
      return rows <= 1                            ? 1
             : cell_.largest_weight > most / rows ? most
                                                  : rows * cell_.largest_weight;
    }
    return 1;
  }

  Candidate<Value> best_of_categories(const Column& column, Histogram histogram, Sum mass,
                                      Value to_beat) {
    Candidate<Value> best;
    find_codes(column, histogram.cells);
    if (to_beat < no_loss<Value>() && is_hopeless(histogram.cells, mass, to_beat)) return best;
    const bool is_counted = min_samples_leaf_ > 1 && knows_rows(histogram);
    std::size_t n_all = 0;
    if (is_counted)
      for (int code : codes_) n_all += rows_of(histogram, code);
    // Two categories can be divided in one way.
    const int n_orders = codes_.size() < 3 ? 1 : cell_.n_orders();
    for (int order = 0; order < n_orders; ++order) {
      // Each class has its order: of many categories all orders together may take a minute.
      if (codes_.size() >= codes_worth_a_poll) (*poll_)();
      std::size_t n_left = 0;
      visit_prefixes(histogram.cells, order, [&](const Sum* left, const Sum* right, int length) {
        Enough enough = Enough::yes;
        if (is_counted) {
          n_left += rows_of(histogram, codes_[length - 1]);
          if (n_left < min_samples_leaf_ || n_all - n_left < min_samples_leaf_) return;
        } else {
          enough = judged_by_weight(left, right);
          if (enough == Enough::no) return;
        }
        offer(best, {split_loss(left, right, mass), length, false, order, enough == Enough::yes});
      });
    }
    return best;
  }

  bool has_kernel(const Column& column, Histogram histogram) const {
    // Sums in registers pass over a few thresholds in the time that the kernel takes to begin.
    constexpr int fewest_bins = Cell::fixed_channels > 0 ? 5 : 0;
    return Cell::scanner != nullptr && column.n_bins >= fewest_bins &&
           !(column.has_missing && holds(histogram, column.missing_code()));
  }

  Candidate<Value> scan(const Column& column, Histogram histogram, Sum mass, Value to_beat) {
    WideScan task;
    task.cells = histogram.cells;
    task.counts = min_samples_leaf_ > 1 ? histogram.counts : nullptr;
    task.n_bins = column.n_bins;
    task.n_outputs = cell_.n_outputs();
    task.totals = total_.data();
    task.mass = mass;
    task.smallest = std::max<std::size_t>(min_samples_leaf_, 1);
    task.sure_weight = sure_weight();
    task.to_beat = static_cast<double>(to_beat);
    task.scratch = &scratch_;
    if constexpr (Cell::cancels) task.packing = cell_.packing;
    const WideBest found = Cell::scanner(task);
    if (found.bin < 0) return {};
    return {static_cast<Value>(found.loss), found.bin, false, -1, found.is_sure};
  }

  const Sum* at(const Sum* cells, int code) const {
    return cells + static_cast<std::size_t>(code) * cell_.n_channels();
  }

  bool is_empty(const Sum* cell) const {
    // Every weight is at least one unit, so a cell holds a row exactly when its weights are not
    // zero. They are the first n_outputs channels in every layout.
    if constexpr (Cell::every_output_weighs) return cell[0] == 0;
    for (int k = 0; k < cell_.n_outputs(); ++k)
      if (cell[k] != 0) return false;
    return true;
  }

  void add(const Sum* cell, Sum* to) const {
    const int n_channels = cell_.n_channels();
    for (int c = 0; c < n_channels; ++c) to[c] += cell[c];
  }

  void subtract(const Sum* whole, const Sum* part, Sum* rest) const {
    const int n_channels = cell_.n_channels();
    for (int c = 0; c < n_channels; ++c) rest[c] = whole[c] - part[c];
  }

  void copy_totals(const Sum* totals) {
    std::copy(totals, totals + cell_.n_channels(), total_.data());
  }

  Value split_loss(const Sum* left, const Sum* right, Sum mass) const {
    return cell_.split(cell_.part(left), cell_.part(right), mass);
  }

  static void offer(Candidate<Value>& best, const Candidate<Value>& other) {
    if (!best.is_valid() || other.loss < best.loss) best = other;
  }

  // Calls visit(left, right, bin, missing_left). A bin without rows splits them as the bin before
  // it does, and the lower bin wins ties, so it is passed over.
  template <class Visit>
  void visit_thresholds(const Column& column, const Sum* cells, Visit&& visit) {
    const Sum* missing = column.has_missing ? at(cells, column.missing_code()) : nullptr;
    if (missing != nullptr && is_empty(missing)) missing = nullptr;
    const int n_channels = cell_.n_channels();
    Sums<Cell::fixed_channels> total = total_, left(n_channels), right(n_channels),
                               with_missing(n_channels);
    const int last = missing != nullptr ? column.n_bins : column.n_bins - 1;
    for (int bin = 0; bin < last; ++bin) {
      const Sum* cell = at(cells, bin);
      if (!is_empty(cell)) {
        add(cell, left.data());
        subtract(total.data(), left.data(), right.data());
        visit(left.data(), right.data(), bin, false);
      } else if (bin > 0) {
        continue;  // the first bin may be empty: missing values alone on the left are a side
      }
      if (missing == nullptr || bin == column.n_bins - 1) continue;
      with_missing = left;
      add(missing, with_missing.data());
      subtract(total.data(), with_missing.data(), right.data());
      visit(with_missing.data(), right.data(), bin, true);
    }
  }

  // Categories present.
  void find_codes(const Column& column, const Sum* cells) {
    codes_.clear();
    for (int code = 0; code < column.n_codes(); ++code)
      if (!is_empty(at(cells, code))) codes_.push_back(code);
    shares_.resize(column.n_codes());
  }

  // By increasing share. Those that are close are compared as exact fractions, because two
  // roundings of equal shares could order them differently in two searches.
  void sort_codes(const Sum* cells, int order) {
    for (int code : codes_)
      shares_[code] = static_cast<double>(cell_.numerator(at(cells, code), order)) /
                      static_cast<double>(cell_.denominator(at(cells, code), order));
    const auto is_before = [&](int a, int b) {
      const double x = shares_[a], y = shares_[b];
      constexpr double rounding = 0x1p-48;  // each share is off by less than 2^-51 of itself
      if (x - y > rounding * (std::abs(x) + std::abs(y))) return false;
      if (y - x > rounding * (std::abs(x) + std::abs(y))) return true;
      return is_exactly_before(cells, order, a, b);
    };
    // A few, the usual case, are put in place one by one.
    if (codes_.size() > 16) return std::sort(codes_.begin(), codes_.end(), is_before);
    for (std::size_t i = 1; i < codes_.size(); ++i)
      for (std::size_t j = i; j > 0 && is_before(codes_[j], codes_[j - 1]); --j)
        std::swap(codes_[j], codes_[j - 1]);
  }

  bool is_exactly_before(const Sum* cells, int order, int a, int b) const {
    __extension__ using Wide = __int128;
    const Wide x = static_cast<Wide>(cell_.numerator(at(cells, a), order)) *
                   cell_.denominator(at(cells, b), order);
    const Wide y = static_cast<Wide>(cell_.numerator(at(cells, b), order)) *
                   cell_.denominator(at(cells, a), order);
    return x != y ? x < y : a < b;
  }

  // After find_codes.
  template <class Visit>
  void visit_prefixes(const Sum* cells, int order, Visit&& visit) {
    sort_codes(cells, order);
    std::fill_n(left_.data(), cell_.n_channels(), Sum{0});
    for (int length = 1; length < static_cast<int>(codes_.size()); ++length) {
      add(at(cells, codes_[length - 1]), left_.data());
      subtract(total_.data(), left_.data(), right_.data());
      visit(left_.data(), right_.data(), length);
    }
  }

  // Whether even each category on its own side would have a loss above `to_beat`, by more than the
  // rounding of its terms. After find_codes.
  bool is_hopeless(const Sum* cells, Sum mass, Value to_beat) const {
    Value sum = 0;
    for (int code : codes_) sum += cell_.part(at(cells, code));
    const Value loss = cell_.whole(sum, mass);
    if constexpr (std::is_same_v<Value, Sum>) return loss > to_beat;
    const double terms = static_cast<double>(codes_.size()) * 2.0 * cell_.n_outputs() + 16.0;
    const double scale = std::abs(static_cast<double>(loss));
    return static_cast<double>(loss) - terms * 0x1p-50 * scale > static_cast<double>(to_beat);
  }

  // Each category on its own side: no two-way split of the categories can do better.
  Value finest(const Column& column, const Sum* cells, Sum mass) {
    Value sum = 0;
    for (int code = 0; code < column.n_codes(); ++code) sum += cell_.part(at(cells, code));
    return cell_.whole(sum, mass);
  }

  Cell cell_;
  std::size_t min_samples_leaf_;
  const Poll* poll_;
  Sums<Cell::fixed_channels> total_, left_, right_;
  std::vector<int> codes_;
  std::vector<double> shares_;  // by code
  WideScratch scratch_;
};

// Real targets: the sums of a single output stay in registers, those of more do not fit.
template <>
class SplitFinder<RealCell> {
 public:
  using Value = double;
  using Split = Candidate<Value>;

  SplitFinder(RealCell cell, std::size_t min_samples_leaf, const Poll& poll = unheard)
      : is_single_(cell.n_outputs() == 1),
        single_({1, cell.packing, cell.largest_weight}, min_samples_leaf, poll),
        many_(cell, min_samples_leaf, poll) {}

  // The next problem's units.
  void adapt(const RealCell& cell) {
    single_.adapt({1, cell.packing, cell.largest_weight});
    many_.adapt(cell);
  }

  bool holds(Histogram histogram, int code) const { return many_.holds(histogram, code); }
  Value lower(const Column& column, Histogram histogram, Sum mass) {
    return is_single_ ? single_.lower(column, histogram, mass)
                      : many_.lower(column, histogram, mass);
  }
  Split best(const Column& column, Histogram histogram, Sum mass,
             Value to_beat = no_loss<Value>()) {
    return is_single_ ? single_.best(column, histogram, mass, to_beat)
                      : many_.best(column, histogram, mass, to_beat);
  }
  std::vector<Sum> left_totals(const Column& column, Histogram histogram, const Split& candidate) {
    return many_.left_totals(column, histogram, candidate);
  }
  std::vector<int> left_codes(const Column& column, Histogram histogram, const Split& candidate) {
    return many_.left_codes(column, histogram, candidate);
  }

 private:
  bool is_single_;
  SplitFinder<RealCellOf<1>> single_;
  SplitFinder<RealCellOf<0>> many_;
};

}  // namespace frugalboost
