// Tests that each layer of the sandbox alone stops a plugin that tries, which succeeds without the layer.
#include "conformance/ask/sandbox/sandbox.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ask/process/written_paths.hpp"
#include "conformance/ask/rig/closed_memory.hpp"
#include "conformance/testing/asked_backend_test.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

// Returns the layers of this machine; none in an emulator, or where a race detector has a thread in each
// process, because no process with several threads can enter a user namespace.
const SandboxFound& found() {
  const auto find = [] {
    return emulator_words().empty() && !has_race_detector() ? *find_sandbox() : SandboxFound{};
  };
  static const SandboxFound once = find();
  return once;
}

// The things that the plugin tries to reach: a file, a process, sockets and memory of this process.
class World {
 public:
  World()
      : file_(temporary_path(".txt")),
        folder_(temporary_path("")),
        name_("certile-" + std::to_string(getpid())) {
    std::ofstream(file_) << "mine";
    std::filesystem::permissions(file_, std::filesystem::perms(0600));
    std::filesystem::create_directory(folder_);
    process_ = fork();
    if (process_ == 0) {
      open_own_memory_alone();  // with more rights than the plugin it could not be traced anyway
      for (;;)
        pause();
    }
    tcp_ = listening(SOCK_STREAM, tcp_port_);
    udp_ = listening(SOCK_DGRAM, udp_port_);
    abstract_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un here{};
    here.sun_family = AF_UNIX;
    std::memcpy(here.sun_path + 1, name_.data(), name_.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
    EXPECT_EQ(bind(abstract_, reinterpret_cast<sockaddr*>(&here), size), 0);
    listen(abstract_, 8);
    memory_ = shmget(key_, 4096, IPC_CREAT | 0600);
  }
  ~World() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    for (const int each : {tcp_, udp_, abstract_})
      close(each);
    shmctl(memory_, IPC_RMID, nullptr);
    std::filesystem::remove(file_);
    std::filesystem::remove(folder_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const std::string& file() const { return file_; }
  // Returns what an act aims at.
  std::string target(const std::string& act) const {
    if (act == "connect-tcp") return std::to_string(tcp_port_);
    if (act == "send-udp") return std::to_string(udp_port_);
    if (act == "connect-abstract") return name_;
    if (act == "trace" || act == "signal" || act == "read-environment") return std::to_string(process_);
    // Another name of the same file.
    if (act == "write-through-process") return "/proc/" + std::to_string(process_) + "/root" + file_;
    if (act == "mount") return folder_;
    if (act == "shared-memory") return std::to_string(key_);
    return file_;
  }

 private:
  static int listening(int type, int& port) {
    const int made = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    EXPECT_EQ(bind(made, reinterpret_cast<sockaddr*>(&here), size), 0);
    if (type == SOCK_STREAM) listen(made, 8);
    getsockname(made, reinterpret_cast<sockaddr*>(&here), &size);
    port = ntohs(here.sin_port);
    return made;
  }

  std::string file_, folder_, name_;
  pid_t process_ = -1;
  int tcp_ = -1, udp_ = -1, abstract_ = -1, tcp_port_ = 0, udp_port_ = 0, memory_ = -1;
  key_t key_ = 0x63000000 + getpid();
};

// Returns what the plugin says of its act: nothing if it could not do it, and answered rightly.
std::string said(const World& world, const std::string& act, Layers layers) {
  IsolateOptions options = isolate_options(test_plugin("reaches_out"));
  options.environment = {"ACT=" + act, "TARGET=" + world.target(act)};
  if (layers != 0) options.sandbox = SandboxFound{layers, {}};
  AskedBackend asked(options);
  const RawAnswer answer = asked.ask(the_case);
  if (AskedBackend::is_right(answer, the_case)) return {};
  return answer.reply ? answer.reply->runs[0].message : "its process ended";
}

TEST(Sandbox, TellsWhichFilesWereWrittenAndWhichItRefused) {
  if (!std::string_view(CERTILE_SANITIZE).empty()) GTEST_SKIP() << "sanitizers have their own functions";
  if (!has(found().layers, Layer::files)) GTEST_SKIP() << "there is no sandbox";
  const World world;
  IsolateOptions options = isolate_options(test_plugin("reaches_out"));
  options.environment = {"ACT=write-file", "TARGET=" + world.target("write-file")};
  const auto words_of_run = [&options](bool refused) {
    WrittenPaths written;
    options.written = &written;
    AskedBackend(options).ask(the_case);
    return written.in_words(refused);
  };
  EXPECT_EQ(words_of_run(false), world.target("write-file"));
  EXPECT_EQ(words_of_run(true), "");
  options.sandbox = found();
  EXPECT_EQ(words_of_run(false), "");
  EXPECT_EQ(words_of_run(true), world.target("write-file"));
  options.environment[0] = "ACT=write-large-file";
  EXPECT_EQ(words_of_run(false).substr(0, 20), "$HOME/certile-large-");
}

// Returns true if this machine refuses the act to this user without any sandbox, as a container does.
bool is_refused_anyway(const World& world, const std::string& act) {
  if (act != "mount" && act != "namespace") return false;
  const std::string folder = world.target("mount");
  const pid_t child = fork();
  if (child == 0 && act == "namespace") _exit(unshare(CLONE_NEWUSER) != 0);
  if (child == 0)
    _exit(mount("mine", folder.c_str(), "tmpfs", 0, nullptr) != 0 || umount(folder.c_str()) != 0);
  int status = 0;
  return waitpid(child, &status, 0) != child || status != 0;
}

struct Attempt {
  const char* act;
  Layer layer;

  // Prints the attempt in the names of tests.
  friend void PrintTo(const Attempt& attempt, std::ostream* out) {
    *out << attempt.act << " stopped by: " << words_of(attempt.layer);
  }
};

class SandboxLayer : public testing::TestWithParam<Attempt> {};

TEST_P(SandboxLayer, StopsAPluginByThisLayerAlone) {
  const auto& [act, layer] = GetParam();
  for (const auto& refused : found().refused)
    if (refused.layer == layer) GTEST_SKIP() << "not in force on this machine: " << words_of(refused);
  if (!has(found().layers, layer)) GTEST_SKIP() << "there is no sandbox";
  const World world;
  if (is_refused_anyway(world, act)) GTEST_SKIP() << "refused to this user without a sandbox";
  Layers layers = bit(layer);
  if (layer == Layer::processes) layers |= bit(Layer::mounts);
  if (layer == Layer::number) layers |= bit(Layer::processes) | bit(Layer::mounts);
  if (layer < Layer::sizes && has(found().layers, Layer::user)) layers |= bit(Layer::user);
  EXPECT_EQ(said(world, act, layers), "");
  EXPECT_EQ(file_content(world.file()), "mine");
  EXPECT_EQ(said(world, act, 0), "it did " + std::string(act));
}

// What each layer stops by itself.
constexpr Attempt attempts[]{{"mount", Layer::user},
                             {"write-file", Layer::mounts},
                             {"change-mode", Layer::mounts},
                             {"remove", Layer::mounts},
                             {"truncate", Layer::mounts},
                             {"signal", Layer::processes},
                             {"read-environment", Layer::processes},
                             {"trace", Layer::processes},
                             {"shared-memory", Layer::messages},
                             {"connect-tcp", Layer::network},
                             {"send-udp", Layer::network},
                             {"connect-abstract", Layer::network},
                             {"fork-many", Layer::number},
                             {"write-large-file", Layer::sizes},
                             {"mount", Layer::rights},
                             {"write-file", Layer::files},
                             {"write-through-process", Layer::files},
                             {"remove", Layer::files},
                             {"trace", Layer::files},
                             {"truncate", Layer::lengths},
                             {"connect-tcp", Layer::tcp},
                             {"signal", Layer::signals},
                             {"connect-abstract", Layer::signals},
                             {"connect-tcp", Layer::calls},
                             {"send-udp", Layer::calls},
                             {"connect-abstract", Layer::calls},
                             {"trace", Layer::calls},
                             {"mount", Layer::calls},
                             {"namespace", Layer::calls}};

INSTANTIATE_TEST_SUITE_P(Layers, SandboxLayer, testing::ValuesIn(attempts), [](const auto& each) {
  std::string name = std::string(each.param.act) + "_" + std::to_string(static_cast<int>(each.param.layer));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Sandbox, StopsTogetherWhatEachLayerInForceStops) {
  if (found().layers == 0) GTEST_SKIP() << "there is no sandbox";
  const World world;
  std::set<std::string_view> acts;
  // Landlock forbids it to all but those whom the kernel lets watch the whole machine.
  if (has(found().layers, Layer::files) && has(found().layers, Layer::rights))
    acts.insert("read-environment");
  for (const auto& [act, layer] : attempts)
    if (has(found().layers, layer)) acts.insert(act);
  for (const std::string_view act : acts)
    EXPECT_EQ(said(world, std::string(act), found().layers), "") << act;
  EXPECT_EQ(file_content(world.file()), "mine");
}

TEST(Sandbox, ChangesNoAnswer) {
  const std::vector<std::string> literals{"onnx-tile-13 f32[2,3] x i64{2,2}",
                                          "onnx-tile-13 string[3] x i64{2}", "onnx-tile-13 u8[2] x i64{-1}",
                                          the_case};
  for (const std::string& backend :
       {std::string("scalar"), std::string("openmp"), example_plugin("libexample")}) {
    IsolateOptions options = isolate_options(backend);
    options.sandbox = found();
    AskedBackend asked(options);
    const auto answers = asked.ask(literals);
    for (std::size_t index = 0; index < literals.size(); ++index)
      EXPECT_TRUE(AskedBackend::is_right(answers[index], literals[index]))
          << backend << ": " << literals[index];
  }
}

TEST(Sandbox, SurvivesACrashAndStartsAnother) {
  IsolateOptions options = isolate_options(test_plugin("kills_parent"));
  options.time_limit =
      limit_of_hangs;  // for a host that cannot be killed, and a backend that waits for its end
  options.sandbox = found();
  AskedBackend asked(options);
  EXPECT_FALSE(AskedBackend::is_right(asked.ask(the_case), the_case));
  const std::string next = "onnx-tile-13 u8[2] x i64{2}";
  EXPECT_TRUE(AskedBackend::is_right(asked.ask(next), next));
}

// Returns the spelling of a worker that first does this, whether it can or not.
std::string worker_after(const std::string& deed) {
  return "worker:" + deed + "; exec '" CERTILE_PYTHON "' '" CERTILE_WORKERS "/example.py'";
}

TEST(Sandbox, HoldsWorkers) {
  const World world;
  const std::string literal = "openvino-tile-1 f32[2,3] x i64{2,2}";
  const std::string tcp = "'" CERTILE_PYTHON
                          "' -c 'import socket; socket.create_connection((\"127.0.0.1\", " +
                          world.target("connect-tcp") + "))' && echo reached > '" + world.file() + "'";
  const std::string deed =
      "echo reached > '" + world.file() + "'; kill -9 " + world.target("signal") + "; " + tcp;
  IsolateOptions options = isolate_options(worker_after(deed));
  options.sandbox = found();
  {
    AskedBackend asked(options);
    EXPECT_TRUE(AskedBackend::is_right(asked.ask(literal), literal));
    ASSERT_TRUE(asked.asker().restart());
    EXPECT_TRUE(AskedBackend::is_right(asked.ask(literal), literal));
  }
  if (has(found().layers, Layer::files)) {
    EXPECT_EQ(file_content(world.file()), "mine");
  }
  if (has(found().layers, Layer::signals)) {
    EXPECT_EQ(waitpid(std::stoi(world.target("signal")), nullptr, WNOHANG), 0);
  }
  options.sandbox.reset();
  AskedBackend asked(options);
  EXPECT_TRUE(AskedBackend::is_right(asked.ask(literal), literal));
  EXPECT_EQ(file_content(world.file()), "reached\n");
}

TEST(Sandbox, TellsHowAWorkerEnded) {
  if (found().layers == 0) GTEST_SKIP() << "there is no sandbox";
  IsolateOptions options = isolate_options("worker:kill -SEGV $$");
  options.sandbox = found();
  const auto asker = open_asker(options);
  ASSERT_FALSE(asker);
  EXPECT_NE(asker.error().what.find("signal 11"), std::string::npos) << asker.error().what;
}

TEST(Sandbox, GivesAPrivateFolderThatIsGoneAfterwards) {
  if (found().layers == 0) GTEST_SKIP() << "there is no sandbox";
  IsolateOptions options = isolate_options(
      worker_after("echo mine > \"$HOME/a\"; cat \"$TMPDIR/a\" >&2; echo \"$HOME\" >&2; exit 3"));
  options.sandbox = found();
  const auto asker = open_asker(options);
  ASSERT_FALSE(asker);
  const std::string& words = asker.error().what;
  EXPECT_NE(words.find("mine"), std::string::npos) << words;
  const std::size_t begin = words.find("/certile-sandbox-");
  ASSERT_NE(begin, std::string::npos) << words;
  const std::string name = words.substr(begin, std::string("/certile-sandbox-XXXXXX").size());
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::temp_directory_path().string() + name));
}

TEST(Sandbox, StatesWhatTheMachineRefuses) {
  if (found().layers == 0) GTEST_SKIP() << "there is no sandbox";
  const SandboxFound& all = found();
  EXPECT_EQ(static_cast<std::size_t>(std::popcount(all.layers)) + all.refused.size(), layer_count);
  for (const auto& refused : all.refused) {
    EXPECT_FALSE(has(all.layers, refused.layer));
    EXPECT_FALSE(refused.why.empty());
  }
}

}  // namespace
}  // namespace certile::conformance
