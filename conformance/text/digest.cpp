#include "conformance/text/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

namespace certile::conformance {
namespace {

// Throws if a call of OpenSSL's digests failed, which happens only without memory or without the library.
void require(int status) {
  if (status != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

// A digest in a separate library context, because libcrypto crashes if it could not create the shared one.
struct Algorithm {
  struct Free {
    void operator()(OSSL_LIB_CTX* freed) const { OSSL_LIB_CTX_free(freed); }
    void operator()(EVP_MD* freed) const { EVP_MD_free(freed); }
  };
  std::unique_ptr<OSSL_LIB_CTX, Free> library{OSSL_LIB_CTX_new()};
  std::unique_ptr<EVP_MD, Free> sha256;

  Algorithm() {
    if (library) sha256.reset(EVP_MD_fetch(library.get(), "SHA256", nullptr));
    if (!sha256) throw std::bad_alloc();
  }
};

Error unreadable(const std::string& path, int reason) {
  return Error{Error::Code::io, "cannot read " + path + ": " + std::generic_category().message(reason)};
}

}  // namespace

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* freed) const { EVP_MD_CTX_free(freed); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (!state_->context) throw std::bad_alloc();  // libcrypto would accept it as a context
  static const Algorithm algorithm;
  require(EVP_DigestInit_ex(state_->context.get(), algorithm.sha256.get(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::hex_so_far() const {
  Sha256 copy;
  require(EVP_MD_CTX_copy_ex(copy.state_->context.get(), state_->context.get()));
  return copy.hex();
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t index = 0; index < size; ++index) {
    text += digits[digest[index] >> 4];
    text += digits[digest[index] & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

Result<std::string> sha256_of_descriptor(int descriptor, const std::string& named) {
  Sha256 digest;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t size = read(descriptor, piece.data(), piece.size());
    if (size == 0) return digest.hex();
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return unreadable(named, errno);
    digest.add({piece.data(), static_cast<std::size_t>(size)});
  }
}

}  // namespace certile::conformance
