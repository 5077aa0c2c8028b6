#include "conformance/page/page_run.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "conformance/judge/expectation.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_scanner.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

// The largest output of a picture: a page draws no more elements than a person looks at.
constexpr std::int64_t most_elements = 1024;

std::string bits_of(const Tensor& tensor) {
  if (tensor.type() == ElementType::string) return {};
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::int64_t index = 0; index < tensor.count(); ++index) {
    const Tensor::Bits bits = tensor.element(index);
    for (int digit = (certile::bits(tensor.type()) + 3) / 4; digit-- > 0;)
      text += digits[(digit < 16 ? bits.low : bits.high) >> (digit % 16 * 4) & 0xf];
  }
  return text;
}

Json of_answer(const Case& question, const Answer& answer) {
  if (answer.tensors.size() != 1) return nullptr;
  const Tensor data = data_of(question);
  const Tensor& expected = answer.tensors.front();
  return {{"data", to_string(data)},
          {"data_bits", bits_of(data)},
          {"expected", to_string(expected)},
          {"expected_bits", bits_of(expected)}};
}

}  // namespace

Json picture_data(const std::string& literal) {
  const auto question = parse_case(literal);
  if (!question) return nullptr;
  const auto shape = expect_shape(*question);
  if (!shape) return nullptr;
  if (const auto* reject = std::get_if<Reject>(&*shape))
    return {{"refused", std::string(text_of(reject->clause))}, {"why", reject->why}};
  if (const auto* open = std::get_if<Unspecified>(&*shape))
    return {{"open", std::string(text_of(open->clause))}};
  const auto count = element_count(std::get<Answer>(*shape).shape);
  const bool is_drawn = count && *count <= most_elements && question->data.count() <= most_elements;
  if (!is_drawn || question->placement.shape_only || question->placement.threads > 1) return nullptr;
  const auto expected = expect(*question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  return answer == nullptr ? Json(nullptr) : of_answer(*question, *answer);
}

std::string bits_of_operand(const std::string& operand) {
  LiteralScanner scanner(operand);
  const auto tensor = take_operand(scanner);
  return tensor && !tensor->bytes().empty() ? bits_of(*tensor) : std::string();
}

void Column::add(std::uint64_t number) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint64_t goes_on = 32;
  for (; number >= goes_on; number /= goes_on)
    text_ += digits[number % goes_on + goes_on];
  text_ += digits[number];
}

void Column::add_signed(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  add(number < 0 ? ~(bits << 1) : bits << 1);
}

std::uint32_t TextTable::number_of(std::string_view text) {
  const auto [entry, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(entry->first);
  return entry->second;
}

namespace {

constexpr std::size_t most_kept = 100;     // records of a clause that a page has whole
constexpr std::size_t most_pictures = 12;  // of a clause

Json texts_of(const TextTable& table) {
  Json list = Json::array();
  for (const std::string_view text : table.texts())
    list.push_back(std::string(text));
  return list;
}

bool is_charged(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::waived;
}

}  // namespace

std::uint32_t PageTables::number_of_case(const std::string& literal) {
  const std::size_t before = literals_.texts().size();
  const std::uint32_t number = literals_.number_of(literal);
  if (literals_.texts().size() == before) return number;
  cases_.add(static_cast<std::uint64_t>(std::ranges::count(literal, ' ') + 1));
  const std::string_view text(literal);
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    cases_.add(words_.number_of(text.substr(start, end - start)));
    start = end + 1;
  }
  return number;
}

std::uint32_t PageTables::number_of_list(const std::vector<std::string_view>& clauses) {
  std::string key;
  for (const std::string_view id : clauses)
    (key += id) += ' ';
  const auto [entry, is_new] = lists_.try_emplace(std::move(key), static_cast<std::uint32_t>(lists_.size()));
  if (is_new) {
    list_texts_.add(clauses.size());
    for (const std::string_view id : clauses)
      list_texts_.add(clauses_.number_of(id));
  }
  return entry->second;
}

Json PageTables::json() const {
  return {{"words", texts_of(words_)},
          {"cases", cases_.text()},
          {"ids", texts_of(clauses_)},
          {"lists", list_texts_.text()}};
}

PageRun::PageRun(const RunHeader& header, bool is_earlier)
    : header_(header_to_json(header).at("header")), is_earlier_(is_earlier) {}

void PageRun::add(const Record& record, PageTables& tables) {
  const std::int64_t number = tables.number_of_case(record.literal);
  cases_.add_signed(number - before_ - 1);
  before_ = number;
  const Finding& found = record.now();
  verdicts_.add(static_cast<std::uint64_t>(found.verdict) * 2 + (record.is_vacuous() ? 1 : 0));
  lists_.add(tables.number_of_list(record.judged.exercised));
  if (is_charged(found.verdict)) {
    const std::vector<std::string_view> clause{found.charged};
    charges_.add(static_cast<std::uint64_t>(found.fault));
    charges_.add(tables.number_of_list(clause));
  }
  if (found.verdict != Verdict::pass || !record.law.empty()) keep(record);
  ++rows_;
}

void PageRun::keep(const Record& record) {
  const Finding& found = record.now();
  const std::string_view group = is_charged(found.verdict) ? found.charged : name(found.verdict);
  auto slot = kept_.find(group);
  if (slot == kept_.end()) slot = kept_.emplace(group, std::vector<Kept>()).first;
  std::vector<Kept>& kept = slot->second;
  // A failure whose history no one knows passes when it is asked again, so it comes last.
  std::pair key{record.reproduce().empty(), plainness_of(record.literal)};
  if (kept.size() == most_kept) {
    if (key >= kept.front().key) return;
    std::ranges::pop_heap(kept, {}, &Kept::key);
    kept.pop_back();
  }
  kept.push_back({std::move(key), rows_, record});
  std::ranges::push_heap(kept, {}, &Kept::key);
}

void PageRun::close(const Summary& summary) {
  footer_ = footer_to_json(summary, {}).at("footer");
  footer_.erase("sha256");
}

Json PageRun::json(Json& pictures) const {
  Json records = Json::array();
  for (const auto& [group, heap] : kept_) {
    std::vector<const Kept*> plainest_first;
    for (const Kept& kept : heap)
      plainest_first.push_back(&kept);
    std::ranges::sort(plainest_first, {}, [](const Kept* kept) { return std::tie(kept->key, kept->row); });
    for (std::size_t place = 0; place < plainest_first.size(); ++place) {
      const Kept& kept = *plainest_first[place];
      std::string line;
      append_record_line(line, kept.record);
      Json record = foreign_json(line);
      for (const char* known : {"backend", "operator", "type", "exercised"})
        record.erase(known);
      if (const auto& output = kept.record.judged.output)
        record["output_bits"] = bits_of_operand(output->elements);
      records.push_back({{"row", kept.row}, {"record", std::move(record)}});
      const std::string& literal = kept.record.literal;
      const bool has_picture = place < most_pictures && is_charged(kept.record.now().verdict);
      if (!has_picture || pictures.contains(literal)) continue;
      if (Json picture = picture_data(literal); !picture.is_null()) pictures[literal] = std::move(picture);
    }
  }
  return {{"earlier", is_earlier_}, {"header", header_},          {"footer", footer_},
          {"count", rows_},         {"cases", cases_.text()},     {"verdicts", verdicts_.text()},
          {"lists", lists_.text()}, {"charges", charges_.text()}, {"records", std::move(records)}};
}

}  // namespace certile::conformance
