#include "backends/plugin/library_file.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace certile::backends {
namespace {

constexpr Elf64_Half own_machine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#elif defined(__riscv)
    EM_RISCV;
#else
    EM_NONE;
#endif

std::string machine_name(Elf64_Half machine) {
  constexpr std::array<std::pair<Elf64_Half, std::string_view>, 8> names{{{EM_X86_64, "x86-64"},
                                                                          {EM_386, "32-bit x86"},
                                                                          {EM_AARCH64, "AArch64"},
                                                                          {EM_ARM, "32-bit Arm"},
                                                                          {EM_RISCV, "RISC-V"},
                                                                          {EM_PPC64, "64-bit PowerPC"},
                                                                          {EM_S390, "IBM Z"},
                                                                          {EM_LOONGARCH, "LoongArch"}}};
  for (const auto& [number, name] : names)
    if (number == machine) return std::string(name);
  return "processor number " + std::to_string(machine);
}

// Returns the number of bytes that the file must have, as its headers say; 0 if they cannot be read.
std::uint64_t promised_size(std::ifstream& file, const Elf64_Ehdr& header) {
  constexpr Elf64_Half most_segments = 1024;
  std::uint64_t size = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > most_segments) return 0;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (Elf64_Half index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr segment;
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return size;
    if (segment.p_type == PT_LOAD && segment.p_filesz <= UINT64_MAX - segment.p_offset)
      size = std::max(size, segment.p_offset + segment.p_filesz);
  }
  return size;
}

}  // namespace

std::optional<std::string> unloadable_because(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
  file.seekg(0);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  // The fields up to the machine are at the same places in both classes.
  const bool is_known = own_machine != EM_NONE && header.e_ident[EI_DATA] == ELFDATA2LSB;
  if (is_known && size >= offsetof(Elf64_Ehdr, e_version) && header.e_machine != own_machine)
    return "it is built for " + machine_name(header.e_machine) + ", and this certile for " +
           machine_name(own_machine);
  if (size > EI_CLASS && header.e_ident[EI_CLASS] != ELFCLASS64) return std::nullopt;
  if (size >= sizeof header && header.e_type == ET_REL)
    return "it is an object file; link it with -shared into a shared library";
  const std::uint64_t promised = size < sizeof header ? sizeof header : promised_size(file, header);
  if (size < promised)
    return "it is cut short: it has " + std::to_string(size) + " of at least " + std::to_string(promised) +
           " bytes; copy or build it again";
  return std::nullopt;
}

bool is_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header.e_type == ET_EXEC || header.e_ident[EI_CLASS] != ELFCLASS64) return header.e_type == ET_EXEC;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  Elf64_Phdr segment;
  for (Elf64_Half index = 0; index < header.e_phnum; ++index)
    if (file.read(reinterpret_cast<char*>(&segment), sizeof segment) && segment.p_type == PT_INTERP)
      return true;
  return false;
}

}  // namespace certile::backends
