#include "conformance/certificate/envelope.hpp"

#include <nlohmann/json.hpp>

#include <openssl/evp.h>

#include <algorithm>
#include <optional>

#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

constexpr const char* payload_type = "application/vnd.in-toto+json";

Error wrong(const std::string& why) {
  return {Error::Code::bad_literal, why};
}

struct Envelope {
  std::string payload, key_id, signature;  // the first and the last in base64
};

std::string text_of(const Envelope& envelope) {
  const Json json = {
      {"payload", envelope.payload},
      {"payloadType", payload_type},
      {"signatures", Json::array({{{"keyid", envelope.key_id}, {"sig", envelope.signature}}})}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Reads the fields that the one form has; a text in another form differs from the text of these.
std::optional<Envelope> read_envelope(std::string_view text) try {
  const Json json = foreign_json(text);
  const Json& signatures = json.at("signatures");
  if (!signatures.is_array() || signatures.size() != 1) return std::nullopt;
  const Json& only = signatures.front();
  return Envelope{json.at("payload").get<std::string>(), only.value("keyid", std::string()),
                  only.value("sig", std::string())};
} catch (const Json::exception&) {
  return std::nullopt;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  std::string bytes(3 * (text.size() / 4) + 3, '\0');
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  const auto padding = std::min<std::ptrdiff_t>(std::ranges::count(text, '='), 2);
  if (size < padding) return wrong("no base64");
  bytes.resize(static_cast<std::size_t>(size - padding));
  if (base64(bytes) != text) return wrong("no base64");
  return bytes;
}

std::size_t first_difference(std::string_view left, std::string_view right) {
  return static_cast<std::size_t>(std::ranges::mismatch(left, right).in1 - left.begin());
}

std::string signed_bytes(std::string_view statement) {
  const std::string_view type = payload_type;
  return "DSSEv1 " + std::to_string(type.size()) + " " + std::string(type) + " " +
         std::to_string(statement.size()) + " " + std::string(statement);
}

Result<std::string> enveloped(std::string_view statement, const Key& key) {
  TRY(const auto signature, key.sign(signed_bytes(statement)));
  return text_of({base64(statement), key.id(), base64(signature)});
}

Result<std::string> opened(std::string_view envelope, const Key& key) {
  const auto read = read_envelope(envelope);
  if (!read) return wrong("this is no DSSE envelope with one signature");
  if (const std::string right = text_of(*read); right != envelope)
    return wrong("byte " + std::to_string(first_difference(envelope, right)) +
                 " is not as certile writes it: the envelope has another form");
  const auto statement = from_base64(read->payload), signature = from_base64(read->signature);
  if (!statement || !signature) return wrong("its payload or signature is no base64");
  if (read->key_id != key.id())
    return wrong("it names the key " + printable(read->key_id) + ", and the one given is " + key.id());
  if (!key.verifies(signed_bytes(*statement), *signature))
    return wrong("the signature is not by this key over these bytes");
  return *statement;
}

bool looks_like_envelope(std::string_view text) {
  const Json json = foreign_json(text);
  return json.is_object() && json.contains("payload");
}

}  // namespace certile::conformance
