#include "property_tests/print.hpp"

#include <cstring>
#include <string>

#include "conformance/judge/expectation.hpp"
#include "conformance/text/digest.hpp"
#include "property_tests/specimen.hpp"
#include "reference/values/packed.hpp"
#include "reference/values/tensor_text.hpp"

namespace certile::property_tests {
namespace {

std::string content_of(const Tensor& tensor) {
  std::string content;
  if (tensor.type() == ElementType::string) {
    for (std::int64_t index = 0; index < tensor.count(); ++index) {
      const std::string_view characters = tensor.string_element(index);
      const std::uint64_t size = characters.size();
      content.append(reinterpret_cast<const char*>(&size), sizeof size);
      content += characters;
    }
    return content;
  }
  content.assign(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  if (is_packed(tensor.type()) && !content.empty()) {
    const auto used = std::to_integer<unsigned>(used_bits_of_last_byte(tensor.type(), tensor.count()));
    content.back() = static_cast<char>(static_cast<unsigned char>(content.back()) & used);
  }
  return content;
}

// Returns the answer of one call, the first of concurrent ones.
std::string answer_to(const Case& question, const conformance::Expectation& expected) {
  if (const auto* refusal = std::get_if<conformance::Reject>(&expected))
    return "reject " + std::string(text_of(refusal->clause));
  if (const auto* open = std::get_if<conformance::Unspecified>(&expected))
    return "unspecified " + std::string(text_of(open->clause));
  const conformance::Answer& answer = std::get<conformance::Answer>(expected);
  std::string shape = shape_to_string(question.data.type(), answer.shape);
  if (answer.tensors.empty()) return shape;
  conformance::Sha256 digest;
  digest.add(content_of(answer.tensors.front()));
  return shape + " " + digest.hex();
}

}  // namespace

Result<Done> print_cases(std::ostream& out, const SearchOptions& options, bool answers) {
  const Specimens specimens(claim_of_everything());
  Random random(options.seed);
  for (int printed = 0; printed < options.cases && out; ++printed) {
    const Case question = specimens.draw(random, printed % (options.max_size + 1)).question;
    out << to_string(question);
    if (answers) {
      const auto expected = conformance::expect(question);
      if (!expected) return expected.error();
      out << '\t' << answer_to(question, *expected);
    }
    out << '\n';
  }
  if (!out.flush()) return Error{Error::Code::io, "the cases could not be written to standard output"};
  return Done{};
}

}  // namespace certile::property_tests
