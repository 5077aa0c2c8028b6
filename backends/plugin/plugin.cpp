#include "backends/plugin/plugin.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/plugin/claim.hpp"
#include "backends/plugin/library_file.hpp"

namespace certile::backends {

namespace {

// A host's buffer for a message.  Only the buffer is read back, so the plugin may change the struct around
// it.  Each thread has one, because making another for each call would take longer than a small call.
class Why {
 public:
  static Why& of_this_thread() noexcept {
    static thread_local Why only;
    return only;
  }
  // Returns the buffer with room for that number of bytes, at most the usual one.
  certile_text* text(std::uint32_t room) noexcept {
    text_ = {sizeof(certile_text), room, characters_.data()};
    room_ = room;
    characters_[room] = guard;
    return &text_;
  }
  // [CT-BOUNDS] Returns true if a message ends within the room, its NUL included, and no byte past the room
  // was written.  A message begins at the beginning, so a small room is looked behind only if there is one.
  // Once after text().
  bool is_kept_within() noexcept {
    static constexpr std::array<char, Plugin::usual_room + beyond> untouched{};
    if (std::exchange(characters_[room_], '\0') != guard || characters_[room_ - 1] != '\0') return false;
    const std::size_t from = is_empty() ? Plugin::usual_room : room_;
    return std::memcmp(characters_.data() + from, untouched.data(), characters_.size() - from) == 0;
  }
  std::string message() {
    characters_[room_ - 1] = '\0';
    return characters_.data();
  }
  // Empties a buffer that a message was written to.
  void clear() noexcept { characters_.fill('\0'); }
  bool is_empty() const noexcept { return characters_.front() == '\0'; }

 private:
  static constexpr std::size_t beyond = 64;
  static constexpr char guard = 'G';  // behind the room, where a zero would be no difference
  std::array<char, Plugin::usual_room + beyond> characters_{};
  std::uint32_t room_ = Plugin::usual_room;
  certile_text text_{};
};

// The end of a call of the table's function.
struct Answer {
  Status status;
  std::string message = {};
  bool returned = true;  // false: it threw, or wrote out of bounds
  bool overran = false;  // it wrote a message that does not end within its room
};

// Converts a status number and a message, which may be empty.
Answer answer_of(std::int32_t number, std::string message) {
  const auto status = reported_status(number);
  if (!status)
    return {Status::failed,
            "unknown status " + std::to_string(number) + (message.empty() ? "" : ": " + message)};
  if (message.empty()) {
    message = std::string(name(*status)) + ", without a message";
    std::ranges::replace(message, '_', ' ');
  }
  return {*status, std::move(message)};
}

// Calls a function of a table.  An exception that crosses the table is the backend's failure.
template <class Function>
Answer guarded(Function&& function, std::uint32_t room = Plugin::usual_room) {
  Why& why = Why::of_this_thread();
  std::int32_t status = CERTILE_OK;
  try {
    status = function(why.text(room));
  } catch (const std::exception& error) {
    why.clear();
    return {Status::failed, std::string("an exception crossed the C table: ") + error.what(), false};
  } catch (...) {
    why.clear();
    return {Status::failed, "an exception crossed the C table", false};
  }
  const bool is_kept_within = why.is_kept_within();
  if (status == CERTILE_OK && why.is_empty() && is_kept_within) return {Status::ok};
  std::string message = why.message();
  why.clear();
  if (!is_kept_within)
    return {Status::failed, "it wrote a message that does not end within the room for it", false, true};
  return status == CERTILE_OK ? Answer{Status::ok} : answer_of(status, std::move(message));
}

// Ignores what it throws, because no caller is left to report an exception to.
void destroy(const certile_plugin& table) {
  static_cast<void>(guarded([&table](certile_text*) {
    table.destroy(table.self);
    return std::int32_t{CERTILE_OK};
  }));
}

Error wrong_major(const std::string& origin, std::uint32_t major) {
  return {Error::Code::io, origin + ": the plugin is of ABI major " + std::to_string(major) +
                               ", and this certile speaks " + std::to_string(CERTILE_ABI_MAJOR) +
                               "; rebuild it with this certile's certile_plugin.h"};
}

// A buffer for dimensions that a backend may write; the usual rank needs no allocation.
class Dimensions {
 public:
  static constexpr std::size_t usual = 64;  // as the header promises

  // Makes room that is untouched until the backend writes to it.
  explicit Dimensions(std::size_t capacity) : capacity_(capacity) {
    if (capacity > usual)
      many_.assign(capacity + beyond, untouched);
    else
      few_.fill(untouched);
  }
  // Makes room with a copy of `shape`.
  explicit Dimensions(std::span<const std::int64_t> shape) : capacity_(shape.size()) {
    if (capacity_ > usual) many_.resize(capacity_);
    std::ranges::copy(shape, data());
  }
  std::int64_t* data() noexcept { return many_.empty() ? few_.data() : many_.data(); }
  // [CT-BOUNDS] Returns true if no dimension past the capacity was written.
  bool is_kept_within() noexcept {
    return std::all_of(data() + capacity_, data() + capacity_ + beyond,
                       [](std::int64_t each) { return each == untouched; });
  }

 private:
  // A dimension that stays unwritten shows as one that no definition gives.
  static constexpr std::int64_t untouched = std::numeric_limits<std::int64_t>::min();
  static constexpr std::size_t beyond = 8;
  std::size_t capacity_;
  std::array<std::int64_t, usual + beyond> few_;
  std::vector<std::int64_t> many_;
};

}  // namespace

Result<Plugin> Plugin::open(const std::string& origin, PluginOpen open) {
  certile_plugin filled{};
  filled.struct_size = sizeof filled;
  std::int32_t status = CERTILE_OK;
  const Answer opened = guarded([&](certile_text*) {
    status = open(CERTILE_ABI_MAJOR, CERTILE_ABI_MINOR, &filled);
    return std::int32_t{CERTILE_OK};
  });
  if (opened.status != Status::ok)
    return Error{Error::Code::io,
                 origin + ": while opening, " + opened.message + "; catch it in certile_plugin_open"};
  if (status != CERTILE_OK) {
    if (filled.abi_major != 0 && filled.abi_major != CERTILE_ABI_MAJOR)
      return wrong_major(origin, filled.abi_major);
    return Error{Error::Code::io,
                 origin + ": the plugin refuses to open (" + answer_of(status, "").message + ")"};
  }
  if (filled.abi_major != CERTILE_ABI_MAJOR) return wrong_major(origin, filled.abi_major);

  const certile_plugin table = known_part(filled);
  auto claim = read_claim(table, origin);
  if (!claim) {
    if (table.struct_size >= required_size && table.destroy != nullptr) destroy(table);
    return claim.error();
  }
  return Plugin(table, *std::move(claim));
}

Plugin::Plugin(Plugin&& other) noexcept : table_(other.table_), claim_(std::move(other.claim_)) {
  other.table_.destroy = nullptr;
}

Plugin::~Plugin() {
  if (table_.destroy != nullptr) destroy(table_);
}

Inferred Plugin::infer(const certile_call& call) const {
  if (table_.infer == nullptr) return {Status::unsupported, "the plugin has no shape inference"};
  // The longest rank that any definition gives; at least the rank that the header promises.
  const std::int64_t repeats = call.repeats->rank == 1 ? call.repeats->shape[0] : 0;
  const std::size_t capacity = std::max(
      {Dimensions::usual, static_cast<std::size_t>(call.data->rank), static_cast<std::size_t>(repeats)});
  Dimensions shape(capacity);
  std::int32_t rank = -1;
  Answer answer = guarded([&](certile_text* why) {
    return table_.infer(table_.self, &call, shape.data(), static_cast<std::int32_t>(capacity), &rank, why);
  });
  if (!shape.is_kept_within())
    return {Status::failed, "infer wrote dimensions beyond its room for " + std::to_string(capacity)};
  if (answer.status != Status::ok) return {answer.status, std::move(answer.message)};
  if (rank < 0 || static_cast<std::size_t>(rank) > capacity)
    return {Status::failed, "infer gave the rank " + std::to_string(rank) + ", with room for " +
                                std::to_string(capacity) + " dimensions"};
  return {Status::ok, {}, Shape(shape.data(), shape.data() + rank)};
}

Ran Plugin::run(const certile_call& call, const certile_tensor& out, std::uint32_t room_for_message) const {
  // A copy, because the plugin may change the shape it is given.
  const std::span<const std::int64_t> asked(out.shape, static_cast<std::size_t>(out.rank));
  Dimensions shape(asked);
  certile_tensor taken = out;
  taken.shape = shape.data();
  Answer answer = guarded([&](certile_text* why) { return table_.run(table_.self, &call, &taken, why); },
                          room_for_message);
  Ran ran{answer.status, std::move(answer.message)};
  ran.overran = answer.overran;
  if (!answer.returned) return ran;
  ran.moved = taken.data != out.data || taken.alignment != out.alignment;
  ran.reshaped = taken.rank != out.rank || taken.shape != shape.data() || taken.byte_size != out.byte_size ||
                 !std::ranges::equal(asked, std::span(shape.data(), asked.size()));
  const bool is_readable = taken.shape == shape.data() && taken.rank >= 0 && taken.rank <= out.rank;
  if (ran.reshaped && is_readable) ran.shape = Shape(shape.data(), shape.data() + taken.rank);
  ran.retyped = taken.element_type != out.element_type || taken.element_bits != out.element_bits;
  // [CT-REFUSE] a refusal changes nothing, not even the descriptor
  if (ran.status != Status::ok && ran.changed_descriptor()) {
    ran.status = Status::failed;
    ran.message = "it changed the output's descriptor, and then said: " + ran.message;
  }
  return ran;
}

namespace {

Error failure(const std::string& path, const std::string& what) {
  return {Error::Code::io, path + ": " + what};
}

std::string last_loader_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "no reason given";
}

}  // namespace

Result<Plugin> Plugin::load(std::string_view spelling) {
  const std::string path(spelling);
  struct stat status {};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (!is_there && errno != ENOENT && errno != ENOTDIR)
    return failure(path, std::string("this cannot be reached: ") + std::strerror(errno));
  if (!is_there)
    return failure(
        path,
        "there is no such file; give the path of a shared library, or a name that `certile list` shows");
  if (!S_ISREG(status.st_mode)) return failure(path, "this is not a file; give the path of a shared library");
  if (const auto why = unloadable_because(path)) return failure(path, "this cannot be loaded: " + *why);

  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && is_program(path))
    return failure(path,
                   "this is a program, and not one that links certile's runner; build the kernel as a shared "
                   "library, or link certile::runner and call certile_runner_main in main");
  if (library == nullptr)
    return failure(path, "this cannot be loaded as a shared library (" + last_loader_error() +
                             "); build it with -shared -fPIC, for this machine, with all it needs");
  void* symbol = dlsym(library, "certile_plugin_open");
  if (symbol == nullptr)
    return failure(
        path, "the library does not export certile_plugin_open; define it as certile_plugin.h declares it");
  return open(path, reinterpret_cast<PluginOpen>(symbol));
}

}  // namespace certile::backends
