// Tests that every case, whatever its definition, types, fill and placement, has one spelling that reads back
// as that case.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "reference/values/case.hpp"
#include "reference/values/element_text.hpp"
#include "reference/values/literal_options.hpp"
#include "reference/values/tensor.hpp"

namespace certile {
namespace {

// RapidCheck runs a property 100 times; each run asks this many cases.
constexpr std::size_t cases_per_run = 200;

rc::Gen<std::uint64_t> any_word() {
  return rc::gen::inRange<std::uint64_t>(0, ~std::uint64_t{0});
}

std::string any_element(ElementType type) {
  if (type == ElementType::string) {
    const auto any_bytes = rc::gen::resize(12, rc::gen::arbitrary<std::string>());
    const auto printable = rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~'));
    return string_to_text(*rc::gen::oneOf(any_bytes, rc::gen::resize(12, printable)));
  }
  const int width = bits(type);
  const std::uint64_t word = *any_word();
  if (type == ElementType::boolean) return element_to_text(type, {word & 1U, 0});
  if (width == 128) return element_to_text(type, {word, *any_word()});
  return element_to_text(type, {width == 64 ? word : word & ((std::uint64_t{1} << width) - 1), 0});
}

Shape any_shape(int most_rank, std::int64_t most) {
  const auto rank = static_cast<std::size_t>(*rc::gen::inRange(0, most_rank + 1));
  return *rc::gen::container<Shape>(rank, rc::gen::inRange<std::int64_t>(0, most + 1));
}

ElementType any_type() {
  return *rc::gen::elementOf(all_element_types());
}

Tensor any_spelled_operand(Shape shape) {
  const ElementType type = any_type();
  std::vector<std::string> spellings;
  for (std::int64_t left = element_count(shape).value(); left > 0; --left)
    spellings.push_back(any_element(type));
  return tensor_spelled(type, std::move(shape), spellings);
}

// Returns data that a fill makes, of any size that has an element count.
Tensor any_filled_operand() {
  Shape shape = any_shape(5, 70000);
  if (*rc::gen::inRange(0, 8) == 0)
    shape = {*rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max())};
  while (!element_count(shape))
    shape.pop_back();
  return Tensor::without_elements(any_type(), std::move(shape));
}

Fill any_fill() {
  const auto kind = *rc::gen::element(Fill::Kind::index, Fill::Kind::bits, Fill::Kind::special,
                                      Fill::Kind::zero, Fill::Kind::lengthy, Fill::Kind::brief);
  if (kind == Fill::Kind::index) return {};
  return {kind, *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 3), any_word())};
}

Placement any_placement(ElementType type) {
  Placement placement;
  const int choice = *rc::gen::inRange(0, 4);
  if (choice == 1) placement.guard = Placement::Guard::before;
  if (choice == 2) placement.guard = Placement::Guard::after;
  const int width = is_packed(type) ? 1 : bits(type) / 8;
  if (choice == 3) {
    placement.offset = *rc::gen::inRange(0, 64 / width) * width;
    const int output = *rc::gen::inRange(0, 64 / width) * width;
    if (output != placement.offset) placement.output_offset = output;
  }
  placement.threads = *rc::gen::oneOf(rc::gen::just(1), rc::gen::inRange(1, most_threads + 1));
  placement.shape_only = *rc::gen::arbitrary<bool>();
  if (placement.threads == 1 && !placement.shape_only)
    placement.calls = *rc::gen::oneOf(rc::gen::just(1), rc::gen::inRange(1, most_calls + 1));
  return placement;
}

Case any_case() {
  Case question;
  question.definition = *rc::gen::elementOf(all_definitions());
  question.data = *rc::gen::arbitrary<bool>() ? any_spelled_operand(any_shape(3, 3)) : any_filled_operand();
  if (question.data.bytes().empty()) question.fill = any_fill();
  const bool usual = *rc::gen::inRange(0, 4) != 0;
  question.repeats =
      any_spelled_operand(usual ? Shape{*rc::gen::inRange<std::int64_t>(0, 6)} : any_shape(3, 2));
  while (call_form(question.definition) == CallForm::repeats_attribute &&
         question.repeats.type() != ElementType::i64)
    question.repeats = any_spelled_operand({3});
  if (has_axis(question.definition)) question.axis = any_spelled_operand(any_shape(1, 2));
  question.placement = any_placement(question.data.type());
  return question;
}

RC_GTEST_PROP(CaseLiteralProperty, EveryCaseReadsBackAsItself, ()) {
  for (std::size_t each = 0; each < cases_per_run; ++each) {
    const Case question = any_case();
    const std::string literal = to_string(question);
    const Result<Case> read = parse_case(literal);
    if (!read) RC_FAIL(literal + ": " + read.error().what);
    if (*read != question) RC_FAIL(literal + " reads as another case");
    if (to_string(*read) != literal) RC_FAIL(literal + " is printed as " + to_string(*read));
  }
}

// Returns the literal with characters removed, doubled or replaced by any byte, so that it may be malformed.
std::string damaged(std::string literal) {
  const int times = *rc::gen::inRange(1, 4);
  for (int time = 0; time < times && !literal.empty(); ++time) {
    const auto at = *rc::gen::inRange<std::size_t>(0, literal.size());
    const auto byte = static_cast<char>(*rc::gen::inRange(0, 256));
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        literal.erase(at, 1);
        break;
      case 1:
        literal.insert(at, 1, literal[at]);
        break;
      case 2:
        literal[at] = byte;
        break;
      default:
        literal.resize(at);
        break;
    }
  }
  return literal;
}

RC_GTEST_PROP(CaseLiteralProperty, WhateverIsReadPrintsAsItsOwnFixpoint, ()) {
  for (std::size_t each = 0; each < cases_per_run / 4; ++each) {
    const std::string text = damaged(to_string(any_case()));
    const Result<Case> read = parse_case(text);
    if (!read) {
      if (!read.error().what.starts_with("column ")) RC_FAIL(text + ": " + read.error().what);
      continue;
    }
    const Result<Case> again = parse_case(to_string(*read));
    if (!again || *again != *read) RC_FAIL(text + " reads as " + to_string(*read));
  }
}

RC_GTEST_PROP(CaseLiteralProperty, NoBytesAtAllAreTooMuch, (const std::string& bytes)) {
  RC_ASSERT(!parse_case(bytes));
  RC_ASSERT(!parse_corpus_line("openvino-tile-1 " + bytes));
  RC_ASSERT(!parse_case("openvino-tile-1 string{\"" + bytes));
}

}  // namespace
}  // namespace certile
