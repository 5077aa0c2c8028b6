#include "conformance/ask/wire/description_wire.hpp"

#include <algorithm>
#include <vector>

namespace certile {
namespace {

template <class Enumerator>
void write_list(WireWriter& writer, const std::vector<Enumerator>& list) {
  writer.number(static_cast<std::uint32_t>(list.size()));
  for (const Enumerator each : list)
    writer.number(each);
}

// Enumerators up to `last`; anything else means that the bytes are not ours.
template <class Enumerator>
std::vector<Enumerator> read_list(WireReader& reader, Enumerator last) {
  std::vector<Enumerator> list;
  const auto length = reader.number<std::uint32_t>();
  for (std::uint32_t index = 0; reader.good() && index < length; ++index) {
    list.push_back(reader.number<Enumerator>());
    if (list.back() > last) reader.fail();
  }
  return list;
}

void write_limit(WireWriter& writer, std::optional<std::int64_t> limit) {
  writer.number(limit.value_or(-1));
}

std::optional<std::int64_t> read_limit(WireReader& reader) {
  const auto limit = reader.number<std::int64_t>();
  return limit < 0 ? std::nullopt : std::optional(limit);
}

}  // namespace

void write_description(WireWriter& writer, const Description& description) {
  writer.text(description.name, 256);
  writer.text(description.version, 256);
  write_list(writer, description.definitions);
  write_list(writer, description.types);
  write_list(writer, description.repeats_types);
  write_limit(writer, description.max_rank);
  write_limit(writer, description.max_elements);
  write_limit(writer, description.max_bytes);
  writer.number(description.infers);
  writer.number(description.in_process);
  writer.number(static_cast<std::uint32_t>(description.parts.size()));
  for (const Part& part : description.parts)
    for (const std::string* text : {&part.name, &part.version, &part.digest})
      writer.text(*text, 256);
}

std::optional<Description> read_description(WireReader& reader) {
  Description description;
  description.name = reader.text();
  description.version = reader.text();
  description.definitions = read_list(reader, all_definitions().back());
  description.types = read_list(reader, ElementType::string);
  description.repeats_types = read_list(reader, ElementType::string);
  if (const auto rank = read_limit(reader))
    description.max_rank = static_cast<int>(std::min<std::int64_t>(*rank, 1 << 20));
  description.max_elements = read_limit(reader);
  description.max_bytes = read_limit(reader);
  description.infers = reader.flag();
  description.in_process = reader.flag();
  const auto parts = reader.number<std::uint32_t>();
  for (std::uint32_t index = 0; reader.good() && index < parts; ++index) {
    Part& part = description.parts.emplace_back();
    part.name = reader.text();
    part.version = reader.text();
    part.digest = reader.text();
  }
  if (!reader.good()) return std::nullopt;
  return description;
}

}  // namespace certile
