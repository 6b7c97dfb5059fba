#include "core/rows/order.hpp"

#include <algorithm>

namespace frugalboost {
namespace {

// Powers of two in sixteen steps each: rows of a bucket differ by at most a sixteenth.
constexpr int n_buckets = 64 * 16;

// Of a positive mass: its highest bit, and the four bits behind it.
int bucket_of(Sum mass) {
  const auto m = static_cast<std::uint64_t>(mass);
  const int leading = __builtin_clzll(m);
  return (63 - leading) * 16 + static_cast<int>((m << leading << 1) >> 60);
}

void gather_groups(std::vector<Row>& order, const std::int32_t* group, std::size_t n_groups) {
  std::vector<std::size_t> start(n_groups + 1, 0);
  for (Row row : order) ++start[group[row] + 1];
  for (std::size_t g = 0; g < n_groups; ++g) start[g + 1] += start[g];
  std::vector<Row> gathered(order.size());
  for (Row row : order) gathered[start[group[row]]++] = row;
  order.swap(gathered);
}

// Borders of the maximal non-increasing runs; strictly increasing runs are turned round first,
// which least squares needs: where residuals change sign, their squares come in rising order.
std::vector<std::size_t> find_runs(std::vector<Row>& order, const Sum* mass) {
  std::vector<std::size_t> borders{0};
  const std::size_t n = order.size();
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i + 1;
    if (end < n && mass[order[end]] > mass[order[i]]) {
      while (end < n && mass[order[end]] > mass[order[end - 1]]) ++end;
      std::reverse(order.begin() + i, order.begin() + end);
    } else {
      while (end < n && mass[order[end]] <= mass[order[end - 1]]) ++end;
    }
    borders.push_back(end);
    i = end;
  }
  return borders;
}

}  // namespace

std::vector<Row> heaviest_rows(const Sum* mass, const Row* rows, std::size_t n, double share) {
  const auto row_at = [rows](std::size_t i) {
    return rows == nullptr ? static_cast<Row>(i) : rows[i];
  };
  std::vector<Sum> sums(n_buckets, 0);
  Sum total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Sum m = mass[row_at(i)];
    total += m;
    if (m > 0) sums[bucket_of(m)] += m;
  }
  const double wanted = share * static_cast<double>(total);
  Sum seen = 0;
  int last = n_buckets - 1;  // the bucket in which the share is reached
  while (last > 0 && static_cast<double>(seen + sums[last]) < wanted) seen += sums[last--];
  std::vector<Row> border;
  for (std::size_t i = 0; i < n; ++i)
    if (mass[row_at(i)] > 0 && bucket_of(mass[row_at(i)]) == last) border.push_back(row_at(i));
  std::stable_sort(border.begin(), border.end(),
                   [mass](Row a, Row b) { return mass[a] > mass[b]; });
  std::size_t n_taken = 0;
  while (n_taken < border.size() && static_cast<double>(seen) < wanted)
    seen += mass[border[n_taken++]];
  border.resize(n_taken);
  std::sort(border.begin(), border.end());
  std::vector<Row> heaviest;
  for (std::size_t i = 0, at = 0; i < n; ++i) {
    const Row row = row_at(i);
    const bool is_on_border = at < border.size() && border[at] == row;
    at += is_on_border;
    if (is_on_border || (mass[row] > 0 && bucket_of(mass[row]) > last)) heaviest.push_back(row);
  }
  return heaviest;
}

double share_of_rows(const Sum* mass, std::size_t n, double share) {
  std::vector<double> rows(n_buckets, 0.0), sums(n_buckets, 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (mass[i] == 0) continue;  // a row that holds nothing is never needed
    const int bucket = bucket_of(mass[i]);
    rows[bucket] += 1.0;
    sums[bucket] += static_cast<double>(mass[i]);
    total += static_cast<double>(mass[i]);
  }
  double wanted = share * total, n_heavy = 0.0;
  for (int bucket = n_buckets - 1; bucket >= 0 && wanted > 0.0; --bucket) {
    if (rows[bucket] == 0.0) continue;
    n_heavy += rows[bucket] * std::min(1.0, wanted / sums[bucket]);
    wanted -= sums[bucket];
  }
  return n_heavy / static_cast<double>(n);
}

void merge_by_mass(std::vector<Row>& order, const Sum* mass, const std::int32_t* group,
                   std::size_t n_groups) {
  if (order.empty()) return;
  gather_groups(order, group, n_groups);
  std::vector<std::size_t> borders = find_runs(order, mass);
  std::vector<Row> merged(order.size());
  const auto heavier = [mass](Row a, Row b) { return mass[a] > mass[b]; };
  while (borders.size() > 2) {
    std::vector<std::size_t> fewer{0};
    for (std::size_t i = 0; i + 1 < borders.size(); i += 2) {
      const std::size_t begin = borders[i], middle = borders[i + 1];
      const std::size_t end = i + 2 < borders.size() ? borders[i + 2] : middle;
      std::merge(order.begin() + begin, order.begin() + middle, order.begin() + middle,
                 order.begin() + end, merged.begin() + begin, heavier);
      fewer.push_back(end);
    }
    order.swap(merged);
    borders.swap(fewer);
  }
}

}  // namespace frugalboost
