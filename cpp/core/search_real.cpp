#include "core/search_impl.hpp"

namespace frugalboost {

std::unique_ptr<SplitSearch> make_real_search(const SearchContext& context) {
  return typed_search<RealCell>(context);
}

}  // namespace frugalboost
