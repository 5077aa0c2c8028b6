#include "conformance/proof/self_test/mutant_folder.hpp"

#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/proof/self_test/hostile.hpp"
#include "conformance/proof/self_test/roster.hpp"

namespace certile::conformance {
namespace {

namespace files = std::filesystem;

// Makes FOLDER/ID.so for each row of the table.
template <class Rows>
void link_each(const files::path& folder, const files::path& library, const Rows& rows,
               std::error_code& failed) {
  for (const auto& row : rows)
    if (!failed) files::create_symlink(library, folder / (std::string(row.id) + ".so"), failed);
}

}  // namespace

Result<MutantFolder> MutantFolder::find(const std::string& chosen) {
  std::error_code none;
  std::vector<files::path> places{chosen};
  if (chosen.empty()) {
    const files::path program = files::read_symlink("/proc/self/exe", none).parent_path();
    places = {program / "../mutants", program / "../lib/certile/mutants"};
  }
  for (const files::path& place : places) {
    if (!files::exists(place / "M00.so", none)) continue;
    const files::path found = files::weakly_canonical(place, none);
    if (files::exists(found / "M01.so", none)) return MutantFolder(found);
    return linked_to(found);
  }
  return Error{Error::Code::io, "there are no mutants in " + places.front().lexically_normal().string() +
                                    "; ./dev certify builds them, and --mutants names another folder"};
}

Result<MutantFolder> MutantFolder::linked_to(const files::path& installed) {
  std::error_code failed;
  std::string name = (files::temp_directory_path(failed) / "certile-mutants-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return Error{Error::Code::io, "cannot make the folder " + name};
  const files::path folder(name);
  MutantFolder made(folder / "mutants");
  made.temporary_ = folder;
  files::create_directories(made.path_, failed);
  files::create_directories(folder / "hostile", failed);
  link_each(made.path_, installed / "M00.so", all_mutants(), failed);
  link_each(made.path_, installed / "M00.so", all_liars(), failed);
  link_each(made.path_, installed / "M00.so", all_odd(), failed);
  const files::path hostile = installed.parent_path() / "hostile" / "H00.so";
  link_each(folder / "hostile", hostile, all_hostile(), failed);
  for (const char* file : {"M00.so", "wrong_workers.py", "example.py"})
    if (!failed) files::create_symlink(installed / file, made.path_ / file, failed);
  if (failed) return Error{Error::Code::io, "cannot make a link in " + name + ": " + failed.message()};
  return made;
}

MutantFolder::MutantFolder(MutantFolder&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

MutantFolder::~MutantFolder() {
  std::error_code failed;
  if (!temporary_.empty()) files::remove_all(temporary_, failed);
}

}  // namespace certile::conformance
