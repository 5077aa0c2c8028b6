#include "backends/plugin/library_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

#include "backends/registry/registry.hpp"

namespace certile::backends {
namespace {

// Returns the bytes of a shared library of this machine.
std::string library() {
  std::ifstream file(CERTILE_PLUGINS "/libexample.so", std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

std::string written(const std::string& content) {
  const std::string path =
      testing::TempDir() + "certile_library_file_test_" + std::to_string(getpid()) + ".so";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

std::string with_machine(std::string content, Elf64_Half machine) {
  content.replace(offsetof(Elf64_Ehdr, e_machine), sizeof machine,
                  std::string(reinterpret_cast<const char*>(&machine), sizeof machine));
  return content;
}

TEST(LibraryFile, OfThisMachineIsLeftToTheLoader) {
  ASSERT_GT(library().size(), sizeof(Elf64_Ehdr));
  EXPECT_EQ(unloadable_because(written(library())), std::nullopt);
}

TEST(LibraryFile, ThatIsNoProgramIsLeftToTheLoader) {
  for (const char* content : {"", "\177", "\177EL", "text\n", "#!/bin/sh\n"})
    EXPECT_EQ(unloadable_because(written(content)), std::nullopt) << content;
  EXPECT_EQ(unloadable_because("./none.so"), std::nullopt);
  EXPECT_EQ(unloadable_because("."), std::nullopt);
}

TEST(LibraryFile, OfAnotherProcessorNamesBoth) {
#if defined(__x86_64__)
  const std::string path = written(with_machine(library(), EM_AARCH64));
  EXPECT_EQ(unloadable_because(path), "it is built for AArch64, and this certile for x86-64");
  const auto opened = open_backend(path);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().what,
            path + ": this cannot be loaded: it is built for AArch64, and this certile for x86-64");
  EXPECT_EQ(unloadable_because(written(with_machine(library(), 9'999))),
            "it is built for processor number 9999, and this certile for x86-64");
#else
  const std::string path = written(with_machine(library(), EM_X86_64));
  EXPECT_TRUE(unloadable_because(path)->starts_with("it is built for x86-64, and this certile for "));
#endif
}

TEST(LibraryFile, ThatIsCutShortSaysSoAtEveryLength) {
  const std::string whole = library();
  for (const std::size_t size : {std::size_t{4}, std::size_t{20}, sizeof(Elf64_Ehdr),
                                 sizeof(Elf64_Ehdr) + 100, whole.size() / 4, whole.size() / 2}) {
    const auto why = unloadable_because(written(whole.substr(0, size)));
    ASSERT_TRUE(why) << size;
    EXPECT_TRUE(why->starts_with("it is cut short: it has " + std::to_string(size) + " of at least "))
        << *why;
  }
}

TEST(LibraryFile, ThatIsAnObjectFileSaysHowToLinkIt) {
  std::string object = library();
  const Elf64_Half type = ET_REL;
  object.replace(offsetof(Elf64_Ehdr, e_type), sizeof type,
                 std::string(reinterpret_cast<const char*>(&type), sizeof type));
  EXPECT_EQ(unloadable_because(written(object)),
            "it is an object file; link it with -shared into a shared library");
}

}  // namespace
}  // namespace certile::backends
