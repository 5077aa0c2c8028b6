#include "conformance/page/html_report.hpp"

#include "conformance/judge/exercised.hpp"
#include "conformance/page/template.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

// Returns every clause of this program's pages, by which a reader of the page finds those of a run.
Json clauses_json() {
  Json list = Json::array();
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses) {
      Json entry = {{"id", clause.id},
                    {"page", page.name},
                    {"kind", std::string(name(clause.kind))},
                    {"name", clause.name},
                    {"text", clause.text},
                    {"testable", clause.testable},
                    {"without_elements", proven_without_elements(clause.id)}};
      if (!clause.testable) entry["because"] = clause.untestable_because;
      list.push_back(std::move(entry));
    }
  return list;
}

Json names_of_faults() {
  Json names = Json::array();
  for (int fault = 0; fault <= static_cast<int>(Fault::failed); ++fault)
    names.push_back(std::string(name(static_cast<Fault>(fault))));
  return names;
}

Json names_of_verdicts() {
  Json names = Json::array();
  for (int verdict = 0; verdict < verdict_count; ++verdict)
    names.push_back(std::string(name(static_cast<Verdict>(verdict))));
  return names;
}

// Returns what the page draws of a result: the facts of its cases, and of its timings the shares of the
// limit.
Json drawn_part(const Json& benchmark) {
  Json shares = Json::array();
  for (const Json& entry : benchmark.at("benchmarks"))
    if (entry.contains("share_of_limit"))
      shares.push_back(
          {{"family_index", entry.at("family_index")}, {"share_of_limit", entry.at("share_of_limit")}});
  const Json& context = benchmark.at("context");
  return {{"context", {{"date", context.at("date")}, {"certile", context.at("certile")}}},
          {"benchmarks", std::move(shares)}};
}

}  // namespace

void HtmlReport::begin(const RunHeader& header, bool is_earlier) {
  runs_.emplace_back(header, is_earlier);
}

Result<Done> HtmlReport::add_benchmark(const std::string& path) {
  const auto text = read_text(path, "the benchmark");
  if (!text) return Error{text.error().code, printable(text.error().what)};
  try {
    benchmarks_.push_back(drawn_part(foreign_json(*text)));
  } catch (const Json::exception&) {
    return Error{Error::Code::bad_literal, printable(path) + " is no result of certile-bench --json"};
  }
  return Done{};
}

std::string HtmlReport::html() const {
  Json runs = Json::array(), pictures = Json::object();
  for (const PageRun& run : runs_)
    runs.push_back(run.json(pictures));
  const Json data = {{"format", 1},
                     {"certile", CERTILE_VERSION},
                     {"clauses", clauses_json()},
                     {"faults", names_of_faults()},
                     {"verdicts", names_of_verdicts()},
                     {"tables", tables_.json()},
                     {"runs", std::move(runs)},
                     {"pictures", std::move(pictures)},
                     {"benchmarks", benchmarks_}};
  return page_with(dumped(data));
}

Result<Done> HtmlReport::write(const std::string& path) const {
  return write_whole_file(path, html());
}

}  // namespace certile::conformance
