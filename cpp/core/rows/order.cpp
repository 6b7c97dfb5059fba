#include "core/rows/order.hpp"

#include <algorithm>
#include <utility>

#include "core/rows/row_passes.hpp"
#include "core/threads/lists.hpp"

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

// Rows of a group stay in their order: those of one slice before those of the next.
void gather_groups(std::vector<Row>& order, const std::int32_t* group, std::size_t n_groups,
                   int n_threads) {
  const std::size_t n = order.size();
  // No more counts than rows.
  const std::size_t n_slices =
      std::min(slices_worth(n, rows_worth_a_thread, n_threads),
               std::max<std::size_t>(1, n / std::max<std::size_t>(1, n_groups)));
  std::vector<std::vector<std::size_t>> places(n_slices, std::vector<std::size_t>(n_groups, 0));
  std::vector<Row> gathered(n);
  parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    std::size_t* counts = places[slice].data();
    for (std::size_t i = begin; i < end; ++i) ++counts[group[order[i]]];
  });
  std::size_t n_before = 0;
  for (std::size_t g = 0; g < n_groups; ++g)
    for (auto& place : places) n_before += std::exchange(place[g], n_before);
  parallel_slices(n, n_slices, [&](std::size_t slice, std::size_t begin, std::size_t end) {
    std::size_t* place = places[slice].data();
    for (std::size_t i = begin; i < end; ++i) gathered[place[group[order[i]]]++] = order[i];
  });
  order.swap(gathered);
}

// Appends where the maximal non-increasing runs of a slice end; strictly increasing runs are turned
// round first, which least squares needs: where residuals change sign, their squares come in rising
// order.
void find_runs(std::vector<Row>& order, Range slice, const Sum* mass,
               std::vector<std::size_t>& ends) {
  for (std::size_t i = slice.begin; i < slice.end;) {
    std::size_t end = i + 1;
    if (end < slice.end && mass[order[end]] > mass[order[i]]) {
      while (end < slice.end && mass[order[end]] > mass[order[end - 1]]) ++end;
      std::reverse(order.begin() + i, order.begin() + end);
    } else {
      while (end < slice.end && mass[order[end]] <= mass[order[end - 1]]) ++end;
    }
    ends.push_back(end);
    i = end;
  }
}

// Borders of the runs of all rows.
std::vector<std::size_t> borders_of_runs(std::vector<Row>& order, const Sum* mass, int n_threads) {
  const std::size_t n = order.size();
  std::vector<std::vector<std::size_t>> ends(slices_worth(n, rows_worth_a_thread, n_threads));
  parallel_slices(n, ends.size(), [&](std::size_t slice, std::size_t begin, std::size_t end) {
    find_runs(order, {begin, end}, mass, ends[slice]);
  });
  std::vector<std::size_t> borders{0};
  for (const auto& of_slice : ends) borders.insert(borders.end(), of_slice.begin(), of_slice.end());
  return borders;
}

// Two runs next to each other, the second of which may be empty.
struct Pair {
  const Row *left, *right;
  std::size_t n_left, n_right;

  // How many of the first n of both come from the left, which goes first where masses are equal.
  std::size_t lefts_of(std::size_t n, const Sum* mass) const {
    std::size_t least = n > n_right ? n - n_right : 0, most = std::min(n, n_left);
    while (least < most) {
      const std::size_t i = (least + most) / 2;
      if (mass[left[i]] >= mass[right[n - i - 1]])
        least = i + 1;
      else
        most = i;
    }
    return least;
  }
};

// Merges the runs between borders in pairs, as far as what comes of it stands in `slice`.
void merge_pairs(const Row* order, const std::vector<std::size_t>& borders, Range slice,
                 const Sum* mass, Row* merged) {
  const auto after = std::upper_bound(borders.begin(), borders.end(), slice.begin);
  std::size_t run = static_cast<std::size_t>(after - borders.begin() - 1) / 2 * 2;
  for (; run + 1 < borders.size() && borders[run] < slice.end; run += 2) {
    const std::size_t begin = borders[run], middle = borders[run + 1];
    const std::size_t end = run + 2 < borders.size() ? borders[run + 2] : middle;
    const Pair pair{order + begin, order + middle, middle - begin, end - middle};
    const std::size_t first = std::max(slice.begin, begin) - begin;
    const std::size_t last = std::min(slice.end, end) - begin;
    const std::size_t lefts = pair.lefts_of(first, mass), lefts_end = pair.lefts_of(last, mass);
    std::merge(pair.left + lefts, pair.left + lefts_end, pair.right + (first - lefts),
               pair.right + (last - lefts_end), merged + begin + first,
               [mass](Row a, Row b) { return mass[a] > mass[b]; });
  }
}

// Mass of the rows of each bucket.
std::vector<Sum> sums_of_buckets(const Sum* mass, const Row* rows, std::size_t n, int n_threads) {
  const auto of_slice = [=](std::size_t begin, std::size_t end) {
    std::vector<Sum> sums(n_buckets, 0);
    for (std::size_t i = begin; i < end; ++i) {
      const Sum m = mass[rows == nullptr ? i : rows[i]];
      if (m > 0) sums[bucket_of(m)] += m;
    }
    return sums;
  };
  return join_rows(n, 1, n_threads, std::vector<Sum>(n_buckets, 0), of_slice,
                   [](std::vector<Sum>& all, const std::vector<Sum>& part) {
                     for (int bucket = 0; bucket < n_buckets; ++bucket) all[bucket] += part[bucket];
                   });
}

}  // namespace

std::vector<Row> heaviest_rows(const Sum* mass, const Row* rows, std::size_t n, double share,
                               int n_threads) {
  const auto row_at = [rows](std::size_t i) {
    return rows == nullptr ? static_cast<Row>(i) : rows[i];
  };
  const auto listed = [&](auto&& is_listed) {
    Scratch<Row> list, aside;
    const std::size_t found =
        list_numbers(n, slices_worth(n, rows_worth_a_thread, n_threads), is_listed, list, aside);
    std::vector<Row> result(found);
    for_rows(found, 1, n_threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) result[i] = row_at(list[i]);
    });
    return result;
  };
  const std::vector<Sum> sums = sums_of_buckets(mass, rows, n, n_threads);
  Sum total = 0, seen = 0;
  for (Sum sum : sums) total += sum;
  const double wanted = share * static_cast<double>(total);
  int last = n_buckets - 1;  // the bucket in which the share is reached
  while (last > 0 && static_cast<double>(seen + sums[last]) < wanted) seen += sums[last--];
  const auto bucket_at = [&](std::size_t i) {
    const Sum m = mass[row_at(i)];
    return m > 0 ? bucket_of(m) : -1;
  };
  std::vector<Row> border = listed([&](std::size_t i) { return bucket_at(i) == last; });
  std::stable_sort(border.begin(), border.end(),
                   [mass](Row a, Row b) { return mass[a] > mass[b]; });
  std::size_t n_taken = 0;
  while (n_taken < border.size() && static_cast<double>(seen) < wanted)
    seen += mass[border[n_taken++]];
  border.resize(n_taken);
  std::sort(border.begin(), border.end());
  return listed([&](std::size_t i) {
    const int bucket = bucket_at(i);
    return bucket > last ||
           (bucket == last && std::binary_search(border.begin(), border.end(), row_at(i)));
  });
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
                   std::size_t n_groups, int n_threads) {
  if (order.empty()) return;
  gather_groups(order, group, n_groups, n_threads);
  std::vector<std::size_t> borders = borders_of_runs(order, mass, n_threads);
  std::vector<Row> merged(order.size());
  while (borders.size() > 2) {
    for_rows(order.size(), 1, n_threads, [&](std::size_t begin, std::size_t end) {
      merge_pairs(order.data(), borders, {begin, end}, mass, merged.data());
    });
    order.swap(merged);
    // Every second border is gone, but never the last one.
    std::vector<std::size_t> fewer;
    for (std::size_t i = 0; i + 1 < borders.size(); i += 2) fewer.push_back(borders[i]);
    fewer.push_back(borders.back());
    borders.swap(fewer);
  }
}

}  // namespace frugalboost
