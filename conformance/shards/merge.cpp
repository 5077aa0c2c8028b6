#include "conformance/shards/merge.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/laws/laws.hpp"
#include "conformance/records/cut_run.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/run/chunk_runner.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {

namespace {

// Removes what was found by asking the failure again.  Returns false if a waiver was applied to that, because
// it might not apply without it.
bool forget_diagnosis(Record& record) {
  std::vector<Amendment> amendments = std::move(record.amendments);
  record.amendments.clear();
  record.leave_as_found();
  if (amendments.size() == 1) return true;
  const Amendment &diagnosis = amendments.front(), &waived = amendments.back();
  const bool is_same = diagnosis.charged == record.judged.charged && diagnosis.fault == record.judged.fault;
  const std::string before = diagnosis.words + "\n";
  if (amendments.size() > 2 || !is_same || !waived.words.starts_with(before)) {
    record.amendments = std::move(amendments);
    return false;
  }
  record.annotate(waived.by, waived.words.substr(before.size()));
  record.amendments.back().verdict = waived.verdict;
  return true;
}

}  // namespace

Ration::Ration(bool shares_memory) : book_(shares_memory ? CrashBook::in_process : CrashBook::of_worker) {}

std::vector<Record*> Ration::settle(const std::vector<Record*>& failures) {
  struct Ranked {
    Plainness plainness;
    Placement placement;
    Record* record;
  };
  std::vector<Ranked> ranked;
  for (Record* record : failures)
    if (const auto question = parse_case(record->literal))
      ranked.push_back({plainness_of(*question, record->literal), question->placement, record});
  std::ranges::sort(ranked, {}, &Ranked::plainness);
  std::vector<Record*> changed;
  for (const Ranked& each : ranked) {
    Record& record = *each.record;
    // How often time-outs are asked again depends on the time.
    if (record.judged.fault == Fault::timeout) continue;
    const bool may_ask_again = book_.may_ask_again(record, each.placement, each.plainness);
    if (!record.was_asked_again()) continue;
    if (may_ask_again) {
      if (record.amendments.front().reproduce.size() != 1) book_.note_history();
    } else if (record.amendments.front().by == Amendment::By::diagnosis && forget_diagnosis(record)) {
      changed.push_back(&record);
    }
  }
  return changed;
}

namespace {

Error bad(std::string sentence) {
  return {Error::Code::bad_literal, std::move(sentence)};
}

std::size_t hash_of(const Record& record) {
  std::string line;
  append_record_line(line, record);
  return std::hash<std::string>()(line);
}

std::string file_named(const ShardFile& file) {
  return printable(file.path);
}

// Returns the place of a law in the order in which laws are tried.
std::ptrdiff_t place_of_law(const Record& record) {
  return law_named(record.law) - all_laws().data();
}

}  // namespace

struct Merge::State {
  RunHeader header;  // of the whole run
  std::vector<ShardFile> files;
  Plan plan;
  std::vector<std::uint32_t> owners;   // of each case of the plan: the place of its file
  std::vector<std::uint64_t> offsets;  // of each case's record in that file
  std::vector<std::size_t> hashes;     // of that record, because it is read once more
  std::vector<Record> law_records;

  Result<Done> read_headers(const std::vector<std::string>& paths);
  Result<Done> check_same_run() const;
  Result<Done> check_no_shard_twice() const;
  Result<Done> make_plan_again(std::int64_t at_least);
  Result<Done> assign_owners();
  Result<Done> read_records_of(std::size_t at,
                               const std::unordered_map<std::string_view, std::size_t>& places);

  std::vector<std::string> stale_waivers() const;
  std::vector<Part> loaded() const;
  Result<Done> hand_on_chunk(std::size_t begin, std::size_t end, std::vector<LineReader>& readers,
                             Ration& ration, const OnRecord& on_record) const;
  Result<Done> hand_on_laws(Summary& summary, const OnRecord& on_record) const;
};

Result<Done> Merge::State::read_headers(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    auto file = read_shard_header(path);
    if (!file) return file.error();
    files.push_back(*std::move(file));
  }
  return Done{};
}

Result<Done> Merge::State::check_same_run() const {
  const ShardFile& first = files.front();
  if (first.header.certile_version != version)
    return bad(file_named(first) + " was written by certile " + printable(first.header.certile_version) +
               ", and this is " + version + ", which may plan other cases");
  for (const ShardFile& file : files) {
    if (file.header.shard->shard.of != first.header.shard->shard.of)
      return bad(file_named(file) + " is one of " + std::to_string(file.header.shard->shard.of) +
                 " shards, and " + file_named(first) + " one of " +
                 std::to_string(first.header.shard->shard.of));
    // Shards may have run on several machines.
    RunHeader as_first = file.header;
    as_first.environments = first.header.environments;
    if (const auto why = difference_between(as_first, first.header); !why.empty())
      return bad(file_named(file) + " is of another run than " + file_named(first) + ": " + why);
  }
  return Done{};
}

// Expects the files in the order of their shards.
Result<Done> Merge::State::check_no_shard_twice() const {
  const int of = files.front().header.shard->shard.of;
  for (std::size_t at = 1; at < files.size(); ++at)
    if (files[at].header.shard->shard == files[at - 1].header.shard->shard)
      return bad(file_named(files[at - 1]) + " and " + file_named(files[at]) + " both are " +
                 to_string(files[at].header.shard->shard));
  std::vector<std::string> missing;
  std::size_t at = 0;
  for (int index = 1; index <= of; ++index) {
    if (at < files.size() && files[at].header.shard->shard.index == index)
      ++at;
    else
      missing.push_back(std::to_string(index));
  }
  if (missing.empty()) return Done{};
  return bad("no file has shard" + std::string(missing.size() == 1 ? " " : "s ") + listed(missing, 8) +
             " of " + std::to_string(of));
}

Result<Done> Merge::State::make_plan_again(std::int64_t at_least) {
  header = files.front().header;
  header.shard.reset();
  std::set<Environment> environments;
  for (const ShardFile& file : files)
    environments.insert(file.header.environments.begin(), file.header.environments.end());
  header.environments.assign(environments.begin(), environments.end());
  RunHeader ours = header;
  ours.list_pages();
  const std::string first = file_named(files.front());
  if (header.pages != ours.pages)
    return bad(first + " was judged by pages of the specification that are not those of this certile");
  auto made = make_plan(header.claim, header.door, header.options);
  if (!made) return bad("the plan of " + first + " cannot be made again: " + printable(made.error().what));
  plan = *std::move(made);
  if (plan.digest != header.plan_digest || std::cmp_not_equal(plan.cases.size(), header.planned) ||
      plan.filtered != header.filtered || plan.corpora != header.corpora)
    return bad("the plan that " + first +
               " names is not the one that its tier, seed, corpora and claim give");
  if (std::cmp_less(plan.cases.size(), at_least))
    return bad("the plan of " + first + " has " + counted(header.planned, "case") + ", and fewer than " +
               with_thousands(at_least) + " are no run to be merged");
  return Done{};
}

Result<Done> Merge::State::assign_owners() {
  const Shard first = files.front().header.shard->shard;
  std::vector<std::int64_t> counts(files.size());
  for (const PlannedCase& planned : plan.cases) {
    owners.push_back(static_cast<std::uint32_t>(owner_of(planned.literal, first.of) - 1));
    ++counts[owners.back()];
  }
  for (std::size_t at = 0; at < files.size(); ++at)
    if (counts[at] != files[at].header.shard->cases)
      return bad(file_named(files[at]) + " says that its shard has " +
                 counted(files[at].header.shard->cases, "case") + ", and it has " +
                 with_thousands(counts[at]));
  offsets.assign(plan.cases.size(), 0);
  hashes.assign(plan.cases.size(), 0);
  return Done{};
}

Result<Done> Merge::State::read_records_of(std::size_t at,
                                           const std::unordered_map<std::string_view, std::size_t>& places) {
  ShardFile& file = files[at];
  const std::string shard = to_string(file.header.shard->shard);
  const auto lines = offsets_of_lines(file.path);
  if (!lines) return lines.error();
  std::string wrong;
  const auto note = [&wrong](const std::string& why, const std::string& literal) {
    if (wrong.empty()) wrong = why + ": " + printable(literal);
  };
  std::size_t line = 0;
  int runs = 0;
  const auto take = [&](const Record& record) {
    const std::size_t number = line++;
    if (!record.law.empty()) {
      if (law_named(record.law) == nullptr)
        return note("has a law that this certile does not know", record.law);
      if (!file.header.shard->shard.has_place(static_cast<std::size_t>(place_of_law(record))))
        return note("is " + shard + " and has a law of another shard", record.law);
      law_records.push_back(record);
      return;
    }
    const auto place = places.find(record.literal);
    if (place == places.end()) return note("has a case that is not in the plan", record.literal);
    if (owners[place->second] != at)
      return note("is " + shard + " and has a case of another shard", record.literal);
    if (number >= lines->size() || std::exchange(offsets[place->second], (*lines)[number]) != 0)
      return note("has a case twice", record.literal);
    hashes[place->second] = hash_of(record);
    ++file.records;
  };
  const auto read = read_records(file.path, {[&runs](const RunHeader&) { ++runs; }, take,
                                             [&file](const RunFooter& said, const RunFooter& real) {
                                               file.footer = said;
                                               return check_footer(said, real);
                                             }});
  if (!read) return read.error();
  if (!wrong.empty()) return bad(file_named(file) + " " + wrong);
  if (runs != 1) return bad(file_named(file) + " has the records of several runs, and a shard's file of one");
  if (!file.footer.incomplete.empty())
    return bad(file_named(file) + " is incomplete: " + printable(file.footer.incomplete) +
               "; certile certify --resume completes it");
  if (const std::int64_t lacks = file.header.shard->cases - file.records; lacks > 0) {
    std::size_t place = 0;
    while (owners[place] != at || offsets[place] != 0)
      ++place;
    return bad(file_named(file) + " lacks " + counted(lacks, "case") + " of " + shard + ": " +
               printable(plan.cases[place].literal));
  }
  return Done{};
}

// Returns the waivers that are idle in every shard; of a filtered plan only those that have expired.
std::vector<std::string> Merge::State::stale_waivers() const {
  if (header.filtered) return files.front().footer.stale_waivers;
  std::vector<std::string> stale = files.front().footer.of_shard.idle_waivers;
  for (const ShardFile& file : files)
    std::erase_if(stale, [&file](const std::string& sentence) {
      const auto& idle = file.footer.of_shard.idle_waivers;
      return std::ranges::find(idle, sentence) == idle.end();
    });
  return stale;
}

// Returns the files that the backend loaded in any shard, by name.
std::vector<Part> Merge::State::loaded() const {
  std::vector<Part> all;
  for (const ShardFile& file : files)
    for (const Part& part : file.footer.loaded)
      if (std::ranges::find(all, part) == all.end()) all.push_back(part);
  std::ranges::stable_sort(all, {}, [](const Part& part) { return std::tie(part.name, part.digest); });
  return all;
}

Result<Done> Merge::State::hand_on_chunk(std::size_t begin, std::size_t end, std::vector<LineReader>& readers,
                                         Ration& ration, const OnRecord& on_record) const {
  std::vector<Record> records;
  std::vector<std::string> lines;
  std::vector<Record*> failures;
  records.reserve(end - begin);
  for (std::size_t place = begin; place < end; ++place) {
    const auto line = readers[owners[place]].at(offsets[place]);
    if (!line) return line.error();
    const Json json = foreign_json(*line);
    if (json.is_discarded()) return bad(file_named(files[owners[place]]) + " was changed while it was read");
    auto record = record_from_json(json, header);
    if (!record || record->literal != plan.cases[place].literal || hash_of(*record) != hashes[place])
      return bad(file_named(files[owners[place]]) + " was changed while it was read");
    records.push_back(*std::move(record));
    lines.emplace_back(*line);
    if (records.back().judged.verdict == Verdict::fail) failures.push_back(&records.back());
  }
  for (Record* changed : ration.settle(failures)) {
    std::string& line = lines[static_cast<std::size_t>(changed - records.data())];
    line.clear();
    append_record_line(line, *changed);
    line.pop_back();
  }
  for (std::size_t index = 0; index < records.size(); ++index)
    if (auto done = on_record(records[index], lines[index]); !done) return done;
  return Done{};
}

// Laws are tried only in a run whose cases do not fail, and a shard does not know the cases of the others.
Result<Done> Merge::State::hand_on_laws(Summary& summary, const OnRecord& on_record) const {
  const std::int64_t against =
      summary.count(Verdict::fail) + summary.count(Verdict::waived) + summary.count(Verdict::not_run);
  if (against > 0 || summary.count(Verdict::pass) == 0) return Done{};
  LawTally tally;
  for (const ShardFile& file : files) {
    tally.tried += file.footer.laws.tried;
    tally.broken += file.footer.laws.broken;
  }
  std::vector<Record> ordered = law_records;
  std::ranges::stable_sort(ordered, {}, place_of_law);
  for (const Record& record : ordered) {
    std::string line;
    append_record_line(line, record);
    line.pop_back();
    summary.add(record);
    if (auto done = on_record(record, line); !done) return done;
  }
  summary.add_laws(tally);
  return Done{};
}

Merge::Merge(std::unique_ptr<State> state) : state_(std::move(state)) {}
Merge::Merge(Merge&&) noexcept = default;
Merge& Merge::operator=(Merge&&) noexcept = default;
Merge::~Merge() = default;

Result<Merge> Merge::of(const std::vector<std::string>& paths, std::int64_t at_least) {
  auto state = std::make_unique<State>();
  if (auto done = state->read_headers(paths); !done) return done.error();
  std::ranges::stable_sort(state->files, {},
                           [](const ShardFile& file) { return file.header.shard->shard.index; });
  if (auto done = state->check_same_run(); !done) return done.error();
  if (auto done = state->check_no_shard_twice(); !done) return done.error();
  if (auto done = state->make_plan_again(at_least); !done) return done.error();
  if (auto done = state->assign_owners(); !done) return done.error();
  std::unordered_map<std::string_view, std::size_t> places;
  places.reserve(state->plan.cases.size());
  for (std::size_t place = 0; place < state->plan.cases.size(); ++place)
    places.emplace(state->plan.cases[place].literal, place);
  for (std::size_t at = 0; at < state->files.size(); ++at)
    if (auto done = state->read_records_of(at, places); !done) return done.error();
  return Merge(std::move(state));
}

const RunHeader& Merge::header() const noexcept {
  return state_->header;
}

const std::vector<ShardFile>& Merge::files() const noexcept {
  return state_->files;
}

Result<Summary> Merge::each(const OnRecord& on_record) const {
  Summary summary(state_->header);
  Ration ration(state_->header.door.shares_memory);
  std::vector<LineReader> readers;
  for (const ShardFile& file : state_->files)
    readers.emplace_back(file.path);
  const auto take = [&](const Record& record, std::string_view line) {
    summary.add(record);
    return on_record(record, line);
  };
  const std::size_t size = state_->plan.cases.size();
  for (std::size_t begin = 0; begin < size; begin += chunk_size)
    if (auto done = state_->hand_on_chunk(begin, std::min(begin + chunk_size, size), readers, ration, take);
        !done)
      return done.error();
  if (auto done = state_->hand_on_laws(summary, on_record); !done) return done.error();
  summary.set_loaded(state_->loaded());
  for (std::string& sentence : state_->stale_waivers())
    summary.add_stale_waiver(std::move(sentence));
  return summary;
}

}  // namespace certile::conformance
