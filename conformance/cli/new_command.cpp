#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/suggestion.hpp"
#include "conformance/text/terminal.hpp"
#include "reference/values/embedded.hpp"

namespace certile::conformance {

// Returns the files of all starters as LANGUAGE/PATH, embedded by cmake/CertileStarters.cmake.
std::span<const EmbeddedFile> embedded_starters();

namespace {

namespace files = std::filesystem;

std::string_view language_of(const EmbeddedFile& file) {
  return file.name.substr(0, file.name.find('/'));
}

// Returns one sentence if the starter cannot be written to the folder; else nothing.
std::string obstacle(const files::path& folder) {
  std::error_code problem;
  const files::file_status status = files::status(folder, problem);
  if (!files::exists(status)) return {};
  if (!files::is_directory(status)) return "exists and is no folder; name a new one";
  if (files::is_empty(folder, problem)) return {};
  return problem ? "cannot be read: " + problem.message() : "exists and is not empty; name a new folder";
}

// Writes one file, and creates the folders above it.
Result<Done> write_below(const files::path& folder, std::string_view path, std::string_view text) {
  const files::path target = folder / path;
  std::error_code problem;
  files::create_directories(target.parent_path(), problem);
  if (problem)
    return Error{Error::Code::io,
                 "cannot create " + target.parent_path().string() + ": " + problem.message()};
  return write_whole_file(target.string(), text);
}

}  // namespace

std::vector<std::string> starter_languages() {
  std::vector<std::string> languages;
  for (const EmbeddedFile& file : embedded_starters())
    if (std::ranges::find(languages, language_of(file)) == languages.end())
      languages.emplace_back(language_of(file));
  return languages;
}

int new_command(const NewOptions& options, std::ostream& out, std::ostream& error) {
  const std::vector<std::string> languages = starter_languages();
  if (std::ranges::find(languages, options.language) == languages.end()) {
    const std::string meant = suggestion(options.language, languages);
    return complain(error, "there is no starter in '" + options.language + "'" + meant +
                               (meant.empty() ? "; there are " : " There are ") + joined(languages, ", ") +
                               "; docs/languages.md shows others");
  }
  if (options.folder.empty()) return complain(error, "the name of the folder is empty; give it one");
  const files::path folder(options.folder);
  if (const std::string why = obstacle(folder); !why.empty())
    return complain(error, options.folder + " " + why);
  for (const EmbeddedFile& file : embedded_starters()) {
    if (language_of(file) != options.language) continue;
    const std::string_view path = file.name.substr(options.language.size() + 1);
    if (const auto written = write_below(folder, path, file.text); !written)
      return complain(error, written.error().what);
    out << "wrote " << printable((folder / path).string()) << '\n';
  }
  out << "next: read README.md there, and run `sh check.sh`, which builds it and certifies it with the "
         "certile on the PATH\n";
  return exit_conformant;
}

}  // namespace certile::conformance
