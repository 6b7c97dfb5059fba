#include "core/c45/split_finder.hpp"

#include <algorithm>
#include <limits>

namespace frugalboost::c45 {
namespace {

constexpr double many_values = 0.3;
constexpr std::size_t largest_table = std::size_t{1} << 16;

// Looking for codes among all of a column's is cheap if they are not many more than the cases.
constexpr std::size_t codes_per_case = 4;

std::size_t table_size(const Cases& cases) {
  const double total = add_up(cases.weights);
  return total < static_cast<double>(largest_table) ? static_cast<std::size_t>(total)
                                                    : largest_table;
}

}  // namespace

SplitFinder::SplitFinder(const Table& table, const Cases& cases, double min_cases, const Poll& poll)
    : table_(table),
      n_classes_(table.n_classes),
      min_cases_(min_cases),
      listener_(poll),
      entropy_(table_size(cases)),
      low_(table.n_classes),
      high_(table.n_classes) {
  const double n_cases = add_up(cases.weights);
  std::size_t most_codes = 0;
  for (const Column& column : table.columns) {
    const double n_categories = column.is_category ? column.n_codes : 0.0;
    has_many_.push_back(n_categories >= many_values * n_cases);
    all_have_many_ = all_have_many_ && has_many_.back();
    const auto n_codes = static_cast<std::size_t>(column.n_codes);
    most_codes = std::max(most_codes, n_codes);
    listener_.goes_on(n_codes + cases.size());
    is_there_.emplace_back(column.is_category ? 0 : n_codes, 0);
    if (column.is_category) continue;
    for (Row row : cases.rows) {
      if (column.codes[row] != unknown) is_there_.back()[column.codes[row]] = 1;
    }
  }
  seen_.assign(most_codes, 0);
  slot_.resize(most_codes);
}

Split SplitFinder::best(const Cases& cases, const std::vector<char>& is_tested) {
  const double n = add_up(cases.weights);
  splits_.clear();
  for (std::size_t f = 0; f < table_.columns.size(); ++f) {
    if (is_tested[f]) continue;
    const Split found = split(static_cast<std::int32_t>(f), cases, n);
    if (found.exists()) splits_.push_back(found);
  }
  const double enough = average_gain() - slack;
  Split chosen;
  double most = -slack;
  for (const Split& each : splits_) {  // ties to the lowest feature
    if (!(each.gain >= enough && each.entropy > slack)) continue;
    const double ratio = each.gain / each.entropy;
    if (ratio > most) {
      chosen = each;
      most = ratio;
    }
  }
  return chosen;
}

double SplitFinder::average_gain() const {
  double sum = 0.0;
  std::size_t n = 0;
  for (const Split& each : splits_) {
    if (has_many_[each.feature] && !all_have_many_) continue;
    sum += each.gain;
    ++n;
  }
  return n == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(n);
}

Split SplitFinder::split(std::int32_t feature, const Cases& cases, double n) {
  const Column& column = table_.columns[feature];
  listener_.goes_on(cases.size());
  group(column, cases);
  return column.is_category ? by_category(feature, n) : by_threshold(feature, n);
}

// Weights of the classes for each value that the cases have, in ascending order of values.
void SplitFinder::group(const Column& column, const Cases& cases) {
  find_codes(column, cases);
  for (std::size_t i = 0; i < codes_.size(); ++i) slot_[codes_[i]] = i;
  freq_.assign(codes_.size() * n_classes_, 0.0);
  n_unknown_ = 0.0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Row row = cases.rows[i];
    const std::int32_t code = column.codes[row];
    if (code == unknown) {
      n_unknown_ += cases.weights[i];
    } else {
      freq_[slot_[code] * n_classes_ + table_.labels[row]] += cases.weights[i];
    }
  }
  sizes_.resize(codes_.size());
  for (std::size_t i = 0; i < codes_.size(); ++i) sizes_[i] = add_up(group_of(i), n_classes_);
}

void SplitFinder::find_codes(const Column& column, const Cases& cases) {
  codes_.clear();
  const bool is_few = static_cast<std::size_t>(column.n_codes) <= codes_per_case * cases.size();
  for (Row row : cases.rows) {
    const std::int32_t code = column.codes[row];
    if (code == unknown || seen_[code]) continue;
    seen_[code] = 1;
    if (!is_few) codes_.push_back(code);
  }
  if (is_few) {
    for (std::int32_t code = 0; code < column.n_codes; ++code) {
      if (seen_[code]) codes_.push_back(code);
    }
  } else {
    std::sort(codes_.begin(), codes_.end());
  }
  for (std::int32_t code : codes_) seen_[code] = 0;
}

// A branch for each category; at least two of enough cases.
Split SplitFinder::by_category(std::int32_t feature, double n) {
  const double n_known = n - n_unknown_;
  std::size_t n_large = 0;
  for (double size : sizes_) n_large += size >= min_cases_;
  if (n_known <= 0.0 || n_large < 2) return {};
  std::fill(high_.begin(), high_.end(), 0.0);
  double parts = 0.0;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    listener_.goes_on(n_classes_);
    for (std::size_t k = 0; k < n_classes_; ++k) high_[k] += group_of(i)[k];
    parts += entropy_.of_parts(group_of(i), n_classes_);
  }
  Split found;
  found.feature = feature;
  const double base = entropy_.of_parts(high_.data(), n_classes_) / n_known;
  found.gain = (n_known / n) * (base - parts / n_known);
  sizes_.insert(sizes_.begin(), n_unknown_);
  found.entropy = entropy_.of_parts(sizes_.data(), sizes_.size()) / n;
  return found.gain > -slack ? found : Split{};
}

// The threshold of the largest gain, less the bits that say which threshold it is.
Split SplitFinder::by_threshold(std::int32_t feature, double n) {
  const double n_known = n - n_unknown_;
  if (n_known < 2 * min_cases_) return {};
  const double fewest = fewest_cases(n_known);
  std::fill(low_.begin(), low_.end(), 0.0);
  std::fill(high_.begin(), high_.end(), 0.0);
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    for (std::size_t k = 0; k < n_classes_; ++k) high_[k] += group_of(i)[k];
  }
  const double base = entropy_.of_parts(high_.data(), n_classes_) / n_known;
  tries_.clear();
  double n_low = 0.0;
  for (std::size_t i = 0; i + 1 < codes_.size(); ++i) {
    listener_.goes_on(n_classes_);
    for (std::size_t k = 0; k < n_classes_; ++k) {
      low_[k] += group_of(i)[k];
      high_[k] -= group_of(i)[k];
    }
    n_low += sizes_[i];
    if (n_low < fewest) continue;
    if (n_low > n_known - fewest) break;
    const double both =
        entropy_.of_parts(low_.data(), n_classes_) + entropy_.of_parts(high_.data(), n_classes_);
    const double sides[] = {n_unknown_, n_low, n_known - n_low};
    tries_.push_back({(n_known / n) * (base - both / n_known), entropy_.of_parts(sides, 3) / n,
                      codes_[i], codes_[i + 1]});
  }
  const double cost = log2_or_zero(static_cast<double>(tries_.size())) / n;
  const Try* best = nullptr;
  double most = 0.0;
  for (const Try& each : tries_) {  // ties to the lowest threshold
    const double value = each.gain - cost;
    if (value > most) {
      best = &each;
      most = value;
    }
  }
  if (best == nullptr) return {};
  return {feature, largest_code(feature, best->code, best->above), most, best->entropy};
}

// On each side of a threshold: a tenth of an even share of a class, from `min_cases` to 25.
double SplitFinder::fewest_cases(double n_known) const {
  return std::max(min_cases_, std::min(0.1 * n_known / static_cast<double>(n_classes_), 25.0));
}

// The largest value of any case of the tree that is not above the middle of the two.
std::int32_t SplitFinder::largest_code(std::int32_t feature, std::int32_t code,
                                       std::int32_t above) const {
  const double* values = table_.columns[feature].values;
  const double middle = (values[code] + values[above]) / 2;
  for (std::int32_t other = above - 1; other > code; --other) {
    if (is_there_[feature][other] && values[other] <= middle) return other;
  }
  return code;
}

}  // namespace frugalboost::c45
