// C4.5's choice among the best splits of the features: the largest gain ratio among those of at
// least average gain.
//
// The ratio is the entropy that a split saves over the entropy of the split itself, which punishes
// splits that only cut off a few rows. No bound serves a search here: the average needs the gain of
// every feature, and a ratio may rise or fall as rows are added.
#pragma once

#include <cstddef>

#include "core/search/losses.hpp"

namespace frugalboost {

// The gains of a node's features. Both limits are those of rounding alone, none is a parameter.
class Gains {
 public:
  // A gain is a difference of two losses that are off by less than half of `rounding` each: up to
  // that, there is none.
  Gains(double node_loss, int n_channels)
      : node_loss_(node_loss), rounding_(4.0 * (n_channels + 16) * unit_roundoff * node_loss) {}

  double of(double split_loss) const { return node_loss_ - split_loss; }
  bool is_any(double split_loss) const { return of(split_loss) > rounding_; }

  // In the order of the features.
  void count(double split_loss) {
    if (!is_any(split_loss)) return;
    n_ += 1.0;
    sum_ += of(split_loss);
  }

  // Whether a gain is no less than the average of those counted. Equal gains must pass: the sum of
  // n terms is off by less than n - 1 roundings, the product by one.
  bool is_enough(double split_loss) const {
    return is_any(split_loss) && n_ * of(split_loss) >= sum_ * (1.0 - (n_ + 2.0) * unit_roundoff);
  }

 private:
  static constexpr double unit_roundoff = 0x1p-53;
  double node_loss_, rounding_, n_ = 0.0, sum_ = 0.0;
};

// By the weights of the two sides, both with rows.
inline double gain_ratio(double gain, Sum left, Sum right) {
  return gain / EntropyLoss::of_pair(left, right);
}

}  // namespace frugalboost
