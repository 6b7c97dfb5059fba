// Weights and sums in 32 bits.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/histogram/narrow_cells.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"

namespace frugalboost::testing {

// Narrow weights bound the exact ones, and so do the best spreads over them.
void test_narrow_cells(Random& random) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::size_t n = draw(random, 1, 70);
    std::vector<NarrowSum> cells(n);
    for (NarrowSum& cell : cells) cell = draw(random, -1000, 1000);
    NarrowSum sum = draw(random, -1000, 1000), wanted = sum;
    NarrowSum highest = sum, lowest = sum;
    for (NarrowSum cell : cells) {
      wanted += cell;
      highest = std::max(highest, wanted);
      lowest = std::min(lowest, wanted);
    }
    const NarrowExtremes found = scan_narrow(cells.data(), n, sum);
    check(found.highest == highest && found.lowest == lowest && sum == wanted,
          "eight sums at a time are the sums");

    std::vector<Sum> weights(n);
    for (Sum& weight : weights)
      weight = draw(random, -1000000, 1000000) * (Sum{1} << draw(random, 0, 30));
    Sum total = 0;
    for (Sum weight : weights) total += std::abs(weight);
    const int shift = narrow_shift(total);
    const Seen seen = to_narrow(weights.data(), n, shift, cells.data());
    check(fits_narrow(total, shift), "a total fits at its own shift");
    Seen again;
    bool is_below = true;
    for (std::size_t i = 0; i < n; ++i) {
      again.mass += std::abs(cells[i]);
      again.difference += cells[i];
      const Sum rest = std::abs(weights[i]) - (static_cast<Sum>(std::abs(cells[i])) << shift);
      is_below &= 0 <= rest && rest < (Sum{1} << shift) && (weights[i] > 0 || cells[i] <= 0) &&
                  (weights[i] < 0 || cells[i] >= 0);
    }
    check(is_below, "weights are rounded towards zero");
    check(again.mass == seen.mass && again.difference == seen.difference,
          "rounded weights are summed");
  }
}

}  // namespace frugalboost::testing
