#include "conformance/text/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace certile::conformance {
namespace {

Error cannot_write(const std::string& path, int reason) {
  const std::string shown = path == "-" ? "standard output" : path;
  return {Error::Code::io, "cannot write " + shown + ": " + std::strerror(reason)};
}

bool is_same_file(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

// Returns true if `path` leads to the file behind standard output, because opening /dev/stdout would empty a
// redirected file.
bool is_standard_output(const std::string& path) {
  if (path == "-") return true;
  struct stat named, standard;
  return stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
         is_same_file(named, standard);
}

// Follows links, so that renaming replaces the file and not the link.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

// Returns nothing for a path that does not exist.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// An unfinished file, removed unless it is renamed, even after an error.
class PartOfAFile {
 public:
  explicit PartOfAFile(std::string path) : path_(std::move(path)) {}
  PartOfAFile(const PartOfAFile&) = delete;
  PartOfAFile& operator=(const PartOfAFile&) = delete;
  ~PartOfAFile() {
    if (!renamed_) unlink(path_.c_str());
  }

  const std::string& path() const { return path_; }
  bool rename_to(const std::string& target) {
    renamed_ = std::rename(path_.c_str(), target.c_str()) == 0;
    return renamed_;
  }

 private:
  std::string path_;
  bool renamed_ = false;
};

Result<Done> lock(int descriptor, const std::string& named) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return Done{};
  return Error{Error::Code::io, "cannot write " + named +
                                    ": another process, perhaps another certile, has locked it; wait for its "
                                    "end, or name another file"};
}

Result<Done> write_file(const std::string& path, const std::string& named, std::string_view bytes) {
  TRY(auto file, OutputFile::open(path, named));
  if (auto done = file.write(bytes); !done) return done;
  return file.sync();
}

// Returns true if write_whole_file makes a new file for `path`, whose target has that status.
bool is_replaced(const std::string& path, const std::optional<struct stat>& status) {
  return !is_standard_output(path) && (!status || S_ISREG(status->st_mode));
}

std::string part_of(const std::string& target) {
  return target + "." + std::to_string(getpid()) + ".part";
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::string& path, const std::string& named) {
  if (is_standard_output(path)) {
    std::cout.flush();
    std::fflush(stdout);
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return cannot_write(named, errno);
    return OutputFile(copy, named);
  }
  OutputFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666), named);
  if (file.descriptor_ < 0) return cannot_write(named, errno);
  struct stat status;
  if (fstat(file.descriptor_, &status) != 0) return cannot_write(named, errno);
  if (!S_ISREG(status.st_mode)) return file;
  // Empties the file only once it is locked, because another certile may be writing it.
  if (auto locked = lock(file.descriptor_, named); !locked) return locked.error();
  if (ftruncate(file.descriptor_, 0) != 0) return cannot_write(named, errno);
  return file;
}

Result<OutputFile> OutputFile::reopen(const std::string& path, std::uint64_t bytes,
                                      const std::function<void(std::string_view)>& on_bytes) {
  OutputFile file(::open(path.c_str(), O_RDWR | O_CLOEXEC), path);
  if (file.descriptor_ < 0) return cannot_write(path, errno);
  if (auto locked = lock(file.descriptor_, path); !locked) return locked.error();
  std::string piece(std::size_t{1} << 16, '\0');
  for (std::uint64_t left = bytes; left > 0;) {
    const ssize_t got = ::read(file.descriptor_, piece.data(), std::min<std::uint64_t>(left, piece.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return cannot_write(path, got < 0 ? errno : EIO);
    on_bytes(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    left -= static_cast<std::uint64_t>(got);
  }
  if (ftruncate(file.descriptor_, static_cast<off_t>(bytes)) != 0) return cannot_write(path, errno);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<Done> OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Result<Done> OutputFile::sync() {
  struct stat status;
  if (fstat(descriptor_, &status) != 0) return cannot_write(path_, errno);
  if (S_ISREG(status.st_mode) && fsync(descriptor_) != 0) return cannot_write(path_, errno);
  return Done{};
}

Result<Done> write_whole_file(const std::string& path, std::string_view bytes) {
  const std::string target = resolved(path);
  const auto status = status_of(target);
  if (!is_replaced(path, status)) return write_file(path, path, bytes);
  PartOfAFile part(part_of(target));
  if (auto done = write_file(part.path(), path, bytes); !done) return done;
  if (status) chmod(part.path().c_str(), status->st_mode & 07777);
  if (!part.rename_to(target)) return cannot_write(path, errno);
  return Done{};
}

Result<Done> check_place(const std::string& path) {
  const std::string target = resolved(path);
  const auto status = status_of(target);
  if (is_standard_output(path)) return Done{};
  if (is_replaced(path, status)) {
    const PartOfAFile part(part_of(target));  // access() does not know what every file system refuses
    const auto file = OutputFile::open(part.path(), path);
    return file ? Result<Done>(Done{}) : file.error();
  }
  if (S_ISDIR(status->st_mode)) return cannot_write(path, EISDIR);
  return access(target.c_str(), W_OK) == 0 ? Result<Done>(Done{}) : cannot_write(path, errno);
}

}  // namespace certile::conformance
