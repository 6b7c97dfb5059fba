#include "core/search.hpp"

#include <stdexcept>

namespace frugalboost {

std::unique_ptr<SplitSearch> make_search(Criterion criterion, const SearchContext& context) {
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
