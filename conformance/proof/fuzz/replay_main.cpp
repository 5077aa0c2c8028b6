// Passes every file of a folder to the target of that folder's name, so that earlier findings stay fixed with
// any compiler.   REPLAY FOLDER...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/proof/fuzz/fuzz_target.hpp"

int main(int argument_count, char** arguments) {
  std::size_t files = 0;
  for (int index = 1; index < argument_count; ++index) {
    const std::filesystem::path folder(arguments[index]);
    const certile::conformance::FuzzTarget& target =
        certile::conformance::fuzz_target(folder.filename().string());
    std::vector<std::filesystem::path> paths{std::filesystem::directory_iterator(folder), {}};
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
      std::ifstream file(path, std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(file), {}};
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);  // so that the last line names the file that ended the program
      target.take(std::as_bytes(std::span(content)));
      ++files;
    }
  }
  std::printf("%zu files\n", files);
  return files == 0 ? 1 : 0;
}
