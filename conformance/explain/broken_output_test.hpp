#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/explain/picture.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {

// The output of a case with elements that a test makes wrong.
class BrokenOutput {
 public:
  explicit BrokenOutput(const std::string& literal) : question_(*parse_case(literal)) {
    expected_ = std::get<Answer>(*expect(question_)).tensors.front();
    seen_ = expected_;
    unwritten_.resize(static_cast<std::size_t>(expected_.count()));
  }

  const Tensor& expected() const { return expected_; }
  Tensor& seen() { return seen_; }
  // Changes bits of elements.
  BrokenOutput& change(const std::vector<std::int64_t>& indices, std::uint64_t bits = 0x40) {
    for (const std::int64_t index : indices)
      seen_.set_element(index, {expected_.element(index).low ^ bits, 0});
    return *this;
  }
  BrokenOutput& leave_unwritten(const std::vector<std::int64_t>& indices) {
    for (const std::int64_t index : indices)
      unwritten_[static_cast<std::size_t>(index)] = true;
    return change(indices);
  }
  // Puts the element that belongs to one place at another.
  BrokenOutput& put(std::int64_t to, std::int64_t from) {
    seen_.set_element(to, expected_.element(from));
    return *this;
  }

  WrongElements found() const { return *wrong_elements_of(expected_, seen_, data_of(question_), unwritten_); }

 private:
  Case question_;
  Tensor expected_ = Tensor::without_elements(ElementType::f32, {}), seen_ = expected_;
  std::vector<bool> unwritten_;
};

}  // namespace certile::conformance
