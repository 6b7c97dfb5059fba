#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "bindings/columns_holder.hpp"
#include "bindings/grown_nodes.hpp"
#include "bindings/residuals_holder.hpp"
#include "bindings/row_checks.hpp"
#include "bindings/targets_holder.hpp"
#include "bindings/weights_holder.hpp"
#include "core/grow/grower.hpp"
#include "core/rows/heavy_rows.hpp"
#include "core/rows/real_rows.hpp"

namespace frugalboost {
namespace {

class GrowerHolder {
 public:
  GrowerHolder(const ColumnsHolder& columns, Array<double, 1> cuts,
               Array<std::int64_t, 1> cut_offsets, int criterion, int search, int max_depth,
               std::size_t max_leaf_nodes, std::size_t min_samples_leaf, double quick_mass,
               int quick_steps, int n_threads)
      : columns_(columns.get()),
        cuts_(cuts),
        cut_offsets_(cut_offsets),
        kind_(static_cast<SearchKind>(search)),
        n_threads_(n_threads),
        options_(options(criterion, search, max_depth, max_leaf_nodes, min_samples_leaf, quick_mass,
                         quick_steps, n_threads)) {
    const std::size_t n_offsets = cut_offsets.shape(0);
    require(n_offsets == columns_.columns.size() + 1 && cut_offsets(0) == 0 &&
                cut_offsets(n_offsets - 1) == static_cast<std::int64_t>(cuts.shape(0)) &&
                std::is_sorted(cut_offsets.data(), cut_offsets.data() + n_offsets),
            "cut_offsets must divide cuts among the features");
    // Whoever stores the columns by rows may ask for the GIL meanwhile.
    nb::gil_scoped_release release;
    grower_ = std::make_unique<Grower>(columns_, options_);
  }

  GrownNodes grow(int layout, int n_outputs, nb::object labels, Array<Sum, 2> weights,
                  Array<Sum, 1> mass, nb::object rows, Array<std::uint32_t, 1> features) {
    require(0 <= layout && layout < n_layouts && n_outputs >= 1,
            "layout and n_outputs are out of range");
    Problem problem;
    problem.layout = static_cast<Layout>(layout);
    problem.n_outputs = n_outputs;
    problem.n_rows = columns_.n_rows;
    Array<Row, 1> label_array;
    if (problem.layout != Layout::real) label_array = nb::cast<Array<Row, 1>>(labels);
    {
      nb::gil_scoped_release release;
      fill_in(problem, weights, mass, label_array);
    }
    return grow_on_rows(problem, rows, features);
  }

  // All rows, with weights whose changes are known.
  GrownNodes grow_on(WeightsHolder& weights, Array<std::uint32_t, 1> features) {
    require(weights.get().size() == columns_.n_rows, "weights must be of the rows of the columns");
    Problem problem = weights.get().problem();
    if (kind_ != SearchKind::two_stage)
      return grow_problem(problem, nullptr, columns_.n_rows, features);
    {
      nb::gil_scoped_release release;
      heavy_.update(weights.get(), n_threads_);
    }
    problem.n_heavy = heavy_.n_heavy();
    problem.heavy_version = heavy_.version();
    return grow_problem(problem, heavy_.rows(), columns_.n_rows, features);
  }

  // Weights of the last tree's rows rise by its leaves; cheaper than to hand the leaves to Python.
  void advance(WeightsHolder& weights, Array<double, 2> rise) {
    check_rise(rise, weights.get());
    check_last_tree(rise.shape(0), weights.get().size());
    const std::vector<double> of_nodes = by_node(rise.data(), rise.shape(1));
    nb::gil_scoped_release release;
    weights.get().advance(of_nodes.data(), leaf_number_.size(), grower_->node_of_row().data(),
                          n_threads_);
  }

  // Residuals, whose root may be known from the last tree, or targets of LogitBoost. `rows` is None
  // for all.
  GrownNodes grow_on_residuals(ResidualsHolder& residuals, Array<std::uint32_t, 1> features,
                               nb::object rows) {
    return grow_on_rows(residuals.get().problem(), rows, features);
  }
  GrownNodes grow_on_targets(TargetsHolder& targets, Array<std::uint32_t, 1> features,
                             nb::object rows) {
    return grow_on_rows(targets.get().problem(), rows, features);
  }

  // The decisions of the last tree's rows move by what their leaves say.
  void move(TargetsHolder& targets, Array<double, 2> values) {
    require(values.shape(1) == static_cast<std::size_t>(targets.get().n_outputs()),
            "values must have a column for each output");
    check_last_tree(values.shape(0), targets.get().size());
    const std::vector<double> of_nodes = by_node(values.data(), values.shape(1));
    nb::gil_scoped_release release;
    targets.get().advance(of_nodes.data(), leaf_number_.size(), grower_->node_of_row().data());
  }

  // The residuals of the last tree's rows fall by what their leaves say.
  void lower(ResidualsHolder& residuals, Array<double, 1> values) {
    check_last_tree(values.shape(0), residuals.get().size());
    const std::vector<double> of_nodes = by_node(values.data(), 1);
    nb::gil_scoped_release release;
    residuals.get().advance(of_nodes.data(), n_samples_.data(), of_nodes.size(),
                            grower_->node_of_row().data(), n_threads_);
    // From here on the residuals have fallen. If this fails, they must not fall again.
    or_start_anew([&] { grower_->follow(residuals.get().problem(), residuals.get().steps()); });
  }

  // Of the last tree; leaves are counted in the order of the nodes.
  nb::ndarray<nb::numpy, std::int32_t> leaf_of_row() const {
    require(n_leaves_ > 0, "there must be a last tree, grown without an error");
    const auto& nodes = grower_->node_of_row();
    auto leaves = fresh<std::int32_t>({nodes.size()});
    std::int32_t* to = leaves.data();
    nb::gil_scoped_release release;
    for_rows(nodes.size(), 1, n_threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = leaf_number_[nodes[i]];
    });
    return leaves;
  }

 private:
  static GrowOptions options(int criterion, int search, int max_depth, std::size_t max_leaf_nodes,
                             std::size_t min_samples_leaf, double quick_mass, int quick_steps,
                             int n_threads) {
    require(0 <= criterion && criterion < n_criteria && 0 <= search && search < n_searches,
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

  // `rows` is None for all, in the order of the table.
  GrownNodes grow_on_rows(const Problem& problem, const nb::object& rows,
                          const Array<std::uint32_t, 1>& features) {
    require(problem.n_rows == columns_.n_rows, "targets must be of the rows of the columns");
    if (rows.is_none()) return grow_problem(problem, nullptr, columns_.n_rows, features);
    const auto row_array = nb::cast<Array<Row, 1>>(rows);
    {
      nb::gil_scoped_release release;
      check_rows(row_array.data(), row_array.shape(0));
    }
    return grow_problem(problem, row_array.data(), row_array.shape(0), features);
  }

  GrownNodes grow_problem(const Problem& problem, const Row* rows, std::size_t n_rows,
                          const Array<std::uint32_t, 1>& features) {
    const std::vector<std::uint32_t> searched(features.data(), features.data() + features.size());
    for (std::size_t i = 0; i < searched.size(); ++i)
      require(searched[i] < columns_.columns.size() && (i == 0 || searched[i - 1] < searched[i]),
              "features must be ascending and in range");
    if (grower_ == nullptr) {
      nb::gil_scoped_release release;
      grower_ = std::make_unique<Grower>(columns_, options_);
    }
    const Poll poll = signal_poll();
    GrownTree tree;
    n_leaves_ = 0;
    or_start_anew([&] {
      nb::gil_scoped_release release;
      tree = grower_->grow(problem, rows, n_rows, searched, poll);
      number_leaves(tree);
      put_in_units(tree);
    });
    return GrownNodes(std::move(tree), problem.n_sums());
  }

  // A grower that was interrupted is in the middle of something, and what it remembers may be half
  // done: there is no last tree then, and the next one comes from a new grower.
  template <class Work>
  void or_start_anew(Work&& work) {
    try {
      work();
    } catch (...) {
      grower_.reset();
      n_leaves_ = 0;
      throw;
    }
  }

  // There is one number of `n_given` for each of its leaves, and it is of so many rows.
  void check_last_tree(std::size_t n_given, std::size_t n_rows) const {
    require(n_leaves_ > 0 && n_given == n_leaves_ && grower_->node_of_row().size() == n_rows,
            "the last tree must be of these rows, and there must be values for each leaf");
  }

  // By node what is given by leaf, `width` numbers each. Inner nodes hold no rows: what stands
  // there is not looked at, but zeros are counted.
  std::vector<double> by_node(const double* by_leaf, std::size_t width) const {
    std::vector<double> of_nodes(leaf_number_.size() * width, 0.0);
    for (std::size_t id = 0; id < leaf_number_.size(); ++id)
      if (leaf_number_[id] >= 0)
        std::copy_n(by_leaf + leaf_number_[id] * width, width, of_nodes.data() + id * width);
    return of_nodes;
  }

  void number_leaves(const GrownTree& tree) {
    leaf_number_.resize(tree.n_nodes());
    n_samples_ = tree.n_samples;
    for (std::size_t id = 0; id < tree.n_nodes(); ++id)
      leaf_number_[id] = tree.feature[id] < 0 ? static_cast<std::int32_t>(n_leaves_++) : -1;
  }

  void fill_in(Problem& problem, const Array<Sum, 2>& weights, const Array<Sum, 1>& mass,
               const Array<Row, 1>& labels) {
    const auto n_outputs = static_cast<std::size_t>(problem.n_outputs);
    const std::size_t width = problem.layout == Layout::classes ? 1
                              : problem.layout == Layout::votes ? n_outputs
                                                                : 2 * n_outputs;
    require(weights.shape(0) == problem.n_rows && weights.shape(1) == width &&
                mass.shape(0) == problem.n_rows,
            "weights and mass must have one row per row of the columns");
    problem.weights = weights.data();
    problem.mass = mass.data();
    if (problem.layout == Layout::real) return pack_weights(problem);
    require(labels.shape(0) == problem.n_rows, "labels must have one entry per row");
    problem.labels = labels.data();
    check_labels(problem.labels, problem.n_rows, n_outputs, n_threads_);
    if (problem.is_two_classes()) sign_weights(problem);
  }

  void pack_weights(Problem& problem) {
    require(pack_targets(problem.weights, problem.n_rows, problem.n_outputs, own_weights_, problem,
                         n_threads_),
            "weights must be positive, and the sums of weights and of numerators fit into 63 bits "
            "together");
    // What real rows can add to a loss is their squares, which need not be found again.
    const Sum* mass = problem.mass;
    const auto of_slice = [mass](std::size_t begin, std::size_t end) {
      return std::accumulate(mass + begin, mass + end, Sum{0});
    };
    problem.total_mass = join_rows(problem.n_rows, 1, n_threads_, Sum{0}, of_slice,
                                   [](Sum& all, Sum part) { all += part; });
  }

  // Two classes: the label becomes the sign.
  void sign_weights(Problem& problem) {
    own_weights_.resize(problem.n_rows);
    for_rows(problem.n_rows, 1, n_threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        own_weights_[i] = problem.labels[i] != 0 ? problem.weights[i] : -problem.weights[i];
    });
    problem.weights = own_weights_.data();
    problem.labels = nullptr;
  }

  void check_rows(const Row* rows, std::size_t n) const {
    require(n >= 1 && n <= columns_.n_rows, "rows must name between one and all rows");
    require(all_below(rows, n, columns_.n_rows, n_threads_), "rows must be in range");
    const auto is_next = [=](std::size_t i) { return i == 0 || rows[i - 1] < rows[i]; };
    require(all_rows(n, n_threads_, is_next) || are_distinct(rows, n),
            "rows must name no row twice");
  }

  // Each thread looks for the rows of a range of its own.
  bool are_distinct(const Row* rows, std::size_t n) const {
    const auto n_repeated = [=](std::size_t first, std::size_t last) {
      std::vector<std::uint8_t> is_seen(last - first, 0);
      std::size_t count = 0;
      for (std::size_t i = 0; i < n; ++i)
        if (first <= rows[i] && rows[i] < last) count += std::exchange(is_seen[rows[i] - first], 1);
      return count;
    };
    return join_rows(columns_.n_rows, 1, n_threads_, std::size_t{0}, n_repeated,
                     [](std::size_t& all, std::size_t part) { all += part; }) == 0;
  }

  // Gains as shares of the mass, thresholds in the units of the data.
  void put_in_units(GrownTree& tree) const {
    const std::size_t n = tree.n_nodes();
    const double mass = std::max(static_cast<double>(tree.mass), 1.0);
    tree.threshold.assign(n, std::numeric_limits<double>::quiet_NaN());
    tree.n_categories.assign(n, 0);
    for (std::size_t id = 0; id < n; ++id) {
      tree.gain[id] /= mass;
      const std::int32_t feature = tree.feature[id];
      if (feature < 0) continue;
      if (tree.bin[id] < 0) {
        tree.n_categories[id] = columns_.columns[feature].n_bins;
      } else {
        tree.threshold[id] = cut(feature, tree.bin[id]);
      }
    }
  }

  // Past the last cut every value goes left, only missing values go right.
  double cut(std::int32_t feature, std::int32_t bin) const {
    const std::int64_t at = cut_offsets_(feature) + bin;
    return at < cut_offsets_(feature + 1) ? cuts_(at) : std::numeric_limits<double>::infinity();
  }

  const Columns& columns_;
  Array<double, 1> cuts_;  // thresholds of all features, one after the other
  Array<std::int64_t, 1> cut_offsets_;
  SearchKind kind_;
  int n_threads_;
  GrowOptions options_;
  std::unique_ptr<Grower> grower_;  // null after an error: see or_start_anew
  HeavyRows heavy_;
  std::size_t n_leaves_ = 0;               // of the last tree
  std::vector<std::int32_t> leaf_number_;  // of each node; -1 if it is no leaf
  std::vector<std::int64_t> n_samples_;    // of each node
  std::vector<Sum> own_weights_;
};

template <std::size_t N>
nb::tuple names_of(const char* const (&names)[N]) {
  nb::list result;
  for (const char* name : names) result.append(name);
  return nb::tuple(result);
}

}  // namespace
}  // namespace frugalboost

void bind_grower(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  module.attr("LAYOUTS") = names_of(layout_names);
  module.attr("CRITERIA") = names_of(criterion_names);
  module.attr("SEARCHES") = names_of(search_names);
  nb::class_<GrowerHolder>(module, "Grower")
      .def(nb::init<const ColumnsHolder&, Array<double, 1>, Array<std::int64_t, 1>, int, int, int,
                    std::size_t, std::size_t, double, int, int>(),
           nb::keep_alive<1, 2>(), "columns"_a, nb::kw_only(), "cuts"_a, "cut_offsets"_a,
           "criterion"_a, "search"_a, "max_depth"_a, "max_leaf_nodes"_a, "min_samples_leaf"_a,
           "quick_mass"_a, "quick_steps"_a, "n_threads"_a)
      .def("grow", &GrowerHolder::grow, nb::kw_only(), "layout"_a, "n_outputs"_a, "labels"_a.none(),
           "weights"_a, "mass"_a, "rows"_a.none(), "features"_a)
      .def("grow_on", &GrowerHolder::grow_on, "weights"_a, "features"_a)
      .def("grow_on_residuals", &GrowerHolder::grow_on_residuals, "residuals"_a, "features"_a,
           "rows"_a.none() = nb::none())
      .def("grow_on_targets", &GrowerHolder::grow_on_targets, "targets"_a, "features"_a,
           "rows"_a.none() = nb::none())
      .def("move", &GrowerHolder::move, "targets"_a, "values"_a)
      .def("advance", &GrowerHolder::advance, "weights"_a, "rise"_a)
      .def("lower", &GrowerHolder::lower, "residuals"_a, "values"_a)
      .def("leaf_of_row", &GrowerHolder::leaf_of_row);
}
