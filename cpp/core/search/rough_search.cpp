#include "core/search/rough_search.hpp"

namespace frugalboost {
namespace {

// The unit in which a positive number has at most `bits` bits.
int shift_to(Sum number, int bits) {
  int shift = 0;
  while ((number >> shift) >= (Sum{1} << bits)) ++shift;
  return shift;
}

// Weights of rough rows add up to less than 2^31 for each output.
int weight_shift(const Node& node, int n_outputs) {
  return shift_to(*std::max_element(node.totals.begin(), node.totals.begin() + n_outputs), 31);
}

struct Votes {
  using Cell = VotesCell<ZLoss>;
  static constexpr bool passes_over = true;  // what is above a limit
  static std::size_t half(int n_outputs) { return rough_half(n_outputs); }

  static RoughUnit finest(const Problem& problem, const Row*, const Node& node) {
    return {weight_shift(node, problem.n_outputs), 0};
  }
  static void round(const Problem& problem, const Row* rows, const Node& node, std::size_t half,
                    Rough* values) {
    round_down({problem.weights, problem.labels, static_cast<std::size_t>(problem.n_outputs)}, rows,
               node.range, node.rough.unit.weight, half, values);
  }

  // Half a normaliser in rough units, and back.
  static float lowest(const RoughScan& scan, const SearchContext&, const Node&, float limit) {
    return lowest_rough_z(scan, limit);
  }
  static float limit(double loss, const Node& node, double error) {
    return static_cast<float>(std::ldexp(loss, -1 - node.rough.unit.weight) * (1.0 + 2.0 * error));
  }
  static double bound(float lower, const Node& node, double error) {
    return std::ldexp(lower * (1.0 - error), 1 + node.rough.unit.weight);
  }
};

struct Real {
  using Cell = RealCell;
  static constexpr bool passes_over = false;
  static std::size_t half(int n_outputs) { return rough_half(n_outputs + 1); }

  static RealRows rows_of(const Problem& problem) {
    return {problem.weights, static_cast<std::size_t>(problem.n_outputs)};
  }
  // One bit for the sign, and one for what rounding down adds, a unit a row.
  static RoughUnit finest(const Problem& problem, const Row* rows, const Node& node) {
    return {weight_shift(node, problem.n_outputs),
            shift_to(largest_numerators(rows_of(problem), rows, node.range), 30)};
  }
  static void round(const Problem& problem, const Row* rows, const Node& node, std::size_t half,
                    Rough* values) {
    round_down(rows_of(problem), rows, node.range, node.rough.unit, half, values);
  }

  // The largest gain, with a minus sign, in rough units, and back.
  static float lowest(const RoughScan& scan, const SearchContext& context, const Node& node,
                      float) {
    const float least = std::ldexp(1.0f, -node.rough.unit.weight);
    const auto smallest = std::max<std::size_t>(1, context.options.min_samples_leaf);
    const float gain =
        highest_rough_gain({scan, static_cast<std::size_t>(context.problem.n_outputs), least,
                            static_cast<Rough>(std::min<std::size_t>(smallest, 1 << 30))});
    return gain < 0.0f ? std::numeric_limits<float>::infinity() : -gain;
  }
  static int exponent(const Node& node) {
    return 2 * node.rough.unit.numerator - node.rough.unit.weight;
  }
  static float limit(double, const Node&, double) { return std::numeric_limits<float>::infinity(); }
  static double bound(float lower, const Node& node, double error) {
    return as_double(node.mass) + std::ldexp(lower * (1.0 + error), exponent(node)) -
           rounding(node);
  }
  // Of the subtraction that gives a loss.
  static double rounding(const Node& node) {
    return as_double(node.mass) / (std::int64_t{1} << 50);
  }
};

bool is_plain(const Columns& columns, std::uint32_t feature) {
  const Column& column = columns.columns[feature];
  if (column.is_categorical || column.has_missing) return false;
  return column.storage != Storage::sparse || columns.row_blocks().place(feature).block != nullptr;
}

// Histograms that fit the cache are added to fast enough as they are, and whole weights for the
// likeliest features would cost more than rough cells save.
bool is_large(const SearchContext& context) {
  std::size_t n_codes = 0;
  for (std::uint32_t f : context.features) n_codes += context.columns.columns[f].n_codes();
  return n_codes * context.problem.n_channels() * sizeof(Sum) >= context.options.rough_from;
}

bool suits(const SearchContext& context) {
  return is_exhaustive(context.options.kind) && context.problem.n_channels() >= wide_channels &&
         context.columns.n_rows < (std::size_t{1} << 30) && is_large(context) &&
         std::all_of(
             context.features.begin(), context.features.end(),
             [&](std::uint32_t f) { return is_plain(context.columns, f); });
}

}  // namespace

std::unique_ptr<SplitSearch> with_rough_votes(const SearchContext& context,
                                              std::unique_ptr<SplitSearch> plain) {
  // Rough votes do not count rows.
  if (!suits(context) || context.options.min_samples_leaf > 1) return plain;
  return std::make_unique<RoughSearch<Votes>>(context, std::move(plain));
}

std::unique_ptr<SplitSearch> with_rough_targets(const SearchContext& context,
                                                std::unique_ptr<SplitSearch> plain) {
  if (!suits(context)) return plain;
  return std::make_unique<RoughSearch<Real>>(context, std::move(plain));
}

}  // namespace frugalboost
