#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "reference/values/result.hpp"

struct evp_pkey_st;  // of libcrypto

namespace certile::conformance {

// A key of libcrypto that signs or verifies, in the files that `openssl` reads: PKCS #8 and
// SubjectPublicKeyInfo in PEM, without a password.
class Key {
 public:
  enum class Type { ed25519, p256 };
  // Makes a new private key.  Error: io if libcrypto has no randomness.
  static Result<Key> generate(Type type);
  // Reads a private or a public key.  Errors: io; unsupported for a file without such a key, and for a key of
  // another type than the two.
  static Result<Key> read_private(const std::string& path);
  static Result<Key> read_public(const std::string& path);

  std::string private_pem() const;
  std::string public_pem() const;
  // Returns the SHA-256, in hex, of the public key in DER.
  std::string id() const;

  // Returns the signature: 64 bytes of Ed25519, or DER of ECDSA over SHA-256.
  Result<std::string> sign(std::string_view message) const;
  bool verifies(std::string_view message, std::string_view signature) const;

 private:
  explicit Key(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}
  static Result<Key> read(const std::string& path, bool is_private);

  std::shared_ptr<evp_pkey_st> key_;
};

}  // namespace certile::conformance
