// Where the histogram of each searched feature lies.
#pragma once

#include <vector>

#include "core/columns.hpp"

namespace frugalboost {

class FeatureSpace {
 public:
  FeatureSpace(const Columns& columns, const std::vector<std::uint32_t>& features, int n_channels)
      : columns_(columns), features_(features), n_channels_(n_channels) {
    code_offset_.reserve(features.size() + 1);
    code_offset_.push_back(0);
    for (std::uint32_t f : features)
      code_offset_.push_back(code_offset_.back() + columns.columns[f].n_codes());
  }

  std::size_t size() const { return features_.size(); }
  std::size_t n_codes() const { return code_offset_.back(); }
  std::size_t n_cells() const { return n_codes() * n_channels_; }
  int n_channels() const { return n_channels_; }

  std::uint32_t feature(std::size_t slot) const { return features_[slot]; }
  const Column& column(std::size_t slot) const { return columns_.columns[features_[slot]]; }
  std::size_t cell_offset(std::size_t slot) const { return code_offset_[slot] * n_channels_; }
  std::size_t code_offset(std::size_t slot) const { return code_offset_[slot]; }
  std::size_t cell_count(std::size_t slot) const {
    return cell_offset(slot + 1) - cell_offset(slot);
  }

 private:
  const Columns& columns_;
  const std::vector<std::uint32_t>& features_;
  std::size_t n_channels_;
  std::vector<std::size_t> code_offset_;
};

}  // namespace frugalboost
