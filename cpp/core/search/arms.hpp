// One arm per feature: its histogram over the heaviest rows seen so far, and its bound.
#pragma once

#include <algorithm>
#include <vector>

#include "core/histogram/accumulate.hpp"
#include "core/histogram/feature_space.hpp"
#include "core/histogram/histogram_builder.hpp"
#include "core/rows/prefix.hpp"
#include "core/search/search.hpp"
#include "core/search/splits.hpp"
#include "core/threads/parallel.hpp"

namespace frugalboost {

template <class Cell>
struct Arm {
  using Value = typename Cell::Value;
  std::size_t slot = 0;
  std::size_t n_seen = 0;
  bool is_complete = false;
  Value lower{};                   // bound while incomplete, the loss of `best` afterwards
  Value upper = no_loss<Value>();  // likewise; only if asked for
  Candidate<Value> best;           // once complete
  std::vector<Entry> entries;      // sparse columns: what is left to add, in row order
  std::size_t next_entry = 0;
  bool has_entries = false;
  int n_scans = 0;  // of its codes, when it was last judged
};

template <class Cell>
class Arms {
 public:
  using Value = typename Cell::Value;

  Arms(const SearchContext& context, const FeatureSpace& space, Cell cell)
      : context_(context),
        space_(space),
        accumulator_(context.problem, context.order),
        builder_(context, space, context.problem, context.order),
        with_counts_(context.options.min_samples_leaf > 1 && !tells_rows(cell)),
        with_upper_(context.options.kind == SearchKind::ap_boost),
        finders_(context.options.n_threads,
                 SplitFinder<Cell>(cell, context.options.min_samples_leaf, context.poll)),
        seen_(context.options.n_threads) {}

  // Starts over at a node: nothing seen.
  void reset(const Node& node) {
    node_ = &node;
    seen_.assign(seen_.size(), Seen{});
    prefix_.reset(context_.problem, context_.order, node.range);
    cells_.assign(space_.n_cells(), 0);
    if (with_counts_) counts_.assign(space_.n_codes(), 0);
    arms_.clear();
    arms_.resize(space_.size());
    for (std::size_t slot = 0; slot < arms_.size(); ++slot) arms_[slot].slot = slot;
  }

  // Shows the first n rows to every arm.
  void assess_all(std::size_t n, Work& work) {
    work.reads += builder_.build(rows(0, n), seen_totals(n), Start::from_cells, cells_.data(),
                                 with_counts_ ? counts_.data() : nullptr);
    work.assessments += static_cast<std::uint64_t>(n) * arms_.size();
    const std::size_t cost = 8 * space_.n_cells() / (arms_.size() + 1);
    parallel_for(arms_.size(), cost, context_.options.n_threads, context_.poll,
                 [&](std::size_t slot) {
                   arms_[slot].n_seen = n;
                   judge(arms_[slot]);
                 });
    for (const Arm<Cell>& arm : arms_) count_scans(arm, work);
  }

  // Shows one arm the rows up to the n-th.
  void assess(Arm<Cell>& arm, std::size_t n, Work& work) {
    work.assessments += n - arm.n_seen;
    work.reads +=
        space_.column(arm.slot).storage == Storage::sparse ? add_entries(arm, n) : add_rows(arm, n);
    arm.n_seen = n;
    judge(arm);
    count_scans(arm, work);
  }

  std::vector<Arm<Cell>>& arms() { return arms_; }
  const PrefixSums& prefix() const { return prefix_; }
  std::size_t n_rows() const { return node_->range.size(); }
  const Column& column(const Arm<Cell>& arm) const { return space_.column(arm.slot); }
  Histogram histogram(const Arm<Cell>& arm) {
    return {cells(arm), counts(arm), seen_totals(arm.n_seen)};
  }
  SplitFinder<Cell>& finder() { return finders_[0]; }
  // What a loss cannot be below, whatever the rows.
  Value floor() const {
    return Cell::cancels ? -static_cast<Value>(prefix_.total_mass()) : Value{0};
  }

 private:
  static bool tells_rows(const Cell& cell) {
    if constexpr (Cell::cancels) return cell.tells_rows();
    return false;
  }
  Range rows(std::size_t from, std::size_t to) const {
    return {node_->range.begin + from, node_->range.begin + to};
  }
  Sum* cells(const Arm<Cell>& arm) { return cells_.data() + space_.cell_offset(arm.slot); }
  std::uint32_t* counts(const Arm<Cell>& arm) {
    return with_counts_ ? counts_.data() + space_.code_offset(arm.slot) : nullptr;
  }

  Target target(const Arm<Cell>& arm) {
    return {&space_.column(arm.slot), cells(arm), counts(arm)};
  }

  std::size_t add_rows(Arm<Cell>& arm, std::size_t n) {
    return accumulator_.add(target(arm), rows(arm.n_seen, n));
  }

  // The column is scanned once; later calls only step through what was found.
  std::size_t add_entries(Arm<Cell>& arm, std::size_t n) {
    if (!arm.has_entries) {
      accumulator_.collect_entries(space_.column(arm.slot), rows(arm.n_seen, n_rows()),
                                   arm.entries);
      arm.has_entries = true;
    }
    const std::size_t end = node_->range.begin + n;
    std::size_t reads = 0;
    while (arm.next_entry < arm.entries.size() && arm.entries[arm.next_entry].position < end) {
      accumulator_.add_entry(arm.entries[arm.next_entry++], cells(arm), counts(arm));
      ++reads;
    }
    return reads;
  }

  void count_scans(const Arm<Cell>& arm, Work& work) const {
    work.scans += static_cast<std::uint64_t>(arm.n_scans) * column(arm).n_codes();
  }

  // Channel totals of the first n rows; the last answer is kept, as arms often stand alike.
  const Sum* seen_totals(std::size_t n) {
    if (n == n_rows()) return node_->totals.data();
    Seen& seen = seen_[this_thread()];
    if (seen.n != n) {
      prefix_.totals(n, accumulator_, seen.totals);
      seen.n = n;
    }
    return seen.totals.data();
  }

  void judge(Arm<Cell>& arm) {
    const Column& column = space_.column(arm.slot);
    if (column.storage == Storage::sparse)
      Accumulator::fill_rest(target(arm), column.default_code, seen_totals(arm.n_seen),
                             space_.n_channels(), arm.n_seen);
    SplitFinder<Cell>& finder = finders_[this_thread()];
    const Sum mass =
        Cell::cancels ? prefix_.mass(arm.n_seen) - prefix_.total_mass() : prefix_.mass(arm.n_seen);
    arm.is_complete = arm.n_seen == n_rows();
    arm.n_scans = 0;
    if (arm.is_complete) {
      arm.best = find_best(arm, finder, mass);
      arm.lower = arm.upper = arm.best.loss;
    } else if (!with_upper_ || !enclose(arm, finder, mass)) {
      ++arm.n_scans;
      arm.lower = finder.lower(column, histogram(arm), mass);
    }
  }

  Candidate<Value> find_best(Arm<Cell>& arm, SplitFinder<Cell>& finder, Sum mass) {
    ++arm.n_scans;
    return finder.best(column(arm), histogram(arm), mass);
  }

  // Finds the upper bound, where the criterion has one; tells if the lower one is found with it.
  bool enclose(Arm<Cell>& arm, SplitFinder<Cell>& finder, Sum mass) {
    // Categories may be put in another order later, which bounds nothing.
    if (Cell::growth == 0 || column(arm).is_categorical) return false;
    // A threshold that is valid on these rows is valid on all.
    const Value found = find_best(arm, finder, mass).loss;
    if (found == no_loss<Value>()) return false;
    const Sum unseen = prefix_.total_mass() - prefix_.mass(arm.n_seen);
    arm.upper = found + static_cast<Value>(Cell::growth) * static_cast<Value>(unseen);
    // A threshold that leaves a side empty costs as much as no split, which is never cheaper.
    if (!std::is_same_v<Value, Sum> || context_.options.min_samples_leaf > 1) return false;
    arm.lower = found;
    return true;
  }

  struct Seen {
    std::size_t n = static_cast<std::size_t>(-1);
    std::vector<Sum> totals;
  };

  const SearchContext& context_;
  const FeatureSpace& space_;
  Accumulator accumulator_;
  HistogramBuilder builder_;
  bool with_counts_, with_upper_;
  std::vector<SplitFinder<Cell>> finders_;
  std::vector<Seen> seen_;
  const Node* node_ = nullptr;
  PrefixSums prefix_;
  std::vector<Sum> cells_;
  std::vector<std::uint32_t> counts_;
  std::vector<Arm<Cell>> arms_;
};

}  // namespace frugalboost
