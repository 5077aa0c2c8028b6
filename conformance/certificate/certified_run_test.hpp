#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "conformance/certificate/bundle.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {

// Returns the header of a run whose records give a certificate.
inline RunHeader certified_header(std::int64_t planned) {
  RunHeader header = example_header(planned);
  header.certile_commit = std::string(40, 'c');
  header.environments = {{"x86_64", "A processor", "Linux 6.1.0", "glibc 2.36"}};
  header.claim.types = {ElementType::f32};
  header.claim.repeats_types = {ElementType::i64};
  header.claim.max_rank = 4;
  header.corpora = {{"conformance/plan/corpora/core.tile", std::string(64, 'd')}};
  return header;
}

// Returns a summary with the facts of a finished run: what was loaded, and a digest of records.
inline Summary finished(Summary summary) {
  summary.set_loaded({{"certile-host", "", std::string(64, 'e')}, {"libmine.so", "", std::string(64, 'a')}});
  summary.set_records_digest(std::string(64, 'f'));
  return summary;
}

// Returns a pass that exercises every testable clause.
inline Record whole_pass(const Summary& summary, std::string literal) {
  Record record = example_pass(std::move(literal), {});
  for (const Clause* clause : summary.clauses())
    if (clause->testable) record.judged.exercised.push_back(clause->id);
  return record;
}

// Returns a summary that gives a certificate, with the changes that `alter` makes to its header.
inline Summary certified_run(void (*alter)(RunHeader&) = [](RunHeader&) {}) {
  RunHeader header = certified_header(1);
  alter(header);
  Summary summary(header);
  summary.add(whole_pass(summary, "openvino-tile-1 f32[2,3] x i64{2,2}"));
  return finished(std::move(summary));
}

// Returns the path of a file with the records of such a run, of `cases` cases.
inline std::string certified_records(int cases, const std::string& waivers_digest = {}) {
  RunHeader header = certified_header(cases);
  if (!waivers_digest.empty()) header.waivers = {"mine.waivers", waivers_digest, 1};
  Summary summary(header);
  const std::string path = temporary_path(".jsonl");
  const auto writer = RecordWriter::open(path);
  EXPECT_TRUE((*writer)->header(header));
  for (int index = 1; index <= cases; ++index) {
    const Record record =
        whole_pass(summary, "openvino-tile-1 f32[2,3] x i64{2," + std::to_string(index) + "}");
    summary.add(record);
    EXPECT_TRUE((*writer)->record(record));
  }
  EXPECT_TRUE((*writer)->footer(finished(std::move(summary))));
  return path;
}

// Returns the bundle of such a run, signed if there is a key.
inline Bundle certified_bundle(const Key* key, const std::string& waivers = {},
                               const std::string& digest = {}) {
  const std::string path = certified_records(3, digest);
  const auto runs = read_runs(path);
  EXPECT_TRUE(runs);
  std::ifstream records(path);
  auto bundle = make_bundle(runs->front(), records, waivers, key);
  EXPECT_TRUE(bundle) << bundle.error().what;
  return bundle ? *std::move(bundle) : Bundle();
}

}  // namespace certile::conformance
