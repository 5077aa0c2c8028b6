#include "conformance/explain/place_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "conformance/judge/difference.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

constexpr int offsets_of_literals = 64;  // of the offsets that a literal has
constexpr int least_step = 4;            // each offset takes a fresh process

}  // namespace

std::string words_for_offsets(const std::vector<bool>& fails, int step) {
  const auto is_where = [&](const auto& holds) {
    for (std::size_t index = 0; index < fails.size(); ++index)
      if (fails[index] != holds(static_cast<int>(index) * step)) return false;
    return true;
  };
  const auto failing = std::ranges::count(fails, true);
  if (failing == 0 || failing == std::ssize(fails)) return {};
  for (int multiple = 2 * step; multiple <= offsets_of_literals; multiple *= 2) {
    if (is_where([=](int offset) { return offset % multiple != 0; }))
      return fmt::format("where the buffers are not aligned to {} bytes", multiple);
    for (int rest = 0; rest < multiple; rest += step)
      if (is_where([=](int offset) { return offset % multiple == rest; }))
        return rest == 0 ? fmt::format("where the buffers are aligned to {} bytes", multiple)
                         : fmt::format("where the buffers begin {} after a multiple of {}",
                                       counted(rest, "byte"), multiple);
  }
  return {};
}

std::string failing_addresses(const Case& question, Diagnosis& asker) {
  const int step = std::max(bits(question.data.type()) / 8, least_step);
  std::vector<bool> fails;
  for (int offset = 0; offset < offsets_of_literals; offset += step) {
    Case moved = question;
    moved.placement = {};
    moved.placement.offset = offset;
    const PlannedCase planned = planned_case(moved);
    const auto judged = asker.ask_in_order({&planned});
    if (!judged || judged->record.judged.verdict == Verdict::not_run) return {};
    fails.push_back(judged->record.judged.verdict == Verdict::fail);
  }
  return words_for_offsets(fails, step);
}

namespace {

// The kinds of parts.  Of equally small ones the first kind is named.
enum class Kind { copies, remainder, places, bytes, copy_places, stride };

constexpr std::size_t no_axis = static_cast<std::size_t>(-1);

// A part of the output that has all wrong elements.
struct OutputPart {
  Kind kind;
  std::size_t axis;       // of which it has some places; no_axis if it is no such part
  std::string words;      // "in the last copy of axis 0"
  std::int64_t elements;  // in the part
};

// The first and last of some numbers.
struct Range {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  void add(std::int64_t number) {
    first = std::min(first, number);
    last = std::max(last, number);
  }
};

// The copies, and the places in output and data, of the wrong elements along one axis.
struct AxisRanges {
  Range copy, output, data;
};

std::vector<AxisRanges> ranges_of(const WrongElements& found) {
  std::vector<AxisRanges> axes(found.shape().size());
  for (const std::int64_t index : found.wrong) {
    const Shape places = places_of(found.shape(), index);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const std::int64_t dimension = found.data.shape()[axis];
      axes[axis].output.add(places[axis]);
      axes[axis].copy.add(places[axis] / dimension);
      axes[axis].data.add(places[axis] % dimension);
    }
  }
  return axes;
}

// Returns "2^20" for powers of two of 1,024 and more, else the number.
std::string number_text(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  if (number >= 1024 && std::has_single_bit(bits)) return fmt::format("2^{}", std::countr_zero(bits));
  return with_thousands(number);
}

// Returns " (2^16 bytes)" for powers of two of 1,024 and more, which are the sizes of blocks and buffers.
std::string power_text(std::int64_t bytes) {
  const std::string text = number_text(bytes);
  return text.starts_with("2^") ? " (" + text + " bytes)" : "";
}

// Returns "1, 5 and 7".
std::string all_of(std::vector<std::string> names) {
  if (names.size() < 2) return joined(names, "");
  const std::string last = std::move(names.back());
  names.pop_back();
  return joined(names, ", ") + " and " + last;
}

// The words for a range of numbers below `end`.  Empty words: all numbers are in it.
struct RangeWords {
  std::string_view single, from, before;
};

std::string words_for(const Range& range, std::int64_t end, const RangeWords& words) {
  if (range.first == range.last) {
    const std::string which = range.first == end - 1 ? "last" : range.first == 0 ? "first" : "";
    return which.empty() ? fmt::format(fmt::runtime(words.single), "", " " + number_text(range.first))
                         : fmt::format(fmt::runtime(words.single), "the " + which + " ", "");
  }
  if (range.first > 0) return fmt::format(fmt::runtime(words.from), number_text(range.first));
  if (range.last < end - 1) return fmt::format(fmt::runtime(words.before), number_text(range.last + 1));
  return {};
}

// Returns the number of the numbers below `end` that the words are about.
std::int64_t covered(const Range& range, std::int64_t end) {
  if (range.first == range.last) return 1;
  return range.first > 0 ? end - range.first : range.last + 1;
}

class Parts {
 public:
  explicit Parts(const WrongElements& found) : found_(found) {}

  std::vector<OutputPart> all() {
    const std::vector<AxisRanges> axes = ranges_of(found_);
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      add_axis(axis, axes[axis]);
    add_bytes();
    if (!axes.empty()) add_remainders(axes.back());
    add_repeated_places();
    return std::move(parts_);
  }

 private:
  void add(Kind kind, std::string words, std::int64_t elements, std::size_t axis = no_axis) {
    if (!words.empty() && elements < found_.count())
      parts_.push_back({kind, axis, std::move(words), elements});
  }

  void add_axis(std::size_t axis, const AxisRanges& ranges) {
    const std::int64_t copies = found_.copies(axis), length = found_.shape()[axis];
    const std::int64_t in_data = found_.data.shape()[axis];
    const std::int64_t of_one = found_.count() / length;  // elements at one place of the axis
    const auto with_axis = [&](std::string words) {
      return words.empty() ? words : fmt::format("{} of axis {}", words, axis);
    };
    const std::string copy = with_axis(
        words_for(ranges.copy, copies, {"in {}copy{}", "in copy {} and later ones", "before copy {}"}));
    if (copies > 1) add(Kind::copies, copy, covered(ranges.copy, copies) * in_data * of_one, axis);
    add_few_copies(axis, ranges.copy.first == ranges.copy.last ? 1 : covered(ranges.copy, copies));
    const bool is_column = axis + 1 == found_.shape().size();
    const auto words = [&](bool of_data) {
      if (!is_column)
        return of_data ? RangeWords{"at {}index{} of every copy", "from index {} of every copy on",
                                    "before index {} of every copy"}
                       : RangeWords{"at {}index{}", "from index {} on", "before index {}"};
      return of_data ? RangeWords{"in {}column{} of every copy", "from column {} of each copied row on",
                                  "before column {} of each copied row"}
                     : RangeWords{"in {}column{}", "from column {} of each row on",
                                  "before column {} of each row"};
    };
    const auto named = [&](const Range& range, std::int64_t end, bool of_data) {
      const std::string text = words_for(range, end, words(of_data));
      return is_column ? text : with_axis(text);
    };
    // An index in the middle that one element has says no more than the element's own place.
    const auto is_telling = [&](const Range& range, std::int64_t end) {
      return found_.wrong.size() > 1 || range.first == 0 || range.last == end - 1;
    };
    if (copies > 1 && in_data > 1 && is_telling(ranges.data, in_data))
      add(Kind::places, named(ranges.data, in_data, true), covered(ranges.data, in_data) * copies * of_one,
          axis);
    // A place in a single copy is a place in the output.
    if (in_data > 1 && !copy.empty() && ranges.copy.first != ranges.copy.last) {
      const std::string place =
          is_column
              ? words_for(ranges.data, in_data, {"in {}column{}", "from column {} on", "before column {}"})
              : words_for(ranges.data, in_data, {"at {}index{}", "from index {} on", "before index {}"});
      if (!place.empty())
        add(Kind::copy_places, copy + ", " + place + " of each",
            covered(ranges.copy, copies) * covered(ranges.data, in_data) * of_one, axis);
    }
    if (is_telling(ranges.output, length))
      add(Kind::places, named(ranges.output, length, false), covered(ranges.output, length) * of_one, axis);
  }

  // Adds two to four copies of an axis, by name, if they say more than the `range_covers` copies of a range.
  void add_few_copies(std::size_t axis, std::int64_t range_covers) {
    constexpr std::size_t few = 4;
    std::set<std::int64_t> copies;
    std::int64_t inner = 1;
    for (std::size_t later = axis + 1; later < found_.shape().size(); ++later)
      inner *= found_.shape()[later];
    for (const std::int64_t index : found_.wrong) {
      copies.insert(index / inner % found_.shape()[axis] / found_.data.shape()[axis]);
      if (copies.size() > few) return;
    }
    if (copies.size() < 2 || std::ssize(copies) >= range_covers) return;
    std::vector<std::string> names;
    for (const std::int64_t copy : copies)
      names.push_back(with_thousands(copy));
    add(Kind::copies, fmt::format("in copies {} of axis {}", all_of(std::move(names)), axis),
        found_.count() / found_.copies(axis) * std::ssize(copies), axis);
  }

  std::int64_t byte_of(std::int64_t index) const { return index * bits(found_.expected.type()) / 8; }

  void add_bytes() {
    const std::int64_t first = found_.wrong.front(), last = found_.wrong.back();
    if (last == first && last + 1 < found_.count()) return;
    if (last == first) return add(Kind::bytes, "at the end of the output", 1);
    if (found_.expected.type() == ElementType::string) return;  // their bytes are elsewhere
    if (last + 1 == found_.count())
      return add(Kind::bytes, fmt::format("from byte {} of the output on", number_text(byte_of(first))),
                 last + 1 - first);
    if (first == 0)
      return add(Kind::bytes, fmt::format("before byte {} of the output", number_text(byte_of(last + 1))),
                 last + 1);
    add(Kind::bytes,
        fmt::format("from byte {} of the output to byte {}{}", number_text(byte_of(first)),
                    number_text(byte_of(last + 1) - 1), power_text(byte_of(last + 1 - first))),
        last + 1 - first);
  }

  // Adds what is left of the rows of the data, and of the output, after whole vectors of bytes.
  void add_remainders(const AxisRanges& last_axis) {
    if (is_packed(found_.expected.type()) || found_.expected.type() == ElementType::string) return;
    const std::int64_t row = found_.data.shape().back(), output = found_.count();
    add_remainder("each copied row", last_axis.data.first, row, output / row, found_.shape().size() - 1);
    add_remainder("the output", found_.wrong.front(), output, 1, no_axis);
  }

  // Adds what whole vectors leave of `length` elements, of which the first wrong one is `first`, with all
  // vectors that leave just as much.
  void add_remainder(std::string_view of_what, std::int64_t first, std::int64_t length, std::int64_t times,
                     std::size_t axis) {
    const std::int64_t width = bits(found_.expected.type()) / 8;
    std::map<std::int64_t, std::vector<std::string>> vectors;  // in bytes, by the elements that they leave
    for (const std::int64_t vector : {16, 32, 64}) {
      if (vector % width != 0 || vector == width) continue;
      const std::int64_t each = vector / width, left = length % each;
      if (length > each && left != 0 && first >= length - left)
        vectors[left].push_back(std::to_string(vector));
    }
    for (const auto& [left, sizes] : vectors)
      add(Kind::remainder,
          fmt::format("in the last {} bytes of {}, which do not fill a vector of {} bytes", left * width,
                      of_what, fmt::join(sizes, " or ")),
          times * left, axis);
  }

  // Adds places that come again and again: in each row, in each copied row, or in the output.
  void add_repeated_places() {
    if (found_.wrong.size() < 3) return;
    const Shape &output = found_.shape(), &data = found_.data.shape();
    if (!output.empty()) {
      if (data.back() != output.back()) add_repeated_places(data.back(), "in columns {} of each copied row");
      add_repeated_places(output.back(), "in columns {} of each row");
    }
    add_repeated_places(found_.count(), "at elements {} of the output");
  }

  // Does so if exactly those elements are wrong whose places, in parts of this length, have one of a few
  // remainders.
  void add_repeated_places(std::int64_t length, std::string_view words) {
    constexpr std::int64_t longest_period = 64;
    constexpr std::size_t most_remainders = 4;
    std::set<std::int64_t> places;
    for (const std::int64_t index : found_.wrong)
      places.insert(index % length);
    const std::int64_t parts = found_.count() / length;
    if (std::ssize(found_.wrong) != std::ssize(places) * parts) return;
    for (std::int64_t period = 2; period <= std::min(longest_period, length / 2); ++period) {
      std::set<std::int64_t> remainders;
      for (const std::int64_t place : places)
        if (remainders.insert(place % period); remainders.size() > most_remainders) break;
      if (remainders.size() > most_remainders) continue;
      std::int64_t all = 0;
      for (const std::int64_t remainder : remainders)
        all += (length - remainder + period - 1) / period;
      if (all != std::ssize(places)) continue;
      std::string first;
      auto place = places.begin();
      for (std::size_t shown = 0; shown < 2 * remainders.size(); ++shown, ++place)
        first += fmt::format("{}, ", *place);
      return add(Kind::stride,
                 fmt::format(fmt::runtime(words), first + "…") +
                     fmt::format(", {} of each {}", remainders.size(), period),
                 std::ssize(found_.wrong));
    }
  }

  const WrongElements& found_;
  std::vector<OutputPart> parts_;
};

// Returns true if one part surely has all of the other: a place in some copies is in these copies, at this
// place of every copy, and in the rest of each copied row if the wrong elements are.
bool has_all_of(const OutputPart& part, const OutputPart& smaller) {
  return smaller.kind == Kind::copy_places && part.axis == smaller.axis;
}

// Returns "[1,5] and [3,5]", the places of the wrong elements, if they are few.
std::string wrong_places(const WrongElements& found) {
  constexpr std::size_t few = 4;
  if (found.wrong.size() > few) return {};
  std::vector<std::string> places;
  for (const std::int64_t index : found.wrong)
    places.push_back(fmt::format("[{}]", fmt::join(places_of(found.shape(), index), ",")));
  return all_of(std::move(places));
}

}  // namespace

std::vector<std::string> where_wrong(const WrongElements& found) {
  const auto wrong = static_cast<std::int64_t>(found.wrong.size());
  std::vector<OutputPart> parts = Parts(found).all();
  std::ranges::stable_sort(parts, {},
                           [](const OutputPart& part) { return std::pair(part.elements, part.kind); });
  const std::string places = wrong > 1 && wrong < found.count() ? wrong_places(found) : "";
  const std::size_t most = wrong == 1 || !places.empty() ? 1 : 2;
  std::vector<std::string> sentences;
  std::vector<const OutputPart*> said;
  for (const OutputPart& part : parts) {
    // Most of the output, with many right elements in it, is no place worth a sentence.
    const bool is_telling = part.elements <= found.count() / 4 * 3 || wrong >= part.elements / 10 * 9;
    const bool is_new = std::ranges::none_of(said, [&](const OutputPart* other) {
      return other->kind == part.kind || other->elements == part.elements || has_all_of(part, *other);
    });
    if (sentences.size() == most || !is_telling || !is_new) continue;
    // Nothing is more exact than a part that is wrong as a whole.
    if (!said.empty() && said.front()->elements == wrong) break;
    std::string share =
        fmt::format("{} of {} elements there", with_thousands(wrong), with_thousands(part.elements));
    if (said.empty() && !places.empty()) share += ", " + places;
    if (part.elements == wrong) share = "every element there, and no other";
    said.push_back(&part);
    sentences.push_back(wrong == 1 ? part.words : part.words + ": " + share);
  }
  if (sentences.empty() && !places.empty()) sentences.push_back("at " + places);
  return sentences;
}

}  // namespace certile::conformance
