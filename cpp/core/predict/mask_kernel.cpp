#include "core/predict/mask_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/kernel_parts.hpp"

// As in dispatch.hpp. One source for all instruction sets will not do here: vectors that are longer
// than the processor's are taken apart, number by number.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FRUGALBOOST_LONG_VECTORS
#endif

namespace frugalboost {
namespace {

template <class Number, std::size_t n_bytes>
struct Vector {
  typedef Number Type __attribute__((vector_size(n_bytes)));
};

// Vectors of rows. Bits of leaves are as wide as values, so that both have as many rows in one.
template <class Real, std::size_t n_bytes>
struct RowVectors;

template <std::size_t n_bytes>
struct RowVectors<float, n_bytes> {
  using Reals = typename Vector<float, n_bytes>::Type;
  using Bit = std::uint32_t;
  using Bits = typename Vector<Bit, n_bytes>::Type;
  using Signed = typename Vector<std::int32_t, n_bytes>::Type;

  // Puts the position of the lowest bit in place of the bits: the exponent of that bit as a number.
  // Where there is none, a number that nobody looks at.
  static FRUGALBOOST_PART void find_lowest(Bits& bits) {
    const Reals power = __builtin_convertvector((Signed)(bits & -bits), Reals);
    bits = (((Bits)power >> 23) & 255) - 127;
  }
};

template <std::size_t n_bytes>
struct RowVectors<double, n_bytes> {
  using Reals = typename Vector<double, n_bytes>::Type;
  using Bit = std::uint64_t;
  using Bits = typename Vector<Bit, n_bytes>::Type;

  // Few processors turn integers of 64 bits into doubles. Below 2^52 an integer is the fraction of
  // a double whose exponent is that of 2^52.
  static FRUGALBOOST_PART void find_lowest(Bits& bits) {
    const Bits exponent = Bits{} + 0x4330000000000000;
    const Reals power = (Reals)((bits & -bits) | exponent) - (Reals)exponent;
    bits = ((Bits)power >> 52) - 1023;
  }
};

template <class Real, std::size_t n_bytes>
struct MaskKernel {
  using Vectors = RowVectors<Real, n_bytes>;
  using Reals = typename Vectors::Reals;
  using Bits = typename Vectors::Bits;
  static constexpr std::size_t width = n_bytes / sizeof(Real);
  // The bits of so many vectors stay in registers while all splits go by.
  static constexpr std::size_t n_vectors = std::min<std::size_t>(8, tile_rows / width);
  static_assert(tile_rows % (n_vectors * width) == 0);

  const LeafMasks<Real>& masks;
  const TileColumn<Real>* tile;

  // Calls body(k, x, split) with the values of each vector k, from `row` on, for each of the
  // splits.
  template <class Body>
  FRUGALBOOST_PART void for_splits(std::uint32_t first, std::uint32_t last, std::size_t row,
                                   Body&& body) const {
    const MaskedSplit<Real>* splits = masks.splits.data();
    for (std::uint32_t s = first; s < last; ++s) {
      const Real* values = tile[splits[s].column].values + row;
      for (std::size_t k = 0; k < n_vectors; ++k) {
        Reals x;
        std::memcpy(&x, values + k * width, sizeof x);
        body(k, x, splits[s]);
      }
    }
  }

  FRUGALBOOST_PART void rule_out(const LeafWord& word, std::size_t row, Bits* result) const {
    Bits bits[n_vectors];
    for (Bits& every : bits) every = ~Bits{} >> (8 * sizeof(Real) - leaves_per_word);
    for_splits(word.first, word.middle, row,
               [&](std::size_t k, const Reals& x, const MaskedSplit<Real>& split)
                   FRUGALBOOST_LAMBDA {
                     bits[k] = x > split.threshold ? bits[k] & split.stays : bits[k];
                   });
    for_splits(word.middle, word.last, row,
               [&](std::size_t k, const Reals& x, const MaskedSplit<Real>& split)
                   FRUGALBOOST_LAMBDA {
                     bits[k] = ~(x <= split.threshold) ? bits[k] & split.stays : bits[k];
                   });
    for (std::size_t k = 0; k < n_vectors; ++k) result[k] = bits[k];
  }

  // From the last word to the first: the lowest bit of all decides.
  FRUGALBOOST_PART void find_leaves(const MaskedTree& tree, std::size_t row, Bits* leaves) const {
    for (std::uint32_t w = tree.last_word; w-- > tree.first_word;) {
      Bits bits[n_vectors];
      rule_out(masks.words[w], row, bits);
      const std::uint32_t first_leaf = (w - tree.first_word) * leaves_per_word;
      for (std::size_t k = 0; k < n_vectors; ++k) {
        const auto is_here = bits[k] != 0;
        Vectors::find_lowest(bits[k]);
        leaves[k] = is_here ? bits[k] + first_leaf : leaves[k];
      }
    }
  }

  FRUGALBOOST_PART void run(const MaskedTree& tree, std::uint32_t* leaves) const {
    for (std::size_t row = 0; row < tile_rows; row += n_vectors * width) {
      Bits found[n_vectors] = {};
      find_leaves(tree, row, found);
      typename Vectors::Bit numbers[n_vectors * width];
      std::memcpy(numbers, found, sizeof found);
      for (std::size_t i = 0; i < n_vectors * width; ++i)
        leaves[row + i] = static_cast<std::uint32_t>(numbers[i]);
    }
  }
};

template <class Real>
using Finder = void (*)(const LeafMasks<Real>&, const MaskedTree&, const TileColumn<Real>*,
                        std::uint32_t*);

template <class Real>
void find_in_short(const LeafMasks<Real>& masks, const MaskedTree& tree,
                   const TileColumn<Real>* tile, std::uint32_t* leaves) {
  MaskKernel<Real, 16>{masks, tile}.run(tree, leaves);
}

#ifdef FRUGALBOOST_LONG_VECTORS
template <class Real>
__attribute__((target("arch=x86-64-v3"))) void find_in_long(const LeafMasks<Real>& masks,
                                                            const MaskedTree& tree,
                                                            const TileColumn<Real>* tile,
                                                            std::uint32_t* leaves) {
  MaskKernel<Real, 32>{masks, tile}.run(tree, leaves);
}

template <class Real>
__attribute__((target("arch=x86-64-v4"))) void find_in_longest(const LeafMasks<Real>& masks,
                                                               const MaskedTree& tree,
                                                               const TileColumn<Real>* tile,
                                                               std::uint32_t* leaves) {
  MaskKernel<Real, 64>{masks, tile}.run(tree, leaves);
}

template <class Real>
Finder<Real> choose_finder() {
  if (__builtin_cpu_supports("x86-64-v4")) return find_in_longest<Real>;
  if (__builtin_cpu_supports("x86-64-v3")) return find_in_long<Real>;
  return find_in_short<Real>;
}
#else
template <class Real>
Finder<Real> choose_finder() {
  return find_in_short<Real>;
}
#endif

}  // namespace

void find_masked_leaves(const LeafMasks<float>& masks, const MaskedTree& tree,
                        const TileColumn<float>* tile, std::uint32_t* leaves) {
  static const Finder<float> find = choose_finder<float>();
  find(masks, tree, tile, leaves);
}

void find_masked_leaves(const LeafMasks<double>& masks, const MaskedTree& tree,
                        const TileColumn<double>* tile, std::uint32_t* leaves) {
  static const Finder<double> find = choose_finder<double>();
  find(masks, tree, tile, leaves);
}

}  // namespace frugalboost
