#include <nanobind/stl/string.h>

#include <algorithm>

#include "bindings/columns_holder.hpp"
#include "core/grower.hpp"

namespace frugalboost {
namespace {

class GrowerHolder {
 public:
  GrowerHolder(const ColumnsHolder& columns, int criterion, int search, int max_depth,
               std::size_t max_leaf_nodes, std::size_t min_samples_leaf, double quick_mass,
               int quick_steps, int n_threads)
      : columns_(columns.get()),
        grower_(columns_, options(criterion, search, max_depth, max_leaf_nodes, min_samples_leaf,
                                  quick_mass, quick_steps, n_threads)) {}

  nb::dict grow(int layout, int n_outputs, nb::object labels, Array<Sum, 2> weights,
                Array<Sum, 1> mass, Array<Row, 1> rows, Array<std::uint32_t, 1> features) {
    Array<Row, 1> label_array;
    const Problem problem = make_problem(layout, n_outputs, labels, weights, mass, label_array);
    check_rows(rows);
    const std::vector<std::uint32_t> searched(features.data(), features.data() + features.size());
    for (std::size_t i = 0; i < searched.size(); ++i)
      require(searched[i] < columns_.columns.size() && (i == 0 || searched[i - 1] < searched[i]),
              "features must be ascending and in range");
    const Poll poll = signal_poll();
    GrownTree tree;
    {
      nb::gil_scoped_release release;
      tree = grower_.grow(problem, rows.data(), rows.shape(0), searched, poll);
    }
    return to_dict(std::move(tree), problem);
  }

 private:
  static GrowOptions options(int criterion, int search, int max_depth, std::size_t max_leaf_nodes,
                             std::size_t min_samples_leaf, double quick_mass, int quick_steps,
                             int n_threads) {
    require(0 <= criterion && criterion <= 4 && 0 <= search && search <= 2,
            "criterion and search must be codes known to the core");
    require(max_depth >= 1 && min_samples_leaf >= 1 && quick_steps >= 1 && n_threads >= 1,
            "max_depth, min_samples_leaf, quick_steps and n_threads must be positive");
    require(quick_mass > 0.0 && quick_mass <= 1.0, "quick_mass must be in (0, 1]");
    GrowOptions result;
    result.criterion = static_cast<Criterion>(criterion);
    result.max_depth = max_depth;
    result.max_leaf_nodes = max_leaf_nodes;
    result.search = {static_cast<SearchKind>(search), quick_mass, quick_steps, min_samples_leaf,
                     n_threads};
    return result;
  }

  Problem make_problem(int layout, int n_outputs, const nb::object& labels,
                       const Array<Sum, 2>& weights, const Array<Sum, 1>& mass,
                       Array<Row, 1>& label_array) const {
    require(0 <= layout && layout <= 2 && n_outputs >= 1, "layout and n_outputs are out of range");
    Problem problem;
    problem.layout = static_cast<Layout>(layout);
    problem.n_outputs = n_outputs;
    problem.n_rows = columns_.n_rows;
    const std::size_t width = problem.layout == Layout::classes ? 1
                              : problem.layout == Layout::votes ? n_outputs
                                                                : 2 * n_outputs;
    require(weights.shape(0) == problem.n_rows && weights.shape(1) == width &&
                mass.shape(0) == problem.n_rows,
            "weights and mass must have one row per row of the columns");
    problem.weights = weights.data();
    problem.mass = mass.data();
    if (problem.layout != Layout::real) {
      label_array = nb::cast<Array<Row, 1>>(labels);
      require(label_array.shape(0) == problem.n_rows, "labels must have one entry per row");
      problem.labels = label_array.data();
      require(std::all_of(problem.labels, problem.labels + problem.n_rows,
                          [&](Row y) { return y < static_cast<Row>(n_outputs); }),
              "labels must be below n_outputs");
    }
    return problem;
  }

  void check_rows(const Array<Row, 1>& rows) const {
    require(rows.shape(0) >= 1 && rows.shape(0) <= columns_.n_rows,
            "rows must name between one and all rows");
    require(std::all_of(rows.data(), rows.data() + rows.shape(0),
                        [&](Row r) { return r < columns_.n_rows; }),
            "rows must be in range");
  }

  static nb::dict to_dict(GrownTree tree, const Problem& problem) {
    const std::size_t n = tree.n_nodes();
    const std::size_t n_channels = problem.n_channels();
    const std::size_t n_words = tree.category_words.size();
    nb::dict result;
    result["feature"] = to_numpy(std::move(tree.feature), {n});
    result["bin"] = to_numpy(std::move(tree.bin), {n});
    result["left"] = to_numpy(std::move(tree.left), {n});
    result["right"] = to_numpy(std::move(tree.right), {n});
    result["missing_left"] = to_numpy(std::move(tree.missing_left), {n});
    result["category_start"] = to_numpy(std::move(tree.category_start), {n});
    result["category_words"] = to_numpy(std::move(tree.category_words), {n_words});
    result["loss"] = to_numpy(std::move(tree.loss), {n});
    result["gain"] = to_numpy(std::move(tree.gain), {n});
    result["n_samples"] = to_numpy(std::move(tree.n_samples), {n});
    result["sums"] = to_numpy(std::move(tree.sums), {n, n_channels});
    result["leaf_of_row"] = to_numpy(std::move(tree.leaf_of_row), {problem.n_rows});
    result["assessments"] = tree.work.assessments;
    result["reads"] = tree.work.reads;
    result["full"] = tree.work.full;
    return result;
  }

  const Columns& columns_;
  Grower grower_;
};

}  // namespace
}  // namespace frugalboost

void bind_grower(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<GrowerHolder>(module, "Grower")
      .def(nb::init<const ColumnsHolder&, int, int, int, std::size_t, std::size_t, double, int,
                    int>(),
           nb::keep_alive<1, 2>(), "columns"_a, nb::kw_only(), "criterion"_a, "search"_a,
           "max_depth"_a, "max_leaf_nodes"_a, "min_samples_leaf"_a, "quick_mass"_a, "quick_steps"_a,
           "n_threads"_a)
      .def("grow", &GrowerHolder::grow, nb::kw_only(), "layout"_a, "n_outputs"_a, "labels"_a.none(),
           "weights"_a, "mass"_a, "rows"_a, "features"_a);
}
