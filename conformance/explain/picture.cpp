#include "conformance/explain/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "conformance/judge/difference.hpp"
#include "conformance/text/printable.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 24;

// Returns true if each dimension of the output is a multiple of the data's, of the same rank.
bool is_whole_copies(const Shape& output, const Shape& data) {
  if (output.size() != data.size()) return false;
  for (std::size_t axis = 0; axis < data.size(); ++axis)
    if (data[axis] == 0 || output[axis] % data[axis] != 0) return false;
  return true;
}

}  // namespace

std::string element_key(const Tensor& tensor, std::int64_t index) {
  if (tensor.type() == ElementType::string) return std::string(tensor.string_element(index));
  const Tensor::Bits there = tensor.element(index);
  std::string key;
  for (int bit = 0; bit < bits(tensor.type()); bit += 8)
    key += static_cast<char>((bit < 64 ? there.low >> bit : there.high >> (bit - 64)) & 0xff);
  return key;
}

std::optional<WrongElements> wrong_elements_of(const Tensor& expected, const Tensor& seen, const Tensor& data,
                                               std::vector<bool> unwritten) {
  Shape shape = data.shape();
  if (shape.size() < expected.shape().size())
    shape.insert(shape.begin(), expected.shape().size() - shape.size(), 1);
  const bool is_comparable = expected.type() == seen.type() && expected.shape() == seen.shape() &&
                             expected.count() > 0 && expected.count() <= most_elements;
  if (!is_comparable || !is_whole_copies(expected.shape(), shape)) return std::nullopt;
  WrongElements found{expected, seen, data.reshaped(std::move(shape)), {}, std::move(unwritten)};
  const bool is_string = expected.type() == ElementType::string;
  for (std::int64_t index = 0; index < found.count(); ++index) {
    const bool is_right = is_string ? expected.string_element(index) == seen.string_element(index)
                                    : expected.element(index) == seen.element(index);
    // An unwritten element may be right by chance.
    if (!is_right || found.is_unwritten(index)) found.wrong.push_back(index);
  }
  if (found.wrong.empty()) return std::nullopt;
  return found;
}

std::deque<PlannedCase> cases_of(const Record& failure) {
  std::vector<std::string> literals = failure.reproduce();
  if (literals.empty()) literals.push_back(failure.literal);
  std::deque<PlannedCase> cases;
  for (const std::string& literal : literals) {
    auto planned = parse_planned_case(literal);
    if (!planned) return {};
    cases.push_back(*std::move(planned));
  }
  return cases;
}

std::optional<Judged> recorded_answer(const Record& failure) {
  if (!failure.judged.output) return std::nullopt;
  const auto question = parse_case(failure.literal);
  if (!question || question->placement.threads > 1 || may_have_a_large_answer(*question)) return std::nullopt;
  auto expected = expect(*question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  LiteralScanner scanner(failure.judged.output->elements);
  const auto seen = take_operand(scanner);
  if (answer == nullptr || answer->tensors.size() != 1 || !seen || seen->bytes().empty()) return std::nullopt;
  std::vector<bool> unwritten(static_cast<std::size_t>(answer->tensors.front().count()));
  for (const std::int64_t index : failure.judged.output->unwritten) {
    if (index < 0 || index >= std::ssize(unwritten)) return std::nullopt;
    unwritten[static_cast<std::size_t>(index)] = true;
  }
  Judged judged;
  judged.question = *question;
  judged.expected = *std::move(expected);
  judged.seen.outcome = Produced{{*seen}};
  judged.seen.unwritten = {std::move(unwritten)};
  return judged;
}

std::optional<WrongElements> recorded_elements(const Record& failure) {
  const auto judged = recorded_answer(failure);
  if (!judged) return std::nullopt;
  return wrong_elements_of(std::get<Answer>(judged->expected).tensors.front(),
                           std::get<Produced>(judged->seen.outcome).outputs.front(),
                           data_of(judged->question), judged->seen.unwritten.front());
}

namespace {

constexpr std::size_t longest_element = 24;

// A range of rows or columns.
struct Window {
  std::int64_t first = 0, count = 0;
};

Window around(std::int64_t centre, std::int64_t all, std::int64_t most) {
  const std::int64_t count = std::min(all, most);
  return {std::clamp<std::int64_t>(centre - count / 2, 0, all - count), count};
}

// The two last axes of an output, at fixed places of the others.
class Slice {
 public:
  explicit Slice(const WrongElements& found) : found_(found), shape_(2, 1), copy_(2, 1) {
    const std::size_t rank = found.shape().size();
    for (std::size_t axis = 0; axis < std::min<std::size_t>(rank, 2); ++axis) {
      shape_[1 - axis] = found.shape()[rank - 1 - axis];
      copy_[1 - axis] = found.data.shape()[rank - 1 - axis];
    }
    start_ = found.wrong.front() / (rows() * columns()) * (rows() * columns());
  }

  std::int64_t rows() const { return shape_[0]; }
  std::int64_t columns() const { return shape_[1]; }
  std::int64_t index(std::int64_t row, std::int64_t column) const {
    return start_ + row * columns() + column;
  }
  std::int64_t first_row() const { return (found_.wrong.front() - start_) / columns(); }
  std::int64_t first_column() const { return (found_.wrong.front() - start_) % columns(); }

  // Returns true if a copy of more than one element ends before this place of an axis.
  bool is_border(int axis, std::int64_t place) const {
    const std::int64_t copy = copy_[static_cast<std::size_t>(axis)];
    return place > 0 && copy > 1 && copy < shape_[static_cast<std::size_t>(axis)] && place % copy == 0;
  }

  // Returns "slice [1,0,:,:]; wrong elements are in 3 of 4 slices"; empty if the output has no other slice.
  std::string title() const {
    const std::int64_t size = rows() * columns(), slices = found_.count() / size;
    if (slices == 1) return {};
    std::set<std::int64_t> wrong;
    for (const std::int64_t at : found_.wrong)
      wrong.insert(at / size);
    std::string places;
    const Shape first = places_of(found_.shape(), found_.wrong.front());
    for (std::size_t axis = 0; axis + 2 < first.size(); ++axis)
      places += std::to_string(first[axis]) + ",";
    return fmt::format("slice [{}:,:]; wrong elements are in {} of {} slices", places,
                       with_thousands(std::ssize(wrong)), with_thousands(slices));
  }

 private:
  const WrongElements& found_;
  Shape shape_, copy_;
  std::int64_t start_;
};

class Drawing {
 public:
  Drawing(const WrongElements& found, const PictureSize& size) : found_(found), slice_(found) {
    rows_ = around(slice_.first_row(), slice_.rows(), static_cast<std::int64_t>(size.rows));
    label_ = std::to_string(rows_.first + rows_.count - 1).size();
    const std::size_t both = margin.size() + 2 * (label_ + 1) + gap.size();
    const std::size_t room = size.width > both ? (size.width - both) / 2 : 0;
    constexpr std::size_t narrowest = 3;  // a character, its mark, and a space or border
    columns_ = around(slice_.first_column(), slice_.columns(), static_cast<std::int64_t>(room / narrowest));
    widen();
    columns_ = around(slice_.first_column(), slice_.columns(), static_cast<std::int64_t>(room / (cell_ + 2)));
  }

  std::string text() const {
    if (columns_.count == 0) return {};
    std::string out;
    if (const std::string title = slice_.title(); !title.empty()) out += line(title);
    std::vector<std::string> parts;
    const auto add_part = [&](const char* what, const Window& window, std::int64_t all) {
      const std::int64_t last = window.first + window.count - 1;
      if (window.count < all)
        parts.push_back(window.count == 1 ? fmt::format("{} {} of {}", what, last, all)
                                          : fmt::format("{}s {} to {} of {}", what, window.first, last, all));
    };
    add_part("row", rows_, slice_.rows());
    add_part("column", columns_, slice_.columns());
    if (!parts.empty()) out += line(joined(parts, ", "));
    const std::string header = column_numbers();
    const std::size_t half = std::max(header.size() + gap.size(), left_title.size() + 2);
    const auto row_of_both = [half](const std::string& left, const std::string& right) {
      return line(fmt::format("{:<{}}{}", left, half, right));
    };
    out += row_of_both(std::string(left_title), "got");
    out += row_of_both(header, header);
    for (std::int64_t row = rows_.first; row < rows_.first + rows_.count; ++row) {
      if (row > rows_.first && slice_.is_border(0, row)) out += row_of_both(border(), border());
      out += row_of_both(cells(row, found_.expected, false), cells(row, found_.seen, true));
    }
    return out + line(has_unwritten_ ? "* wrong   ? not written" : "* wrong");
  }

 private:
  static constexpr std::string_view margin = "      ", gap = "    ", left_title = "expected";

  static std::string line(const std::string& text) {
    return std::string(margin) + text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }

  std::string element(const Tensor& tensor, std::int64_t index) const {
    if (tensor.type() != ElementType::string) return element_to_string(tensor, index);
    const ElementTexts texts = texts_of_strings(found_.expected, found_.seen, index, longest_element);
    return printable(&tensor == &found_.expected ? texts.expected : texts.seen);
  }
  bool is_wrong(std::int64_t index) const { return std::ranges::binary_search(found_.wrong, index); }

  // Makes cells as wide as the widest element of the window.
  void widen() {
    const std::int64_t end = columns_.first + columns_.count;
    if (columns_.count > 0) cell_ = std::to_string(end - 1).size();
    for (std::int64_t row = rows_.first; row < rows_.first + rows_.count; ++row)
      for (std::int64_t column = columns_.first; column < end; ++column) {
        const std::int64_t index = slice_.index(row, column);
        cell_ = std::max(cell_, element(found_.expected, index).size());
        if (found_.is_unwritten(index))
          has_unwritten_ = true;
        else
          cell_ = std::max(cell_, element(found_.seen, index).size());
      }
  }

  // Returns the row's cells; all rows, and the lines between them, have the same length.
  std::string cells(std::int64_t row, const Tensor& tensor, bool is_actual) const {
    std::string text = fmt::format("{:>{}} ", row, label_);
    for (std::int64_t column = columns_.first; column < columns_.first + columns_.count; ++column) {
      const std::int64_t index = slice_.index(row, column);
      const bool is_unwritten = is_actual && found_.is_unwritten(index);
      if (column > columns_.first) text += slice_.is_border(1, column) ? '|' : ' ';
      text += fmt::format("{:>{}}{}", is_unwritten ? "?" : element(tensor, index), cell_,
                          is_actual && (is_wrong(index) || is_unwritten) ? '*' : ' ');
    }
    return text;
  }

  std::string column_numbers() const {
    std::string text(label_ + 1, ' ');
    for (std::int64_t column = columns_.first; column < columns_.first + columns_.count; ++column)
      text += fmt::format("{}{:>{}} ", column > columns_.first ? " " : "", column, cell_);
    return text;
  }

  std::string border() const {
    std::string text(label_ + 1, ' ');
    for (std::int64_t column = columns_.first; column < columns_.first + columns_.count; ++column) {
      if (column > columns_.first) text += slice_.is_border(1, column) ? '+' : '-';
      text += std::string(cell_ + 1, '-');
    }
    return text;
  }

  const WrongElements& found_;
  Slice slice_;
  Window rows_, columns_;
  std::size_t label_ = 1, cell_ = 1;
  bool has_unwritten_ = false;
};

}  // namespace

std::string picture_of(const WrongElements& found, const PictureSize& size) {
  return Drawing(found, size).text();
}

}  // namespace certile::conformance
