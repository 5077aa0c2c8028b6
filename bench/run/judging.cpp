#include "bench/run/judging.hpp"

#include <new>

#include "conformance/run/run_plan.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/second/tile_by_copies.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

Result<std::map<std::string, Opinion>> judge_in_rig(const std::string& program, const std::string& spelling,
                                                    const std::vector<Case>& cases) {
  conformance::Plan plan;
  for (const Case& question : cases)
    plan.cases.push_back(conformance::planned_case(question));
  conformance::RunOptions options;
  options.isolate.program = program;
  options.isolate.spelling = spelling;
  options.interrupted = &conformance::interrupted();
  std::map<std::string, Opinion> opinions;
  const auto ran = conformance::run_plan(plan, options, [&](const conformance::Record& record) {
    opinions[record.literal] = {record.now().verdict,
                                record.now().verdict == Verdict::pass ? "" : first_line(record.now().words)};
    return Result<Done>(Done{});
  });
  if (!ran) return ran.error();
  return opinions;
}

Result<Tensor> large_answer(const Case& question) {
  if (question.data.type() == ElementType::string)
    return Error{Error::Code::unsupported, "so large a string tensor is not judged"};
  try {
    return second::tile_by_copies(question, data_of(question));
  } catch (const std::bad_alloc&) {
    return Error{Error::Code::out_of_memory, "no memory for the answer"};
  }
}

}  // namespace certile::bench
