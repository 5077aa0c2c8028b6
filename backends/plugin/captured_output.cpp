#include "backends/plugin/captured_output.hpp"

#include <algorithm>
#include <cstring>

namespace certile::backends {

void CapturedOutput::clear() noexcept {
  head_used_ = tail_used_ = 0;
  left_out_ = 0;
}

void CapturedOutput::append(std::span<const char> text) noexcept {
  total_ += text.size();
  const std::size_t head_used = std::min<std::size_t>(head_used_, half);
  const auto first = text.first(std::min(text.size(), half - head_used));
  std::ranges::copy(first, head_.begin() + static_cast<std::ptrdiff_t>(head_used));
  head_used_ = static_cast<std::uint32_t>(head_used + first.size());
  auto rest = text.subspan(first.size());
  if (rest.size() > half) {
    left_out_ += rest.size() - half;
    rest = rest.last(half);
  }
  const std::size_t tail_used = std::min<std::size_t>(tail_used_, half);
  const std::size_t kept = std::min(tail_used, half - rest.size());
  left_out_ += tail_used - kept;
  std::memmove(tail_.data(), tail_.data() + tail_used - kept, kept);
  std::ranges::copy(rest, tail_.begin() + static_cast<std::ptrdiff_t>(kept));
  tail_used_ = static_cast<std::uint32_t>(kept + rest.size());
}

std::string CapturedOutput::text() const {
  std::string_view head(head_.data(), std::min<std::size_t>(head_used_, half));
  std::string_view tail(tail_.data(), std::min<std::size_t>(tail_used_, half));
  if (left_out_ == 0) return std::string(head).append(tail);
  std::uint64_t left_out = left_out_;
  if (const std::size_t end = head.rfind('\n'); end != head.npos) {
    left_out += head.size() - end - 1;
    head = head.substr(0, end);
  }
  if (const std::size_t end = tail.find('\n'); end != tail.npos && end + 1 < tail.size()) {
    left_out += end + 1;
    tail.remove_prefix(end + 1);
  }
  return std::string(head) + "\n… " + std::to_string(left_out) + " bytes are left out here …\n" +
         std::string(tail);
}

std::string printed_words(std::string_view printed) {
  const auto is_blank = [](char each) { return each == '\n' || each == '\r' || each == ' '; };
  while (!printed.empty() && is_blank(printed.back()))
    printed.remove_suffix(1);
  if (printed.empty()) return {};
  if (printed.find('\n') == printed.npos) return "it printed: " + std::string(printed);
  std::string words = "it printed:";
  for (std::size_t start = 0; start <= printed.size();) {
    const std::size_t end = std::min(printed.find('\n', start), printed.size());
    words.append("\n  ").append(printed.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace certile::backends
