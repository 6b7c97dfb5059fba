#include "core/search/real_search.hpp"
#include "core/search/search_impl.hpp"

namespace frugalboost {

std::unique_ptr<SplitSearch> make_real_search(const SearchContext& context) {
  if (is_exhaustive(context.options.kind)) return std::make_unique<RealSearch>(context);
  return arm_search<RealCell>(context);
}

}  // namespace frugalboost
