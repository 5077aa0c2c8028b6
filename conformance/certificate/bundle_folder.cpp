#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "conformance/certificate/bundle.hpp"
#include "conformance/certificate/run_files.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

bool is_of_bundle(const std::string& name) {
  constexpr std::array names{bundled_records, environment_file, plan_file,     waivers_file,
                             repro_file,      statement_file,   envelope_file, manifest_file};
  return std::ranges::any_of(names, [&name](std::string_view each) { return each == name; });
}

// More than a bundle has, so that one of them is no file of a bundle.
constexpr std::size_t most_names = 100;

// Returns the names in a folder, sorted, or as many as it takes to see that it is no bundle; none if it does
// not exist.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (files::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (names.size() < most_names) names.push_back(entry->path().filename().string());
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Error{Error::Code::io, "cannot read " + printable(folder) + ": " + failed.message()};
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::optional<std::string> no_place_for_bundle(const std::string& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error().what;
  for (const std::string& name : *names)
    if (!is_of_bundle(name))
      return printable(folder) + " has a file that is no part of a bundle, " + printable(name) +
             "; name a new or an empty folder";
  return std::nullopt;
}

Result<Done> write_bundle(const std::string& folder, const Bundle& bundle) {
  const auto cannot = [&](const std::error_code& why) {
    return Error{Error::Code::io, "cannot write " + printable(folder) + ": " + why.message()};
  };
  std::error_code failed;
  files::create_directories(folder, failed);
  if (failed) return cannot(failed);
  const auto before = names_in(folder);
  if (!before) return before.error();
  const auto remove = [&](const std::string& name) {
    if (!failed) files::remove(files::path(folder) / name, failed);
  };
  // Without a manifest the folder is no bundle, so what an interruption leaves cannot be taken for one.
  remove(manifest_file);
  for (const std::string& name : *before)
    if (is_of_bundle(name)) remove(name);
  if (failed) return cannot(failed);
  const auto write = [&](const std::string& name) {
    return write_whole_file((files::path(folder) / name).string(), bundle.at(name));
  };
  for (const auto& [name, content] : bundle)
    if (name != manifest_file)
      if (auto written = write(name); !written) return written;
  return write(manifest_file);
}

Result<Bundle> read_bundle(const std::string& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error();
  Bundle bundle;
  for (const std::string& name : *names) {
    // The content of a foreign file does not matter, because its name is wrong.
    const std::size_t most = name == bundled_records ? most_compressed : most_of_a_file;
    auto content = is_of_bundle(name)
                       ? read_regular((files::path(folder) / name).string(), "the bundle's file", most)
                       : Result<std::string>(std::string());
    if (!content) return content.error();
    bundle.emplace(name, *std::move(content));
  }
  return bundle;
}

}  // namespace certile::conformance
