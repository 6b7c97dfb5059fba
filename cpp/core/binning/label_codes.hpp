// Integer labels as codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/threads/parallel.hpp"

namespace frugalboost {

// Labels that lie in a narrow range, and which of it they are.
template <class T>
class LabelCodes {
 public:
  static constexpr std::uint64_t widest = std::uint64_t{1} << 16;

  LabelCodes(const T* labels, std::size_t n, int n_threads)
      : labels_(labels), n_(n), n_slices_(slices_worth(n, rows_worth_a_thread, n_threads)) {
    find_range();
    if (is_narrow()) find_classes();
  }

  bool is_narrow() const { return span_ < widest; }
  T low() const { return low_; }
  // The classes less the lowest of them, ascending.
  const std::vector<std::int64_t>& offsets() const { return offsets_; }

  template <class Code>
  void write(Code* codes) const {
    std::vector<Code> code_of(code_of_.begin(), code_of_.end());
    for_slices([&](std::size_t, std::size_t begin, std::size_t end) {
      if (span_ < 2) {
        for (std::size_t i = begin; i < end; ++i) codes[i] = static_cast<Code>(offset(labels_[i]));
      } else {
        for (std::size_t i = begin; i < end; ++i) codes[i] = code_of[offset(labels_[i])];
      }
    });
  }

 private:
  // Differences wrap round where a signed type would overflow.
  using Unsigned = std::make_unsigned_t<T>;

  Unsigned offset(T label) const {
    return static_cast<Unsigned>(static_cast<Unsigned>(label) - static_cast<Unsigned>(low_));
  }

  template <class Body>
  void for_slices(Body&& body) const {
    parallel_slices(n_, n_slices_, body);
  }

  void find_range() {
    std::vector<T> lows(n_slices_), highs(n_slices_);
    for_slices([&](std::size_t slice, std::size_t begin, std::size_t end) {
      T low = labels_[begin], high = labels_[begin];
      for (std::size_t i = begin; i < end; ++i) {
        low = std::min(low, labels_[i]);
        high = std::max(high, labels_[i]);
      }
      lows[slice] = low;
      highs[slice] = high;
    });
    low_ = *std::min_element(lows.begin(), lows.end());
    span_ = offset(*std::max_element(highs.begin(), highs.end()));
  }

  void find_classes() {
    const std::vector<std::uint8_t> is_there = which_are_there();
    for (std::size_t i = 0; i < is_there.size(); ++i) {
      code_of_.push_back(static_cast<std::int32_t>(offsets_.size()));
      if (is_there[i]) offsets_.push_back(static_cast<std::int64_t>(i));
    }
  }

  std::vector<std::uint8_t> which_are_there() const {
    // The ends of the range are there.
    if (span_ < 2) return std::vector<std::uint8_t>(span_ + 1, 1);
    std::vector<std::vector<std::uint8_t>> seen(n_slices_);
    for_slices([&](std::size_t slice, std::size_t begin, std::size_t end) {
      std::vector<std::uint8_t> here(span_ + 1, 0);
      for (std::size_t i = begin; i < end; ++i) here[offset(labels_[i])] = 1;
      seen[slice] = std::move(here);
    });
    std::vector<std::uint8_t> is_there(span_ + 1, 0);
    for (const auto& here : seen)
      for (std::size_t i = 0; i <= span_; ++i) is_there[i] |= here[i];
    return is_there;
  }

  const T* labels_;
  std::size_t n_, n_slices_;
  T low_{};
  std::uint64_t span_ = 0;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> code_of_;  // of each label in the range
};

}  // namespace frugalboost
