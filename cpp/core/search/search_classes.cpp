#include <stdexcept>

#include "core/search/search_impl.hpp"

namespace frugalboost {
namespace {

template <class Loss>
std::unique_ptr<SplitSearch> with_outputs(const SearchContext& context) {
  if (context.problem.n_outputs == 2) return typed_search<ClassesCell<Loss, 2>>(context);
  return typed_search<ClassesCell<Loss, 0>>(context);
}

}  // namespace

std::unique_ptr<SplitSearch> make_classes_search(Criterion criterion,
                                                 const SearchContext& context) {
  switch (criterion) {
    case Criterion::error:
      return with_outputs<ErrorLoss>(context);
    case Criterion::gini:
    case Criterion::variance:  // of the class codes: a positive multiple of Gini
      return with_outputs<GiniLoss>(context);
    case Criterion::entropy:
      return with_outputs<EntropyLoss>(context);
    case Criterion::z:
      return with_outputs<ZLoss>(context);
    case Criterion::gain_ratio:
      return with_outputs<GainRatioLoss>(context);
  }
  throw std::invalid_argument("unknown criterion");
}

}  // namespace frugalboost
