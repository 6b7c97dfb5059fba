// AP-Boost's search as its paper prints it: a leader and a rival are read until one is ruled out.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/search/arms.hpp"

namespace frugalboost {

// Paper "Adaptively Pruning Features for Boosted Decision Trees", Algorithm 1. Its a is the leader,
// the feature with the smallest upper bound; its b is the rival, the one of the others with the
// smallest lower bound. The printed test for swapping them is the wrong way round. Of our own are
// ties, which go to the lowest feature, and that at least one row is read.
template <class Cell>
class PrintedSearch {
 public:
  using Value = typename Cell::Value;

  PrintedSearch(Arms<Cell>& arms, const SearchContext& context, Value slack, Work& work)
      : arms_(arms), context_(context), slack_(slack), work_(work) {}

  const Arm<Cell>* run() {
    arms_.assess_all(arms_.prefix().rows_for((arms_.prefix().total_mass() + 1) / 2), work_);
    begin();
    while (Arm<Cell>* rival = next_rival()) {
      extend(*leader_, *rival);
      if (!is_beaten(*rival)) extend(*rival, *rival);
      if (rival->upper < leader_->upper ||
          (rival->upper == leader_->upper && rival->slot < leader_->slot))
        std::swap(leader_, rival);
      place(*rival);
      poll_sometimes();
    }
    finish(*leader_);
    return leader_->best.is_valid() ? leader_ : nullptr;
  }

 private:
  using Key = std::pair<Value, std::size_t>;

  void begin() {
    std::vector<Arm<Cell>>& all = arms_.arms();
    // Features that have no upper bound yet are ranked by the lower one.
    leader_ =
        &*std::min_element(all.begin(), all.end(), [](const Arm<Cell>& a, const Arm<Cell>& b) {
          return a.upper < b.upper || (a.upper == b.upper && a.lower < b.lower);
        });
    for (const Arm<Cell>& arm : all)
      if (&arm != leader_) place(arm);
  }

  void place(const Arm<Cell>& arm) { queue_.push({arm.lower, arm.slot}); }

  // Out of the queue; null if every other feature certainly loses to the leader. One that does
  // is left out for good, as the smallest upper bound never rises.
  Arm<Cell>* next_rival() {
    while (!queue_.empty()) {
      Arm<Cell>& arm = arms_.arms()[queue_.top().second];
      queue_.pop();
      if (!is_beaten(arm)) return &arm;
      // So do those behind it, unless rounding may have put complete ones in the wrong order.
      if (!arm.is_complete) break;
    }
    return nullptr;
  }

  bool is_beaten(const Arm<Cell>& arm) const {
    const bool both_known = arm.is_complete && leader_->is_complete;
    const Value most =
        both_known || leader_->upper == no_loss<Value>() ? leader_->upper : leader_->upper + slack_;
    return arm.lower > most || (arm.lower == most && arm.slot > leader_->slot);
  }

  // Shows the arm the least weight after which the rival's lower bound can reach the leader's
  // upper bound.
  void extend(Arm<Cell>& arm, const Arm<Cell>& rival) {
    if (arm.is_complete) return;
    const PrefixSums& prefix = arms_.prefix();
    const Sum unseen = prefix.total_mass() - prefix.mass(arm.n_seen);
    if (leader_->upper == no_loss<Value>()) return finish(arm);
    const Value gap = std::max(leader_->upper - rival.lower, Value{1});
    if (gap >= static_cast<Value>(unseen)) return finish(arm);
    arms_.assess(arm, prefix.rows_for(prefix.mass(arm.n_seen) + rounded_up(gap)), work_);
  }

  static Sum rounded_up(Sum gap) { return gap; }
  static Sum rounded_up(double gap) { return static_cast<Sum>(std::ceil(gap)); }

  void finish(Arm<Cell>& arm) {
    if (!arm.is_complete) arms_.assess(arm, arms_.n_rows(), work_);
  }

  void poll_sometimes() {
    if (++n_steps_ % 256 == 0) context_.poll();
  }

  Arms<Cell>& arms_;
  const SearchContext& context_;
  Value slack_;
  Work& work_;
  Arm<Cell>* leader_ = nullptr;
  std::priority_queue<Key, std::vector<Key>, std::greater<Key>> queue_;
  std::size_t n_steps_ = 0;
};

}  // namespace frugalboost
