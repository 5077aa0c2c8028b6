#include "conformance/page/html_report.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <span>

#include "conformance/judge/exercised.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/embedded.hpp"

namespace certile::conformance {

// The files of this folder that a page is made of: template.html, then the style, then the program.
std::span<const EmbeddedFile> embedded_page();

namespace {

// Returns the files with this ending, one after the other.
std::string files_with(std::string_view ending) {
  std::string text = "\n";
  for (const EmbeddedFile& file : embedded_page())
    if (file.name.ends_with(ending)) text += file.text;
  return text;
}

// Returns the word by which a policy allows a text in the page.
std::string policy_word(const std::string& text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  constexpr std::size_t base64_size = (digest.size() + 2) / 3 * 4;
  std::array<unsigned char, base64_size + 1> word{};
  EVP_EncodeBlock(word.data(), digest.data(), static_cast<int>(digest.size()));
  return "'sha256-" + std::string(reinterpret_cast<const char*>(word.data()), base64_size) + "'";
}

// Returns JSON that contains no character of markup.  Outside strings JSON has none of these characters.
std::string without_markup(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char character : json)
    switch (character) {
      case '<':
        out += R"(\u003c)";
        break;
      case '>':
        out += R"(\u003e)";
        break;
      case '&':
        out += R"(\u0026)";
        break;
      default:
        out += character;
    }
  return out;
}

}  // namespace

std::string page_with(std::string_view json) {
  const std::string style = files_with(".css"), script = files_with(".js");
  const std::string_view form = embedded_page().front().text;
  std::string page;
  page.reserve(form.size() + style.size() + script.size() + json.size() * 2);
  // A mark is a name between two signs @.
  for (std::size_t at = 0; at < form.size();) {
    const std::size_t mark = form.find('@', at);
    page += form.substr(at, mark - at);
    if (mark == form.npos) break;
    const std::size_t end = form.find('@', mark + 1);
    const std::string_view name = form.substr(mark + 1, end - mark - 1);
    if (name == "STYLE") page += style;
    if (name == "SCRIPT") page += script;
    if (name == "STYLE_POLICY") page += policy_word(style);
    if (name == "SCRIPT_POLICY") page += policy_word(script);
    if (name == "DATA") page += without_markup(json);
    at = end + 1;
  }
  return page;
}

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
