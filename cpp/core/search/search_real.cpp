#include "core/search/search_impl.hpp"

namespace frugalboost {

std::unique_ptr<SplitSearch> make_real_search(const SearchContext& context) {
  return with_rough_targets(context, typed_search<RealCell>(context));
}

}  // namespace frugalboost
