#include "conformance/page/page_run.hpp"

#include <algorithm>
#include <utility>

#include "conformance/page/picture_data.hpp"

namespace certile::conformance {
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
