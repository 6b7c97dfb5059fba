#include <algorithm>

#include "bindings/grown_nodes.hpp"

namespace frugalboost {

GrownNodes::GrownNodes(GrownTree tree, std::size_t n_channels)
    : tree_(std::move(tree)),
      n_channels_(n_channels),
      n_leaves_(std::count(tree_.feature.begin(), tree_.feature.end(), -1)) {}

nb::object GrownNodes::leaf_sums_of_all() const {
  return tree_.sums_of_all.empty() ? nb::none() : nb::cast(at_leaves(tree_.sums_of_all));
}

nb::ndarray<nb::numpy, Sum> GrownNodes::at_leaves(const std::vector<Sum>& sums) const {
  auto result = fresh<Sum>({n_leaves_, n_channels_});
  Sum* out = result.data();
  for (std::size_t id = 0; id < tree_.n_nodes(); ++id)
    if (tree_.feature[id] < 0) out = std::copy_n(sums.data() + id * n_channels_, n_channels_, out);
  return result;
}

nb::dict GrownNodes::arrays() const {
  const std::size_t n = tree_.n_nodes();
  nb::dict result;
  result["feature"] = to_numpy(tree_.feature, {n});
  result["bin"] = to_numpy(tree_.bin, {n});
  result["threshold"] = to_numpy(tree_.threshold, {n});
  result["left"] = to_numpy(tree_.left, {n});
  result["right"] = to_numpy(tree_.right, {n});
  result["missing_left"] = to_numpy(tree_.missing_left, {n});
  result["category_start"] = to_numpy(tree_.category_start, {n});
  result["n_categories"] = to_numpy(tree_.n_categories, {n});
  result["category_words"] = to_numpy(tree_.category_words, {n_words()});
  result["loss"] = to_numpy(tree_.loss, {n});
  result["gain"] = to_numpy(tree_.gain, {n});
  result["n_samples"] = to_numpy(tree_.n_samples, {n});
  result["sums"] = to_numpy(tree_.sums, {n, n_channels_});
  return result;
}

nb::object GrownNodes::add_to(NodeTable& table, Array<double, 2> values) const {
  require(values.shape(0) == n_leaves_ && values.shape(1) == table.n_outputs(),
          "values must have a row for each leaf and a column for each output of the table");
  const auto place = table.add(tree_, values.data());
  if (!place) return nb::none();
  return nb::make_tuple(place->first_node, place->first_word);
}

namespace {

// Views for Python to read; they keep the table alive.
nb::dict views(nb::handle_t<NodeTable> self) {
  const NodeTable& table = nb::cast<const NodeTable&>(self);
  nb::dict result;
  const auto add = [&](const char* name, const auto& values) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    result[name] = nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, self);
  };
  add("feature", table.feature);
  add("threshold", table.threshold);
  add("left", table.left);
  add("right", table.right);
  add("missing_left", table.missing_left);
  add("category_start", table.category_start);
  add("n_categories", table.n_categories);
  add("category_words", table.category_words);
  result["value"] = nb::ndarray<nb::numpy, const double>(
      table.value.data(), {table.feature.size(), table.n_outputs()}, self);
  add("gain", table.gain);
  add("n_samples", table.n_samples);
  return result;
}

}  // namespace
}  // namespace frugalboost

void bind_nodes(nanobind::module_& module) {
  using namespace frugalboost;
  using namespace nb::literals;
  nb::class_<NodeTable>(module, "NodeTable")
      .def(nb::init<std::size_t, std::size_t, std::size_t>(), "n_nodes"_a, "n_words"_a,
           "n_outputs"_a)
      .def("views", &views);
  nb::class_<GrownNodes>(module, "GrownNodes")
      .def("leaf_sums", &GrownNodes::leaf_sums)
      .def("leaf_sums_of_all", &GrownNodes::leaf_sums_of_all)
      .def("arrays", &GrownNodes::arrays)
      .def("add_to", &GrownNodes::add_to, "table"_a, "values"_a)
      .def_prop_ro("n_leaves", &GrownNodes::n_leaves)
      .def_prop_ro("n_nodes", &GrownNodes::n_nodes)
      .def_prop_ro("n_words", &GrownNodes::n_words)
      .def_prop_ro("assessments", [](const GrownNodes& self) { return self.work().assessments; })
      .def_prop_ro("reads", [](const GrownNodes& self) { return self.work().reads; })
      .def_prop_ro("full", [](const GrownNodes& self) { return self.work().full; })
      .def_prop_ro("pruned_nodes", [](const GrownNodes& self) { return self.work().pruned_nodes; })
      .def_prop_ro("scans", [](const GrownNodes& self) { return self.work().scans; })
      .def_prop_ro("full_scans", [](const GrownNodes& self) { return self.work().full_scans; });
}
