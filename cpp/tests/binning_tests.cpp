// Binning: cuts and codes.
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/binning/binning.hpp"
#include "core/binning/encoding.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {

void test_binning(Random& random) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const std::size_t n = draw(random, 1, 200);
    std::vector<double> values(n);
    for (double& x : values) {
      const int kind = draw(random, 0, 9);
      x = kind == 0   ? std::numeric_limits<double>::quiet_NaN()
          : kind == 1 ? std::numeric_limits<double>::infinity()
          : kind == 2 ? -std::numeric_limits<double>::infinity()
                      : draw(random, -20, 20) / 4.0;
    }
    const std::size_t max_bins = draw(random, 2, 50);
    const std::vector<MatrixView> parts{{reinterpret_cast<const char*>(values.data()), n, 1,
                                         sizeof(double), sizeof(double), Scalar::f64}};
    const std::vector<ColumnBins> bins = find_bins(parts, max_bins, 2);
    const std::vector<double>& cuts = bins[0].thresholds;
    check(cuts.size() < max_bins, "no more bins than asked for");
    const std::int64_t offsets[] = {0, static_cast<std::int64_t>(cuts.size())};
    std::vector<std::uint16_t> codes(n);
    encode(parts, {cuts.data(), offsets}, {{Storage::dense16, codes.data()}}, 1);
    std::vector<Row> rows(bins[0].n_others);
    std::vector<std::uint16_t> others(bins[0].n_others), rebuilt(n, bins[0].most_frequent);
    encode(parts, {cuts.data(), offsets},
           {{Storage::sparse, others.data(), rows.data(), rows.size(), bins[0].most_frequent}}, 1);
    for (std::size_t e = 0; e < rows.size(); ++e) rebuilt[rows[e]] = others[e];
    check(rebuilt == codes, "sparse and dense codes are the same");
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t below = 0;
      for (double cut : cuts) below += cut < values[i];
      right &= codes[i] == (std::isnan(values[i]) ? cuts.size() + 1 : below);
    }
    check(right, "a code is the number of thresholds below the value");
  }
}

}  // namespace frugalboost::testing
