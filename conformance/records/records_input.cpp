#include "conformance/records/records_input.hpp"

#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// 32 MiB: more than any level of zstd needs without --long.
constexpr int most_window = 25;
constexpr unsigned char zstd_first_byte = 0x28;  // "(", which no line of records begins with

// The bytes that zstd compressed.  An exception of `underflow` becomes the stream's badbit.
class Decompressed final : public std::streambuf {
 public:
  explicit Decompressed(std::istream& compressed) : compressed_(compressed) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, most_window);
  }

 protected:
  int_type underflow() override {
    ZSTD_outBuffer out{plain_.data(), plain_.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !read_more()) {
        if (left_ != 0) throw std::runtime_error("the compressed file is cut");
        return traits_type::eof();
      }
      if (left_ == 0 && has_begun_) throw std::runtime_error("there is more behind the compressed lines");
      has_begun_ = true;
      left_ = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(left_) != 0)
        throw std::runtime_error(std::string("the compressed file is damaged: ") + ZSTD_getErrorName(left_));
    }
    setg(plain_.data(), plain_.data(), plain_.data() + out.pos);
    return traits_type::to_int_type(plain_.front());
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* freed) const { ZSTD_freeDCtx(freed); }
  };

  bool read_more() {
    compressed_.read(input_.data(), static_cast<std::streamsize>(input_.size()));
    in_ = {input_.data(), static_cast<std::size_t>(compressed_.gcount()), 0};
    return in_.size > 0;
  }

  std::istream& compressed_;
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  std::vector<char> input_ = std::vector<char>(ZSTD_DStreamInSize());
  std::vector<char> plain_ = std::vector<char>(ZSTD_DStreamOutSize());
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t left_ = 0;  // 0: at the end of the frame, or before it
  bool has_begun_ = false;
};

// A stream that owns what it reads from.
class DecompressedStream final : public std::istream {
 public:
  DecompressedStream(std::unique_ptr<std::istream> owned, std::istream& compressed)
      : std::istream(nullptr), owned_(std::move(owned)), bytes_(compressed) {
    rdbuf(&bytes_);
  }

 private:
  std::unique_ptr<std::istream> owned_;
  Decompressed bytes_;
};

}  // namespace

std::unique_ptr<std::istream> decompressed(std::istream& compressed) {
  return std::make_unique<DecompressedStream>(nullptr, compressed);
}

Result<std::unique_ptr<std::istream>> open_records(const std::string& path) {
  std::error_code none;
  const bool is_bundle = std::filesystem::is_directory(path, none);
  const std::string read = is_bundle ? (std::filesystem::path(path) / bundled_records).string() : path;
  auto file = std::make_unique<std::ifstream>();
  if (is_bundle) {
    TRY(const auto opened, open_regular(read, "the records"));
    file->open("/proc/self/fd/" + std::to_string(opened.number()), std::ios::binary);
  } else {
    file->open(read, std::ios::binary);
  }
  if (!*file) return Error{Error::Code::io, "cannot read " + printable(read) + ": " + std::strerror(errno)};
  // A pipe cannot be read twice, and its first byte decides.
  if (file->peek() != zstd_first_byte) return std::unique_ptr<std::istream>(std::move(file));
  std::istream& compressed = *file;
  return std::unique_ptr<std::istream>(std::make_unique<DecompressedStream>(std::move(file), compressed));
}

}  // namespace certile::conformance
