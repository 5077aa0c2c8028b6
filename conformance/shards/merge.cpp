#include "conformance/shards/merge.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/laws/laws.hpp"
#include "conformance/records/cut_run.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/text/foreign_json.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {
namespace {

Error bad(std::string sentence) {
  return {Error::Code::bad_literal, std::move(sentence)};
}

Error unreadable(const std::string& path) {
  return {Error::Code::io, "cannot read " + printable(path) + ": " + std::strerror(errno)};
}

Error was_changed(const std::string& path) {
  return {Error::Code::io, printable(path) + " was changed while it was read"};
}

std::string file_named(const ShardFile& file) {
  return printable(file.path);
}

std::string line_of(const Record& record) {
  std::string line;
  append_record_line(line, record);
  line.pop_back();
  return line;
}

// Returns the place of a law in the order in which laws are tried.
std::ptrdiff_t place_of_law(const Record& record) {
  return law_named(record.law) - all_laws().data();
}

// Reads the header of a file whose first run is that of a shard.
Result<ShardFile> read_shard_header(const std::string& path) {
  const auto bad = [&path](const std::string& why) {
    return Error{Error::Code::bad_literal, printable(path) + " " + printable(why)};
  };
  std::ifstream file(path, std::ios::binary);
  if (!file) return unreadable(path);
  ForeignLines lines(file, path);
  std::string line;
  TRY(const auto read, lines.next(line));
  if (!read) return bad("is empty");
  auto header = header_in(line);
  if (!header) return bad("does not begin with the header of a run");
  if (!*header) return bad("cannot be merged: " + header->error().what);
  if (!(*header)->shard) return bad("has the records of a whole run, not of a shard");
  return ShardFile{path, **std::move(header), {}};
}

// A reader of lines at any place of a file, which is quickest in their order.  It keeps no descriptor,
// because there may be more files than a process may open.
class LineReader {
 public:
  explicit LineReader(std::string path) : path_(std::move(path)) {}

  // Returns the line that begins there, without its newline, until the next call.  Error: io.
  Result<std::string_view> at(std::uint64_t offset) {
    for (std::size_t wanted = std::size_t{1} << 14;; wanted *= 2) {
      if (offset >= begin_ && offset < begin_ + buffer_.size()) {
        const std::string_view from = std::string_view(buffer_).substr(offset - begin_);
        if (const std::size_t end = from.find('\n'); end != std::string_view::npos)
          return from.substr(0, end);
      }
      std::ifstream file(path_, std::ios::binary);
      if (!file || !file.seekg(static_cast<std::streamoff>(offset))) return unreadable(path_);
      buffer_.resize(wanted);
      file.read(buffer_.data(), static_cast<std::streamsize>(wanted));
      buffer_.resize(static_cast<std::size_t>(file.gcount()));
      begin_ = offset;
      const bool is_last = buffer_.size() < wanted || wanted > ForeignLines::longest_line;
      if (is_last && buffer_.find('\n') == std::string::npos) return was_changed(path_);
    }
  }

 private:
  std::string path_, buffer_;
  std::uint64_t begin_ = 0;  // of the buffer, in the file
};

}  // namespace

Result<Done> Merge::check_same_run() const {
  const ShardFile& first = files_.front();
  const RunHeader& wanted = first.header;
  if (wanted.certile_version != version)
    return bad(file_named(first) + " was written by certile " + printable(wanted.certile_version) +
               ", and this is " + version + ", which may plan other cases");
  for (const ShardFile& file : files_) {
    if (file.header.shard->shard.of != wanted.shard->shard.of)
      return bad(file_named(file) + " is one of " + std::to_string(file.header.shard->shard.of) +
                 " shards, and " + file_named(first) + " one of " + std::to_string(wanted.shard->shard.of));
    // Shards may have run on several machines.
    RunHeader as_first = file.header;
    as_first.environments = wanted.environments;
    if (const auto why = difference_between(as_first, wanted); !why.empty())
      return bad(file_named(file) + " is of another run than " + file_named(first) + ": " + why);
  }
  return Done{};
}

// Expects the files in the order of their shards.
Result<Done> Merge::check_no_shard_twice() const {
  const int of = files_.front().header.shard->shard.of;
  std::vector<std::string> missing;
  int next = 1;
  const auto miss_until = [&](int index) {
    for (; next < index; ++next)
      missing.push_back(std::to_string(next));
  };
  for (const ShardFile* before = nullptr; const ShardFile& file : files_) {
    const Shard& shard = file.header.shard->shard;
    if (before != nullptr && before->header.shard->shard == shard)
      return bad(file_named(*before) + " and " + file_named(file) + " both are " + to_string(shard));
    miss_until(shard.index);
    next = shard.index + 1;
    before = &file;
  }
  miss_until(of + 1);
  if (missing.empty()) return Done{};
  return bad("no file has shard" + std::string(missing.size() == 1 ? " " : "s ") + listed(missing, 8) +
             " of " + std::to_string(of));
}

Result<Done> Merge::make_plan_again(std::int64_t at_least) {
  header_ = files_.front().header;
  header_.shard.reset();
  std::set<Environment> environments;
  for (const ShardFile& file : files_)
    environments.insert(file.header.environments.begin(), file.header.environments.end());
  header_.environments.assign(environments.begin(), environments.end());
  RunHeader ours = header_;
  ours.list_pages();
  const std::string first = file_named(files_.front());
  if (header_.pages != ours.pages)
    return bad(first + " was judged by pages of the specification that are not those of this certile");
  auto made = make_plan(header_.claim, header_.transport, header_.options);
  if (!made) return bad("the plan of " + first + " cannot be made again: " + printable(made.error().what));
  plan_ = *std::move(made);
  if (plan_.digest != header_.plan_digest || std::cmp_not_equal(plan_.cases.size(), header_.planned) ||
      plan_.filtered != header_.filtered || plan_.corpora != header_.corpora)
    return bad("the plan that " + first +
               " names is not the one that its tier, seed, corpora and claim give");
  if (std::cmp_less(plan_.cases.size(), at_least))
    return bad("the plan of " + first + " has " + counted(header_.planned, "case") + ", and fewer than " +
               with_thousands(at_least) + " are no run to be merged");
  std::vector<std::int64_t> counts(files_.size());
  for (const PlannedCase& planned : plan_.cases) {
    const auto owner = owner_of(planned.literal, files_.front().header.shard->shard.of) - 1;
    places_.push_back({static_cast<std::size_t>(owner)});
    ++counts[places_.back().file];
  }
  for (std::size_t at = 0; at < files_.size(); ++at)
    if (const std::int64_t said = files_[at].header.shard->cases; said != counts[at])
      return bad(file_named(files_[at]) + " says that its shard has " + counted(said, "case") +
                 ", and it has " + with_thousands(counts[at]));
  return Done{};
}

Result<Done> Merge::read_records_of(std::size_t at,
                                    const std::unordered_map<std::string_view, std::size_t>& numbers) {
  ShardFile& file = files_[at];
  const Shard& shard = file.header.shard->shard;
  std::string wrong;
  const auto note = [&wrong](const std::string& why, const std::string& literal) {
    if (wrong.empty()) wrong = why + ": " + printable(literal);
  };
  std::uint64_t offset = 0, next = 0;
  std::size_t hash = 0;
  int runs = 0;
  RecordListener listener;
  listener.line = [&](std::string_view line) {
    offset = std::exchange(next, next + line.size() + 1);
    hash = std::hash<std::string_view>()(line);
  };
  listener.header = [&runs](const RunHeader&) { ++runs; };
  listener.record = [&](const Record& record) {
    if (!record.law.empty()) {
      if (law_named(record.law) == nullptr)
        return note("has a law that this certile does not know", record.law);
      if (!shard.has_place(static_cast<std::size_t>(place_of_law(record))))
        return note("is " + to_string(shard) + " and has a law of another shard", record.law);
      law_records_.push_back(record);
      return;
    }
    const auto number = numbers.find(record.literal);
    if (number == numbers.end()) return note("has a case that is not in the plan", record.literal);
    Place& place = places_[number->second];
    if (place.file != at)
      return note("is " + to_string(shard) + " and has a case of another shard", record.literal);
    if (place.offset != 0) return note("has a case twice", record.literal);
    place = {at, offset, hash};
    ++file.records;
  };
  listener.footer = [&file](const RunFooter& said, const RunFooter& real) {
    file.footer = said;
    return check_footer(said, real);
  };
  if (const auto read = read_records(file.path, listener); !read) return read.error();
  if (!wrong.empty()) return bad(file_named(file) + " " + wrong);
  if (runs != 1) return bad(file_named(file) + " has the records of several runs, and a shard's file of one");
  if (!file.footer.incomplete.empty())
    return bad(file_named(file) + " is incomplete: " + printable(file.footer.incomplete) +
               "; certile certify --resume completes it");
  if (const std::int64_t lacks = file.header.shard->cases - file.records; lacks > 0) {
    std::size_t number = 0;
    while (places_[number].file != at || places_[number].offset != 0)
      ++number;
    return bad(file_named(file) + " lacks " + counted(lacks, "case") + " of " + to_string(shard) + ": " +
               printable(plan_.cases[number].literal));
  }
  return Done{};
}

Result<Merge> Merge::of(const std::vector<std::string>& paths, std::int64_t at_least) {
  Merge merge;
  for (const std::string& path : paths) {
    TRY(auto file, read_shard_header(path));
    merge.files_.push_back(std::move(file));
  }
  std::ranges::stable_sort(merge.files_, {},
                           [](const ShardFile& file) { return file.header.shard->shard.index; });
  if (auto done = merge.check_same_run(); !done) return done.error();
  if (auto done = merge.check_no_shard_twice(); !done) return done.error();
  if (auto done = merge.make_plan_again(at_least); !done) return done.error();
  std::unordered_map<std::string_view, std::size_t> numbers;
  numbers.reserve(merge.plan_.cases.size());
  for (std::size_t number = 0; number < merge.plan_.cases.size(); ++number)
    numbers.emplace(merge.plan_.cases[number].literal, number);
  for (std::size_t at = 0; at < merge.files_.size(); ++at)
    if (auto done = merge.read_records_of(at, numbers); !done) return done.error();
  return merge;
}

Result<Summary> Merge::each(const OnLine& on_line) const {
  Summary summary(header_);
  std::vector<LineReader> readers;
  for (const ShardFile& file : files_)
    readers.emplace_back(file.path);
  for (const Place& place : places_) {
    TRY(const auto line, readers[place.file].at(place.offset));
    if (std::hash<std::string_view>()(line) != place.hash) return was_changed(files_[place.file].path);
    const auto record = record_from_json(foreign_json(line), header_);
    if (!record) return was_changed(files_[place.file].path);
    summary.add(*record);
    if (auto done = on_line(line); !done) return done.error();
  }
  if (auto done = hand_on_laws(summary, on_line); !done) return done.error();
  std::vector<Part> loaded;
  for (const ShardFile& file : files_)
    for (const Part& part : file.footer.loaded)
      if (std::ranges::find(loaded, part) == loaded.end()) loaded.push_back(part);
  std::ranges::stable_sort(loaded, {}, [](const Part& part) { return std::tie(part.name, part.digest); });
  summary.set_loaded(std::move(loaded));
  for (std::string& sentence : stale_waivers())
    summary.add_stale_waiver(std::move(sentence));
  return summary;
}

// Laws are tried only in a run whose cases do not fail, and a shard does not know the cases of the others.
Result<Done> Merge::hand_on_laws(Summary& summary, const OnLine& on_line) const {
  const std::int64_t against =
      summary.count(Verdict::fail) + summary.count(Verdict::waived) + summary.count(Verdict::not_run);
  if (against > 0 || summary.count(Verdict::pass) == 0) return Done{};
  LawTally tally;
  for (const ShardFile& file : files_) {
    tally.tried += file.footer.laws.tried;
    tally.broken += file.footer.laws.broken;
  }
  std::vector<Record> ordered = law_records_;
  std::ranges::stable_sort(ordered, {}, place_of_law);
  for (const Record& record : ordered) {
    summary.add(record);
    if (auto done = on_line(line_of(record)); !done) return done;
  }
  summary.add_laws(tally);
  return Done{};
}

// Returns the waivers that are idle in every shard; of a filtered plan only those that have expired.
std::vector<std::string> Merge::stale_waivers() const {
  if (header_.filtered) return files_.front().footer.stale_waivers;
  std::vector<std::string> stale = files_.front().footer.of_shard.idle_waivers;
  for (const ShardFile& file : files_)
    std::erase_if(stale, [&idle = file.footer.of_shard.idle_waivers](const std::string& sentence) {
      return std::ranges::find(idle, sentence) == idle.end();
    });
  return stale;
}

}  // namespace certile::conformance
