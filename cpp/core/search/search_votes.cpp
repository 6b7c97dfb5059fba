#include <stdexcept>

#include "core/search/search_impl.hpp"

namespace frugalboost {

std::unique_ptr<SplitSearch> make_votes_search(Criterion criterion, const SearchContext& context) {
  switch (criterion) {
    case Criterion::error:
      return typed_search<VotesCell<ErrorLoss>>(context);
    case Criterion::gini:
    case Criterion::variance:
      return typed_search<VotesCell<GiniLoss>>(context);
    case Criterion::entropy:
      return typed_search<VotesCell<EntropyLoss>>(context);
    case Criterion::z:
      return with_rough_votes(context, typed_search<VotesCell<ZLoss>>(context));
    case Criterion::gain_ratio:
      return typed_search<VotesCell<GainRatioLoss>>(context);
  }
  throw std::invalid_argument("unknown criterion");
}

}  // namespace frugalboost
