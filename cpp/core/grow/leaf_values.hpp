// What the leaves of a tree say, from the sums over their rows: the part of a rule's judgement that
// NumPy would spend more on calls than on numbers, as a tree has few leaves.
#pragma once

#include <cstddef>

#include "core/base/types.hpp"

namespace frugalboost {

// Sum of at(0), .., at(n - 1) in the order in which NumPy adds the numbers of an array: by eights,
// and in halves past 128. Sums of floats depend on their order, and a model must not depend on
// where they were computed.
template <class At>
double pairwise_sum(std::size_t n, At&& at, std::size_t first = 0) {
  constexpr std::size_t block = 128;
  if (n > block) {
    const std::size_t half = n / 2 - n / 2 % 8;
    return pairwise_sum(half, at, first) + pairwise_sum(n - half, at, first + half);
  }
  double sum = 0.0;
  std::size_t i = 0;
  if (n >= 8) {
    double part[8];
    for (std::size_t j = 0; j < 8; ++j) part[j] = at(first + j);
    for (i = 8; i < n - n % 8; i += 8)
      for (std::size_t j = 0; j < 8; ++j) part[j] += at(first + i + j);
    sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
  for (; i < n; ++i) sum += at(first + i);
  return sum;
}

// Integer sums (n, channels) as numbers: those of the first half of the channels times 2^-first,
// the others times 2^-second.
void scale_sums(const Sum* sums, std::size_t n_leaves, std::size_t n_channels, int first,
                int second, double* out);

// Weight of the rows whose leaf names their class, and of the others.
struct Answers {
  double right, wrong;
};

// Each leaf names its heaviest class, ties to the lowest: `codes` is its class code, (n, 1) for two
// classes, else (n, K). `sums` is (n, K).
Answers name_classes(const double* sums, std::size_t n_leaves, std::size_t n_classes,
                     double* codes);

// `amount` for each leaf and label it gets wrong, else 0: (n, K). `values` are multiples of codes.
void raise_misses(const double* values, std::size_t n_leaves, std::size_t n_classes, double amount,
                  double* rise);

struct Steps {
  double mean_square;  // of the values, by the weights
  double largest;      // magnitude of a value
};

// A single output; `sums` is (n, 2): weights and numerators.
// Values are the numerator over weight plus prior, at most `largest` in magnitude.
Steps newton_values(const double* sums, std::size_t n_leaves, double prior, double largest,
                    double* values);
// Values are means.
Steps mean_values(const double* sums, std::size_t n_leaves, double* values);

}  // namespace frugalboost
