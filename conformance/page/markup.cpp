#include "conformance/page/markup.hpp"

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

std::string escaped(std::string_view foreign) {
  std::string out;
  for (const char character : printable_lines(foreign))
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += character;
    }
  return out;
}

}  // namespace

Markup& Markup::operator+=(const Markup& other) {
  html_ += other.html_;
  return *this;
}

Markup operator+(Markup left, const Markup& right) {
  return left += right;
}

Markup Markup::own(OwnText html) {
  Markup made;
  made.html_ = html.words;
  return made;
}

Markup Markup::text(std::string_view foreign) {
  Markup made;
  made.html_ = escaped(foreign);
  return made;
}

Markup Markup::prose(std::string_view foreign) {
  Markup made;
  bool is_code = false;
  for (const char character : escaped(foreign))
    if (character != '`')
      made.html_ += character;
    else
      made.html_ += (is_code = !is_code) ? "<code>" : "</code>";
  if (is_code) made.html_ += "</code>";
  return made;
}

Markup Markup::element(OwnText tag, const Markup& content, std::initializer_list<Attribute> attributes) {
  Markup made;
  std::string& html = made.html_;
  html.append("<").append(tag.words);
  for (const Attribute& each : attributes)
    html.append(" ").append(each.name.words).append("=\"").append(escaped(each.value)).append("\"");
  html.append(">").append(content.html_).append("</");
  html.append(tag.words.substr(0, tag.words.find(' '))).append(">");
  return made;
}

Markup Markup::element(OwnText tag, std::string_view foreign, std::initializer_list<Attribute> attributes) {
  return element(tag, text(foreign), attributes);
}

}  // namespace certile::conformance
