#include "conformance/ask/process/runner_note.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace certile::conformance {
namespace {

constexpr std::string_view owner{"certile\0", 8};
constexpr Elf64_Half most_segments = 1024;
constexpr std::uint64_t most_note_bytes = 1 << 20;  // of a segment's notes

template <class Header>
bool read_at(std::ifstream& file, std::uint64_t place, Header& header) {
  file.seekg(static_cast<std::streamoff>(place));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&header), sizeof header));
}

// Returns the content of certile's note among these notes.
std::optional<std::string> find_note(std::string_view notes) {
  constexpr std::size_t step = 4;
  const auto padded = [](std::size_t size) { return (size + step - 1) / step * step; };
  Elf64_Nhdr note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const std::size_t name_size = padded(note.n_namesz), size = padded(note.n_descsz);
    if (name_size > notes.size() || size > notes.size() - name_size) return std::nullopt;
    if (note.n_type == 1 && notes.substr(0, note.n_namesz) == owner) {
      const std::string_view version = notes.substr(name_size, note.n_descsz);
      return std::string(version.substr(0, version.find('\0')));
    }
    notes.remove_prefix(name_size + size);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> runner_version(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phnum > most_segments)
    return std::nullopt;
  for (Elf64_Half index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + index * sizeof segment, segment)) return std::nullopt;
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_note_bytes) continue;
    std::string notes(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    if (!file.read(notes.data(), static_cast<std::streamsize>(notes.size()))) return std::nullopt;
    if (auto version = find_note(notes)) return version;
  }
  return std::nullopt;
}

}  // namespace certile::conformance
