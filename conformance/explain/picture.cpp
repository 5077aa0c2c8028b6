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

constexpr std::string_view margin = "      ", gap = "    ", left_title = "expected";

// A picture while it is made: which part of the slice it has, and how wide a cell is.
class Drawing {
 public:
  Drawing(const WrongElements& found, const PictureSize& size) : found_(found), slice_(found) {
    rows_ = around(slice_.first_row(), slice_.rows(), static_cast<std::int64_t>(size.rows));
    const std::size_t label = std::to_string(rows_.first + rows_.count - 1).size();
    const std::size_t both = margin.size() + 2 * (label + 1) + gap.size();
    const std::size_t room = size.width > both ? (size.width - both) / 2 : 0;
    constexpr std::size_t narrowest = 3;  // a character, its mark, and a space or border
    columns_ = around(slice_.first_column(), slice_.columns(), static_cast<std::int64_t>(room / narrowest));
    const std::size_t widest = widest_cell();
    columns_ =
        around(slice_.first_column(), slice_.columns(), static_cast<std::int64_t>(room / (widest + 2)));
    picture_.cell_width = widest;
  }

  std::optional<Picture> picture() {
    if (columns_.count == 0) return std::nullopt;
    picture_.slice = slice_.title();
    picture_.part = part();
    picture_.first_row = rows_.first;
    picture_.first_column = columns_.first;
    for (std::int64_t row = rows_.first; row < rows_.first + rows_.count; ++row) {
      picture_.row_borders.push_back(row > rows_.first && slice_.is_border(0, row));
      auto& cells = picture_.rows.emplace_back();
      for (std::int64_t column = columns_.first; column < columns_.first + columns_.count; ++column)
        cells.push_back(cell(slice_.index(row, column)));
    }
    for (std::int64_t column = columns_.first; column < columns_.first + columns_.count; ++column)
      picture_.column_borders.push_back(column > columns_.first && slice_.is_border(1, column));
    return std::move(picture_);
  }

 private:
  std::string element(const Tensor& tensor, std::int64_t index) const {
    if (tensor.type() != ElementType::string) return element_to_string(tensor, index);
    const ElementTexts texts = texts_of_strings(found_.expected, found_.seen, index, longest_element);
    return printable(&tensor == &found_.expected ? texts.expected : texts.seen);
  }

  Picture::Cell cell(std::int64_t index) const {
    const bool is_unwritten = found_.is_unwritten(index);
    return {element(found_.expected, index), is_unwritten ? "?" : element(found_.seen, index),
            is_unwritten || std::ranges::binary_search(found_.wrong, index), is_unwritten};
  }

  // Returns the width of the widest element of the part, and of the widest number of a column.
  std::size_t widest_cell() const {
    const std::int64_t end = columns_.first + columns_.count;
    std::size_t widest = columns_.count > 0 ? std::to_string(end - 1).size() : 1;
    for (std::int64_t row = rows_.first; row < rows_.first + rows_.count; ++row)
      for (std::int64_t column = columns_.first; column < end; ++column) {
        const Picture::Cell both = cell(slice_.index(row, column));
        widest = std::max({widest, both.expected.size(), both.seen.size()});
      }
    return widest;
  }

  // Returns "rows 0 to 5 of 40, column 7 of 80"; empty if the picture has all of the slice.
  std::string part() const {
    std::vector<std::string> parts;
    const auto add = [&](const char* what, const Window& window, std::int64_t all) {
      const std::int64_t last = window.first + window.count - 1;
      if (window.count < all)
        parts.push_back(window.count == 1 ? fmt::format("{} {} of {}", what, last, all)
                                          : fmt::format("{}s {} to {} of {}", what, window.first, last, all));
    };
    add("row", rows_, slice_.rows());
    add("column", columns_, slice_.columns());
    return joined(parts, ", ");
  }

  const WrongElements& found_;
  Slice slice_;
  Window rows_, columns_;
  Picture picture_;
};

std::string line(const std::string& text) {
  return std::string(margin) + text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

// The lines of a picture; all rows of one grid, and the lines between them, have the same length.
class PictureText {
 public:
  explicit PictureText(const Picture& picture)
      : picture_(picture), label_(std::to_string(picture.first_row + std::ssize(picture.rows) - 1).size()) {}

  std::string numbers() const {
    std::string text(label_ + 1, ' ');
    for (std::size_t column = 0; column < picture_.column_borders.size(); ++column)
      text += fmt::format("{}{:>{}} ", column > 0 ? " " : "", picture_.first_column + std::int64_t(column),
                          picture_.cell_width);
    return text;
  }

  std::string border() const {
    std::string text(label_ + 1, ' ');
    for (std::size_t column = 0; column < picture_.column_borders.size(); ++column) {
      if (column > 0) text += picture_.column_borders[column] ? '+' : '-';
      text += std::string(picture_.cell_width + 1, '-');
    }
    return text;
  }

  std::string row(std::size_t row, bool is_seen) const {
    std::string text = fmt::format("{:>{}} ", picture_.first_row + std::int64_t(row), label_);
    for (std::size_t column = 0; column < picture_.column_borders.size(); ++column) {
      const Picture::Cell& cell = picture_.rows[row][column];
      if (column > 0) text += picture_.column_borders[column] ? '|' : ' ';
      text += fmt::format("{:>{}}{}", is_seen ? cell.seen : cell.expected, picture_.cell_width,
                          is_seen && cell.is_wrong ? '*' : ' ');
    }
    return text;
  }

 private:
  const Picture& picture_;
  std::size_t label_;
};

}  // namespace

bool Picture::has_unwritten() const {
  return std::ranges::any_of(
      rows, [](const std::vector<Cell>& row) { return std::ranges::any_of(row, &Cell::is_unwritten); });
}

std::optional<Picture> picture_of(const WrongElements& found, const PictureSize& size) {
  return Drawing(found, size).picture();
}

std::string text_of(const Picture& picture) {
  std::string out;
  for (const std::string& words : {picture.slice, picture.part})
    if (!words.empty()) out += line(words);
  const PictureText text(picture);
  const std::string numbers = text.numbers(), border = text.border();
  const std::size_t half = std::max(numbers.size() + gap.size(), left_title.size() + 2);
  const auto add = [&](std::string_view left, std::string_view right) {
    out += line(fmt::format("{:<{}}{}", left, half, right));
  };
  add(left_title, "got");
  add(numbers, numbers);
  for (std::size_t row = 0; row < picture.rows.size(); ++row) {
    if (picture.row_borders[row]) add(border, border);
    add(text.row(row, false), text.row(row, true));
  }
  return out + line(picture.has_unwritten() ? "* wrong   ? not written" : "* wrong");
}

}  // namespace certile::conformance
