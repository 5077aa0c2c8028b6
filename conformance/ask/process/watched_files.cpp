#include "conformance/ask/process/watched_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "conformance/text/digest.hpp"

namespace certile::conformance {

bool WatchedFiles::Identity::operator==(const Identity& other) const noexcept {
  return device == other.device && inode == other.inode && size == other.size &&
         modified.tv_sec == other.modified.tv_sec && modified.tv_nsec == other.modified.tv_nsec;
}

std::optional<WatchedFiles::Identity> WatchedFiles::identity_of(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

Result<Part> WatchedFiles::read(const std::string& path, Identity& identity) {
  const auto unreadable = [&](const std::string& why) {
    return Error{Error::Code::io, "cannot read " + path + ": " + why};
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unreadable(std::generic_category().message(errno));
  const auto before = identity_of(descriptor);
  auto digest = before ? sha256_of_descriptor(descriptor, path) : unreadable("it is not a file");
  const auto after = identity_of(descriptor);
  close(descriptor);
  if (!digest) return digest.error();
  if (!after || !(*after == *before)) return unreadable("it changes while it is read");
  identity = *before;
  return Part{path, {}, *std::move(digest)};
}

Result<Part> WatchedFiles::add(const std::string& path) {
  if (const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); descriptor >= 0) {
    const auto identity = identity_of(descriptor);
    close(descriptor);
    const auto known = identity ? std::ranges::find(identities_, *identity) : identities_.end();
    if (known != identities_.end()) return parts_[static_cast<std::size_t>(known - identities_.begin())];
  }
  Identity identity;
  auto part = read(path, identity);
  if (!part) return part.error();
  parts_.push_back(*part);
  identities_.push_back(identity);
  return *part;
}

std::optional<std::string> WatchedFiles::changed() const {
  for (std::size_t index = 0; index < parts_.size(); ++index) {
    Identity now;
    const auto part = read(parts_[index].name, now);
    if (part && now == identities_[index] && part->digest == parts_[index].digest) continue;
    return was_changed(parts_[index].name);
  }
  return std::nullopt;
}

std::string was_changed(const std::string& path) {
  return path +
         " was changed while it was judged, so the result belongs to no file; certify it again once it is "
         "finished";
}

}  // namespace certile::conformance
