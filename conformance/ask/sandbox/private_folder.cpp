#include "conformance/ask/sandbox/private_folder.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "conformance/ask/sandbox/namespaces.hpp"

namespace certile::conformance {

Result<std::unique_ptr<PrivateFolder>> PrivateFolder::create() {
  std::error_code failed;
  std::filesystem::path place = std::filesystem::temp_directory_path(failed);
  // Mounting follows no links, and the path must name the same folder from every other one.
  if (!failed) place = std::filesystem::canonical(place, failed);
  if (failed) return Error{Error::Code::io, "cannot find a folder for temporary files: " + failed.message()};
  std::string path = place / "certile-sandbox-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    return Error{Error::Code::io, "cannot create " + path + ": " + std::strerror(errno)};
  return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(path)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;  // a backend may have left what this user cannot remove
  std::filesystem::remove_all(path_, ignored);
}

namespace {

namespace fs = std::filesystem;

// The places where files outlive a process, and their folders in a fresh one.
struct Place {
  const char* folder;
  const char* shown;
};
constexpr std::array own_places{Place{"work", "."}, Place{"home", "$HOME"}, Place{"temporary", "$TMPDIR"}};
constexpr std::array common_places{Place{"tmp", "/tmp"}, Place{"var-tmp", "/var/tmp"},
                                   Place{"shm", "/dev/shm"}};

bool has_own_mounts() {
  const bool has_namespace =
      unshare(CLONE_NEWNS) == 0 || make_namespaces(bit(Layer::user) | bit(Layer::mounts));
  return has_namespace && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool bind_to(const fs::path& from, const fs::path& place) {
  return mount(from.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

// Shows the first step below `place` towards a path that is kept, as a whole.
void show(const fs::path& path, const fs::path& place, const fs::path& fresh) {
  const fs::path below = path.lexically_relative(place);
  if (below.empty() || *below.begin() == "..") return;
  const fs::path from = place / *below.begin(), shown = fresh / *below.begin();
  std::error_code failed;
  if (fs::is_directory(from, failed))
    fs::create_directory(shown, failed);
  else
    std::ofstream(shown).close();
  bind_to(from, shown);
}

}  // namespace

void enter_fresh_folder(const std::string& folder, std::span<const std::string> kept) {
  const fs::path fresh(folder);
  std::error_code failed;
  for (const auto& places : {std::span<const Place>(own_places), std::span<const Place>(common_places)})
    for (const Place& place : places)
      fs::create_directory(fresh / place.folder, failed);
  const bool may_mount = has_own_mounts();
  for (const Place& place : common_places) {
    if (!may_mount || !fs::is_directory(place.shown, failed)) continue;
    show(fresh, place.shown, fresh / place.folder);
    for (const std::string& path : kept)
      show(path, place.shown, fresh / place.folder);
    bind_to(fresh / place.folder, place.shown);
  }
  // Whether a variable is set is a surrounding, which others examine.
  if (std::getenv("HOME") != nullptr) setenv("HOME", (fresh / "home").c_str(), 1);
  if (std::getenv("TMPDIR") != nullptr || !may_mount) setenv("TMPDIR", (fresh / "temporary").c_str(), 1);
  fs::current_path(fresh / "work", failed);
}

std::vector<std::string> files_written_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& places : {std::span<const Place>(own_places), std::span<const Place>(common_places)})
    for (const Place& place : places) {
      const fs::path root = fs::path(folder) / place.folder;
      for (auto each = fs::recursive_directory_iterator(root, failed);
           !failed && each != fs::recursive_directory_iterator(); each.increment(failed))
        // An empty file stands for one that is kept.
        if (std::error_code ignored; each->is_regular_file(ignored) && each->file_size(ignored) > 0)
          files.push_back(place.shown + std::string("/") + each->path().lexically_relative(root).string());
    }
  std::ranges::sort(files);
  return files;
}

}  // namespace certile::conformance
