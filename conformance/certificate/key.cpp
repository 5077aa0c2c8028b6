#include "conformance/certificate/key.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <utility>

#include "conformance/text/digest.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

template <auto function>
struct Free {
  template <class Freed>
  void operator()(Freed* freed) const {
    function(freed);
  }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Memory = std::unique_ptr<BIO, Free<BIO_free_all>>;

bool is_ed25519(const EVP_PKEY* key) {
  return EVP_PKEY_is_a(key, "ED25519") == 1;
}

bool is_p256(const EVP_PKEY* key) {
  std::array<char, 32> group{};
  return EVP_PKEY_is_a(key, "EC") == 1 &&
         EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr) == 1 &&
         std::string_view(group.data()) == "prime256v1";
}

// Returns the digest that is signed: none for Ed25519, which hashes the message itself.
const EVP_MD* digest_for(const EVP_PKEY* key) {
  return is_ed25519(key) ? nullptr : EVP_sha256();
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Returns what was written to the memory.
std::string text_in(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

// Refuses to ask for a password.
int no_password(char*, int, int, void*) {
  return -1;
}

}  // namespace

Result<Key> Key::generate(Type type) {
  KeyPointer key(type == Type::ed25519 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                                       : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  if (!key) return Error{Error::Code::io, "libcrypto cannot make a key"};
  return Key(std::move(key));
}

Result<Key> Key::read_private(const std::string& path) {
  return read(path, true);
}

Result<Key> Key::read_public(const std::string& path) {
  return read(path, false);
}

Result<Key> Key::read(const std::string& path, bool is_private) {
  TRY(const auto text, read_text(path, "the key"));
  const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  KeyPointer key(is_private ? PEM_read_bio_PrivateKey(memory.get(), nullptr, no_password, nullptr)
                            : PEM_read_bio_PUBKEY(memory.get(), nullptr, no_password, nullptr));
  const auto unsupported = [&](const char* why) {
    return Error{Error::Code::unsupported, printable(path) + " " + why};
  };
  if (!key)
    return unsupported(is_private ? "has no private key in PEM without a password"
                                  : "has no public key in PEM");
  if (!is_ed25519(key.get()) && !is_p256(key.get())) return unsupported("is neither Ed25519 nor P-256");
  return Key(std::move(key));
}

std::string Key::private_pem() const {
  const Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return text_in(memory.get());
}

std::string Key::public_pem() const {
  const Memory memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_PUBKEY(memory.get(), key_.get());
  return text_in(memory.get());
}

std::string Key::id() const {
  const Memory memory(BIO_new(BIO_s_mem()));
  i2d_PUBKEY_bio(memory.get(), key_.get());
  return sha256_hex(text_in(memory.get()));
}

Result<std::string> Key::sign(std::string_view message) const {
  EVP_PKEY* key = key_.get();
  const Context context(EVP_MD_CTX_new());
  std::size_t size = 0;
  std::string signature;
  bool done = EVP_DigestSignInit(context.get(), nullptr, digest_for(key), nullptr, key) == 1 &&
              EVP_DigestSign(context.get(), nullptr, &size, bytes_of(message), message.size()) == 1;
  signature.resize(size);
  done = done && EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                                bytes_of(message), message.size()) == 1;
  if (!done) return Error{Error::Code::io, "libcrypto cannot sign with this key"};
  signature.resize(size);
  return signature;
}

bool Key::verifies(std::string_view message, std::string_view signature) const {
  EVP_PKEY* key = key_.get();
  const Context context(EVP_MD_CTX_new());
  return EVP_DigestVerifyInit(context.get(), nullptr, digest_for(key), nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

}  // namespace certile::conformance
