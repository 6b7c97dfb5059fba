#include "core/search/search.hpp"

#include <stdexcept>

namespace frugalboost {

bool suits_signed_cells(Criterion criterion, const Problem& problem, const SearchOptions& options) {
  return criterion == Criterion::error && problem.is_two_classes() &&
         options.min_samples_leaf <= 1 && is_exhaustive(options.kind);
}

std::unique_ptr<SplitSearch> make_search(Criterion criterion, const SearchContext& context) {
  if (context.problem.signed_cells)
    return context.options.kind == SearchKind::two_stage ? make_two_stage_search(context)
                                                         : make_signed_search(context);
  switch (context.problem.layout) {
    case Layout::classes:
      return make_classes_search(criterion, context);
    case Layout::votes:
      return make_votes_search(criterion, context);
    default:
      if (criterion != Criterion::variance)
        throw std::invalid_argument("real targets are split by variance");
      return make_real_search(context);
  }
}

}  // namespace frugalboost
