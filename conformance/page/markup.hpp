#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace certile::conformance {

// A text of this program itself: only a literal becomes one, so that no foreign text is taken for markup.
struct OwnText {
  consteval OwnText(const char* literal) : words(literal) {}
  std::string_view words;
};

// An attribute with a value that may be foreign.
struct Attribute {
  OwnText name;
  std::string value;
};

// A piece of HTML, in which every foreign text is escaped.
class Markup {
 public:
  Markup() = default;
  Markup& operator+=(const Markup& other);
  const std::string& html() const noexcept { return html_; }
  bool is_empty() const noexcept { return html_.empty(); }

  // Makes a piece of markup that is spelled in this program: "<br>".
  static Markup own(OwnText html);
  // Makes text of anything: what HTML or a terminal would obey in it is escaped.
  static Markup text(std::string_view foreign);
  // Makes text, with what it has between two ` as code.
  static Markup prose(std::string_view foreign);
  // Makes an element of a tag with its fixed attributes, "p class=note", of attributes, and of a content.
  static Markup element(OwnText tag, const Markup& content, std::initializer_list<Attribute> attributes = {});
  // Makes an element that contains a text.
  static Markup element(OwnText tag, std::string_view foreign,
                        std::initializer_list<Attribute> attributes = {});

 private:
  std::string html_;
};

Markup operator+(Markup left, const Markup& right);

}  // namespace certile::conformance
