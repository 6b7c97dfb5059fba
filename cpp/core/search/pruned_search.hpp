// Quick Boost's and AP-Boost's searches: features that provably cannot win are left early.
#pragma once

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>
#include <vector>

#include "core/search/arms.hpp"

namespace frugalboost {

// The best complete arm so far, and what it takes to beat it.
template <class Cell>
class Leader {
 public:
  using Value = typename Cell::Value;

  explicit Leader(Value slack) : slack_(slack) {}

  // Losses that are exact need no slack, and equal losses are decided by the feature's index.
  // Rounded losses may be off by half the slack on either side.
  bool may_lose_to(Value lower, std::size_t slot) const {
    if (arm_ == nullptr) return true;
    if (slack_ > Value{0}) return lower <= arm_->lower + slack_;
    return lower < arm_->lower || (lower == arm_->lower && slot < arm_->slot);
  }

  void meet(const Arm<Cell>& arm) {
    if (!arm.best.is_valid()) return;
    const bool wins = arm_ == nullptr || arm.lower < arm_->lower ||
                      (arm.lower == arm_->lower && arm.slot < arm_->slot);
    if (wins) arm_ = &arm;
  }

  const Arm<Cell>* arm() const { return arm_; }
  Value to_reach() const { return arm_->lower + slack_; }

 private:
  const Arm<Cell>* arm_ = nullptr;
  Value slack_;
};

// Paper "Quickly Boosting Decision Trees", section 4: all features on the heaviest rows that hold
// `quick_mass` of the weight, then one feature at a time, best first, on growing subsets.
template <class Cell>
const Arm<Cell>* quick_search(Arms<Cell>& arms, const SearchContext& context,
                              typename Cell::Value slack, Work& work) {
  const PrefixSums& prefix = arms.prefix();
  const double total = static_cast<double>(prefix.total_mass());
  const double first = context.options.quick_mass * total;
  const int n_steps = context.options.quick_steps;
  std::vector<std::size_t> schedule;
  for (int step = 0; step < n_steps; ++step)
    schedule.push_back(prefix.rows_for(static_cast<Sum>(first + step * (total - first) / n_steps)));
  schedule.push_back(arms.n_rows());

  arms.assess_all(schedule.front(), work);
  std::vector<Arm<Cell>*> by_promise;
  for (Arm<Cell>& arm : arms.arms()) by_promise.push_back(&arm);
  std::stable_sort(by_promise.begin(), by_promise.end(),
                   [](const Arm<Cell>* a, const Arm<Cell>* b) { return a->lower < b->lower; });

  Leader<Cell> leader(slack);
  for (Arm<Cell>* arm : by_promise) {
    for (std::size_t n : schedule) {
      if (arm->is_complete || !leader.may_lose_to(arm->lower, arm->slot)) break;
      if (n > arm->n_seen) arms.assess(*arm, n, work);
    }
    if (arm->is_complete) leader.meet(*arm);
    context.poll();
  }
  return leader.arm();
}

// Paper "Adaptively Pruning Features for Boosted Decision Trees", Algorithm 1, as a best-first
// search: always advance the feature with the smallest lower bound, by the weight it still lacks
// to be ruled out.
template <class Cell>
class AdaptiveSearch {
 public:
  using Value = typename Cell::Value;

  AdaptiveSearch(Arms<Cell>& arms, const SearchContext& context, Value slack, Work& work)
      : arms_(arms), context_(context), leader_(slack), work_(work) {}

  const Arm<Cell>* run() {
    arms_.assess_all(arms_.prefix().rows_for((arms_.prefix().total_mass() + 1) / 2), work_);
    for (Arm<Cell>& arm : arms_.arms()) place(arm);
    while (!queue_.empty()) {
      Arm<Cell>& arm = arms_.arms()[queue_.top().second];
      queue_.pop();
      if (!leader_.may_lose_to(arm.lower, arm.slot)) break;  // nor can any arm behind it win
      arms_.assess(arm, next_rows(arm), work_);
      place(arm);
      poll_sometimes();
    }
    return leader_.arm();
  }

 private:
  using Key = std::pair<Value, std::size_t>;

  // A complete arm meets the leader at once: the bounds of the others are measured by it.
  void place(const Arm<Cell>& arm) {
    if (arm.is_complete) {
      leader_.meet(arm);
      if (!arm.best.is_valid()) return;
    } else {
      queue_.push({arm.lower, arm.slot});
    }
    if constexpr (is_exact)
      smallest_upper_ = std::min(smallest_upper_, arm.lower + unseen_mass(arm));
  }

  Sum unseen_mass(const Arm<Cell>& arm) const {
    return arms_.prefix().total_mass() - arms_.prefix().mass(arm.n_seen);
  }

  std::size_t next_rows(const Arm<Cell>& arm) const {
    const Sum goal = arms_.prefix().mass(arm.n_seen) + mass_to_add(arm);
    // Weighing the bound again costs as much as reading a few rows for every sixteen codes.
    const std::size_t least = arm.n_seen + 1 + arms_.column(arm).n_codes() / 16;
    return std::min(std::max(arms_.prefix().rows_for(goal), least), arms_.n_rows());
  }

  Sum mass_to_add(const Arm<Cell>& arm) const {
    if constexpr (is_exact) {
      // An error grows by at most the weight added, so less than the gap to the winner is never
      // enough. Until a feature is finished the gap is not that yet: a third of it loses little.
      const Sum gap = smallest_upper_ - arm.lower;
      return std::max<Sum>(leader_.arm() == nullptr ? gap / 3 : gap, 1);
    } else {
      // The other losses have no upper bound of that kind: finish the most promising feature,
      // then extend each rival as far as its loss so far suggests.
      const Sum unseen = unseen_mass(arm);
      if (leader_.arm() == nullptr) return unseen;
      const double seen = static_cast<double>(arms_.prefix().mass(arm.n_seen));
      const double gap = static_cast<double>(leader_.to_reach() - arm.lower);
      const double so_far = static_cast<double>(arm.lower - arms_.floor());
      const double wanted = so_far > 0.0 ? gap * seen / so_far : seen;
      // Never more than half of what is left: the light rows at the end are the most numerous, and
      // a guess that goes a little too far reads them all.
      return static_cast<Sum>(std::min(wanted, static_cast<double>(unseen) / 2)) + 1;
    }
  }

  void poll_sometimes() {
    if (++n_steps_ % 256 == 0) context_.poll();
  }

  static constexpr bool is_exact = std::is_same_v<Value, Sum>;

  Arms<Cell>& arms_;
  const SearchContext& context_;
  Leader<Cell> leader_;
  Work& work_;
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> queue_;
  Sum smallest_upper_ = std::numeric_limits<Sum>::max();
  std::size_t n_steps_ = 0;
};

}  // namespace frugalboost
