#include "conformance/page/template.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <span>

#include "reference/values/embedded.hpp"

namespace certile::conformance {

// The files of this folder that a page is made of: template.html, then the style, then the program.
std::span<const EmbeddedFile> embedded_page();

namespace {

// Returns the files with this ending, one after the other.
std::string files_with(std::string_view ending) {
  std::string text = "\n";
  for (const EmbeddedFile& file : embedded_page())
    if (file.name.ends_with(ending)) text += file.text;
  return text;
}

// Returns the word by which a policy allows a text in the page.
std::string policy_word(const std::string& text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  constexpr std::size_t base64_size = (digest.size() + 2) / 3 * 4;
  std::array<unsigned char, base64_size + 1> word{};
  EVP_EncodeBlock(word.data(), digest.data(), static_cast<int>(digest.size()));
  return "'sha256-" + std::string(reinterpret_cast<const char*>(word.data()), base64_size) + "'";
}

// Returns JSON that contains no character of markup.  Outside strings JSON has none of these characters.
std::string without_markup(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char character : json)
    switch (character) {
      case '<':
        out += R"(\u003c)";
        break;
      case '>':
        out += R"(\u003e)";
        break;
      case '&':
        out += R"(\u0026)";
        break;
      default:
        out += character;
    }
  return out;
}

}  // namespace

std::string page_with(std::string_view json) {
  const std::string style = files_with(".css"), script = files_with(".js");
  const std::string_view form = embedded_page().front().text;
  std::string page;
  page.reserve(form.size() + style.size() + script.size() + json.size() * 2);
  // A mark is a name between two signs @.
  for (std::size_t at = 0; at < form.size();) {
    const std::size_t mark = form.find('@', at);
    page += form.substr(at, mark - at);
    if (mark == form.npos) break;
    const std::size_t end = form.find('@', mark + 1);
    const std::string_view name = form.substr(mark + 1, end - mark - 1);
    if (name == "STYLE") page += style;
    if (name == "SCRIPT") page += script;
    if (name == "STYLE_POLICY") page += policy_word(style);
    if (name == "SCRIPT_POLICY") page += policy_word(script);
    if (name == "DATA") page += without_markup(json);
    at = end + 1;
  }
  return page;
}

}  // namespace certile::conformance
