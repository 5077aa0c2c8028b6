#include "conformance/ask/sandbox/file_rules.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "conformance/ask/sandbox/layers.hpp"

namespace certile::conformance {
namespace {

// The kernel's structure, with the fields that were added after the oldest header that certile is built with.
struct RulesetFields {
  std::uint64_t files = 0, network = 0, scopes = 0;
};
constexpr std::uint64_t truncate = 1ULL << 14, device_control = 1ULL << 15;
constexpr std::uint64_t bind_tcp = 1ULL << 0, connect_tcp = 1ULL << 1;
constexpr std::uint64_t scope_abstract_socket = 1ULL << 0, scope_signal = 1ULL << 1;

// The first versions of Landlock that have them.
constexpr long has_renaming = 2, has_truncate = 3, has_tcp = 4, has_device_control = 5, has_scopes = 6;

constexpr std::uint64_t to_files = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t to_folders =
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

Result<RulesetFields> fields_for(Layers layers) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return error_of("the kernel has no Landlock");
  RulesetFields fields;
  long needed = 1;
  const auto need = [&](long first) { needed = first > needed ? first : needed; };
  if (has(layers, Layer::files)) {
    fields.files |= to_files | to_folders;
    if (version >= has_renaming) fields.files |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= has_device_control) fields.files |= device_control;
  }
  if (has(layers, Layer::lengths)) {
    fields.files |= truncate;
    need(has_truncate);
  }
  if (has(layers, Layer::tcp)) {
    fields.network |= bind_tcp | connect_tcp;
    need(has_tcp);
  }
  if (has(layers, Layer::signals)) {
    fields.scopes |= scope_abstract_socket | scope_signal;
    need(has_scopes);
  }
  if (version < needed)
    return Error{Error::Code::io, "the kernel's Landlock has version " + std::to_string(version) +
                                      ", and this needs " + std::to_string(needed)};
  return fields;
}

// Allows these accesses to a path and all beneath; a path that does not exist needs no rule.
Result<Done> allow(int ruleset, const char* path, std::uint64_t accesses) {
  const int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0 && errno == ENOENT) return Done{};
  if (place < 0) return error_of(path);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = accesses;
  rule.parent_fd = place;
  const bool added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(place);
  return added ? Result<Done>(Done{}) : error_of(path);
}

Result<Done> fill(int ruleset, const RulesetFields& fields, const std::string& folder) {
  if (fields.files == 0) return Done{};
  if (auto allowed = allow(ruleset, folder.c_str(), fields.files); !allowed) return allowed;
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    if (auto allowed = allow(ruleset, device, fields.files & (to_files | truncate | device_control));
        !allowed)
      return allowed;
  return Done{};
}

// Returns the size of the structure up to its last field with a value, because older kernels know no others.
std::size_t size_of(const RulesetFields& fields) {
  if (fields.scopes != 0) return sizeof fields;
  return (fields.network != 0 ? 2 : 1) * sizeof fields.files;
}

}  // namespace

Result<Done> rule_files(Layers layers, const std::string& folder) {
  const auto fields = fields_for(layers);
  if (!fields) return fields.error();
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &*fields, size_of(*fields), 0));
  if (ruleset < 0) return error_of("landlock_create_ruleset");
  Result<Done> done = fill(ruleset, *fields, folder);
  if (done && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) done = error_of("landlock_restrict_self");
  close(ruleset);
  return done;
}

}  // namespace certile::conformance
