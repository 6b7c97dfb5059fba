// Nodes that threads search side by side: the tree and its work are those of one thread.
#include <vector>

#include "core/grow/sharing.hpp"
#include "tests/check.hpp"
#include "tests/growing.hpp"

namespace frugalboost::testing {
namespace {

// So that even the smallest nodes are shared.
constexpr double eager = 1e9;

bool same_work(const Work& a, const Work& b) {
  return a.assessments == b.assessments && a.reads == b.reads && a.full == b.full &&
         a.pruned_nodes == b.pruned_nodes && a.scans == b.scans && a.full_scans == b.full_scans;
}

GrowOptions shared(GrowOptions options, double eagerness) {
  options.search.n_threads = 4;
  options.search.eagerness = eagerness;
  return options;
}

GrowOptions random_options(Random& random, Criterion criterion) {
  GrowOptions options;
  options.criterion = criterion;
  options.max_depth = draw(random, 1, 9) == 9 ? 30 : draw(random, 1, 12);
  if (draw(random, 0, 2) == 0) options.histogram_budget = draw(random, 0, 20000);
  options.max_leaf_nodes = draw(random, 0, 1) ? 0 : draw(random, 2, 40);
  options.search.min_samples_leaf = draw(random, 0, 1) ? 1 : draw(random, 2, 10);
  options.search.kind = draw(random, 0, 1) ? SearchKind::incremental : SearchKind::exhaustive;
  return options;
}

void test_trees(Random& random, Layout layout, Criterion criterion) {
  const std::size_t n_rows = draw(random, 1, 500);
  const int n_outputs = layout == Layout::real ? draw(random, 1, 3) : draw(random, 2, 4);
  const Table table(random, n_rows, draw(random, 1, 8));
  const Weights weights(random, layout, n_outputs, n_rows);
  const GrowOptions options = random_options(random, criterion);
  Grower one(table.columns, options);
  const std::vector<std::uint32_t> features = all_features(table);
  const Grown alone = grow(one, weights.problem, nullptr, features);
  for (double eagerness : {1.0, eager}) {
    Grower several(table.columns, shared(options, eagerness));
    for (int round = 0; round < 2; ++round) {  // what is left over from a tree does no harm
      const Grown together = grow(several, weights.problem, nullptr, features);
      check(same_tree(alone, together), "nodes that are shared give the same tree");
      check(same_work(alone.tree.work, together.tree.work), "and count the same work");
    }
  }
}

// A poll that throws ends a tree, whichever node is at work; the threads are there for the next.
void test_interrupts(Random& random) {
  const Table table(random, 400, 5);
  const Weights weights(random, Layout::real, 1, 400);
  GrowOptions options;
  options.criterion = Criterion::variance;
  options.max_depth = 8;
  const std::vector<std::uint32_t> features = all_features(table);
  Grower one(table.columns, options), several(table.columns, shared(options, eager));
  const Grown whole = grow(one, weights.problem, nullptr, features);
  int n_polls = 0, n_interrupted = 0;
  for (bool is_done = false; !is_done && n_polls < 1000; ++n_polls) {
    int left = n_polls;
    try {
      several.grow(weights.problem, nullptr, 400, features, [&] {
        if (left-- == 0) throw 1;
      });
      is_done = true;
    } catch (int) {
      ++n_interrupted;
    }
  }
  check(n_interrupted > 0 && n_polls < 1000, "a poll interrupts a tree, wherever it is");
  check(same_tree(whole, grow(several, weights.problem, nullptr, features)),
        "trees after an interrupt are whole");
}

void test_choices() {
  const Sharing one{1}, four{4}, sixteen{16};
  check(!one.pays({9, 9, 9, 9}), "one thread has nobody to share with");
  check(four.pays({9, 9, 9, 9}) && sixteen.pays({9, 9, 9, 9}), "equal nodes are shared");
  check(!four.pays({1000}) && !four.pays({1000, 2, 2, 2}), "a large node is for all threads");
  check(!four.pays({900, 900, 900, 900, 900}), "no thread is left with a large node at the end");
  check(!Sharing{4, 0.0}.pays({2, 2, 2, 2}), "nothing is shared without eagerness");
}

}  // namespace

void test_sharing(Random& random) {
  using C = Criterion;
  for (int repeat = 0; repeat < 40; ++repeat) {
    for (C criterion : {C::error, C::gini, C::entropy, C::z}) {
      test_trees(random, Layout::classes, criterion);
      test_trees(random, Layout::votes, criterion);
    }
    test_trees(random, Layout::classes, C::gain_ratio);
    test_trees(random, Layout::real, C::variance);
    test_trees(random, Layout::real, C::variance);
  }
  test_interrupts(random);
  test_choices();
}

}  // namespace frugalboost::testing
