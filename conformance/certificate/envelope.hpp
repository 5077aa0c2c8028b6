#pragma once
#include <string>
#include <string_view>

#include "conformance/certificate/key.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A signed statement: a DSSE envelope with the payload type of in-toto and one signature, as one line of JSON
// without spaces.

// Returns the bytes that are signed: DSSE's pre-authentication encoding of a statement.
std::string signed_bytes(std::string_view statement);

// Returns the envelope of a statement.  Error: io if libcrypto cannot sign.
Result<std::string> enveloped(std::string_view statement, const Key& key);

// Returns the statement in an envelope, once its signature is verified.  Error: bad_literal, with the byte at
// which the text is no envelope in the one form, or with the signature that is wrong.
Result<std::string> opened(std::string_view envelope, const Key& key);

// Returns true if a file looks like an envelope, perhaps in another form.
bool looks_like_envelope(std::string_view text);

// Returns the number, from 0, of the first byte in which two texts differ.
std::size_t first_difference(std::string_view left, std::string_view right);

std::string base64(std::string_view bytes);
// Returns the bytes of the one base64 text that encodes them.  Error: bad_literal.
Result<std::string> from_base64(std::string_view text);

}  // namespace certile::conformance
