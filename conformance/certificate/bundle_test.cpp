#include "conformance/certificate/bundle.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "conformance/certificate/certified_run_test.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

namespace fs = std::filesystem;

const Key& key_of(Key::Type type) {
  static const Key ed25519 = *Key::generate(Key::Type::ed25519), p256 = *Key::generate(Key::Type::p256);
  return type == Key::Type::p256 ? p256 : ed25519;
}

const Key& a_key() {
  return key_of(Key::Type::ed25519);
}

// Returns the subject and the sentence of the check that does not hold; nothing if all hold.  What the
// records say is not looked at, because those here are of no real plan.
std::string wrong_in(const Bundle& bundle, const Key* key) {
  const auto checks = verify_bundle(bundle, key).checks;
  return checks.back().holds ? std::string()
                             : std::string(checks.back().subject) + ": " + checks.back().sentence;
}

// Returns the bundle with a manifest of what it has now.
Bundle sealed(Bundle bundle) {
  bundle["MANIFEST.sha256"] = manifest_of(bundle);
  return bundle;
}

std::string zstd_of(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

TEST(Bundle, HoldsAsItIsMade) {
  EXPECT_EQ(wrong_in(certified_bundle(nullptr), nullptr), "");
  for (const auto type : {Key::Type::ed25519, Key::Type::p256})
    EXPECT_EQ(wrong_in(certified_bundle(&key_of(type)), &key_of(type)), "");
}

TEST(Bundle, HasTheSameBytesEachTime) {
  EXPECT_EQ(certified_bundle(&a_key()), certified_bundle(&a_key()));
}

TEST(Bundle, HasItsManifestInTheFormOfSha256sum) {
  const Bundle bundle = certified_bundle(nullptr);
  std::string lines;
  for (const char* name :
       {"environment.json", "plan.json", "records.jsonl.zst", "repro.sh", "statement.json"})
    lines += sha256_hex(bundle.at(name)) + "  " + name + "\n";
  EXPECT_EQ(bundle.at("MANIFEST.sha256"), lines);
}

// Makes a thousand edits of each kind, or as many as CERTILE_EDITS says.
TEST(Bundle, IsRejectedAfterAnyEditOfOneByte) {
  const char* wished = std::getenv("CERTILE_EDITS");
  const int edits = wished != nullptr ? std::atoi(wished) : 1'000;
  const Bundle right = certified_bundle(&a_key());
  std::string envelope = right.at("statement.dsse.json");
  ASSERT_EQ(wrong_in(right, &a_key()), "");
  ASSERT_TRUE(opened(envelope, a_key()));
  std::mt19937_64 random(1);
  const auto edit = [&random](std::string& text) {
    const std::size_t at = random() % text.size();
    const char before = text[at];
    while (text[at] == before)
      text[at] = static_cast<char>(random());
    return at;
  };
  for (int count = 0; count < edits; ++count) {
    Bundle bundle = right;
    auto file = bundle.begin();
    std::advance(file, static_cast<std::ptrdiff_t>(random() % bundle.size()));
    const std::size_t at = edit(file->second);
    ASSERT_NE(wrong_in(bundle, &a_key()), "") << file->first << " byte " << at;
    std::string edited = envelope;
    const std::size_t place = edit(edited);
    ASSERT_FALSE(opened(edited, a_key())) << "envelope byte " << place;
  }
}

TEST(Bundle, NamesTheFileAndTheLineThatAreWrong) {
  Bundle bundle = certified_bundle(nullptr);
  bundle.at("plan.json")[0] = '[';
  EXPECT_EQ(wrong_in(bundle, nullptr).substr(0, 56),
            "digests: MANIFEST.sha256:2: the SHA-256 of plan.json is ");
  bundle = certified_bundle(nullptr);
  bundle.at("MANIFEST.sha256") += '\n';
  EXPECT_EQ(wrong_in(bundle, nullptr), "digests: MANIFEST.sha256: there is more than a line for each file");
}

TEST(Bundle, IsAClosedList) {
  const Bundle right = certified_bundle(nullptr);
  for (const auto& [name, content] : right) {
    Bundle bundle = right;
    bundle.erase(name);
    const std::string why = wrong_in(name == "MANIFEST.sha256" ? bundle : sealed(bundle), nullptr);
    EXPECT_EQ(why, "list: " + name + " is missing");
  }
  Bundle bundle = right;
  bundle["copy of plan.json"] = bundle.at("plan.json");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "list: copy of plan.json is no file of a bundle");
  bundle = right;
  bundle["waivers"] = "";
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "waivers: waivers is there, and the run had none");
}

TEST(Bundle, IsSignedIfAndOnlyIfAKeyIsGiven) {
  EXPECT_EQ(wrong_in(certified_bundle(&a_key()), nullptr),
            "list: the statement is signed, and no key is given to verify it");
  EXPECT_EQ(wrong_in(certified_bundle(nullptr), &a_key()),
            "list: there is no statement.dsse.json: the statement is not signed");
}

TEST(Bundle, HasTheSignatureOfTheKeyThatIsGiven) {
  const Key other = *Key::generate(Key::Type::ed25519);
  const std::string why = wrong_in(certified_bundle(&a_key()), &other);
  EXPECT_EQ(why, "signature: statement.dsse.json: it names the key " + a_key().id() +
                     ", and the one given is " + other.id());
}

// Somebody who makes the manifest again is stopped by what follows from the records, and by the signature.
TEST(Bundle, IsRejectedAfterEditsThatItsManifestAdmits) {
  const Bundle right = certified_bundle(nullptr);
  for (const char* name : {"environment.json", "plan.json", "repro.sh"}) {
    Bundle bundle = right;
    bundle.at(name)[2] = '#';
    EXPECT_EQ(wrong_in(sealed(bundle), nullptr),
              "files: " + std::string(name) + ": byte 2 is not what follows from the records");
  }
  Bundle bundle = right;
  std::string& statement = bundle.at("statement.json");
  statement.replace(statement.find("PASSED"), 6, "WARNED");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr).substr(0, 31), "statement: statement.json: byte");
}

TEST(Bundle, IsRejectedWithTheRecordsOfAnotherRun) {
  Bundle bundle = certified_bundle(&a_key());
  const std::string path = certified_records(4);
  const auto runs = read_runs(path);
  std::ifstream records(path);
  bundle.at("records.jsonl.zst") = make_bundle(runs->front(), records, "", nullptr)->at("records.jsonl.zst");
  EXPECT_EQ(wrong_in(sealed(bundle), &a_key()).substr(0, 55),
            "records: records.jsonl.zst: the SHA-256 of its lines is");
}

TEST(Bundle, NamesTheLineOfRecordsThatCannotBeRead) {
  Bundle bundle = certified_bundle(nullptr);
  bundle.at("records.jsonl.zst").resize(bundle.at("records.jsonl.zst").size() - 1);
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr).substr(0, 9), "records: ");
  bundle.at("records.jsonl.zst") = "{\"header\":{}}\n";
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr).substr(0, 9), "records: ");
}

// Text without a newline is a line that was cut, a frame of zstd may be one that readers skip, and a second
// one has lines that are in no run.
TEST(Bundle, HasNoByteOfRecordsThatBelongsToNoLine) {
  Bundle bundle = certified_bundle(nullptr);
  std::string& records = bundle.at("records.jsonl.zst");
  const std::string right = records, lines = file_content(certified_records(3));
  records = zstd_of(lines);
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "");
  records = zstd_of(lines + "a note");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr),
            "records: records.jsonl.zst:6: the line has no newline: the file was cut short");
  const std::string skippable("\x50\x2a\x4d\x18\x01\x00\x00\x00x", 9);
  for (const std::string& more : {right + skippable, skippable + right, right + zstd_of(""), right + "x"}) {
    records = more;
    EXPECT_EQ(wrong_in(sealed(bundle), nullptr),
              "records: cannot read records.jsonl.zst: there is more behind the compressed lines");
  }
  records = right.substr(0, right.size() - 1);
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr),
            "records: cannot read records.jsonl.zst: the compressed file is cut");
}

TEST(Bundle, HasLinesOfALimitedLength) {
  Bundle bundle = certified_bundle(nullptr);
  const std::string lines = file_content(certified_records(3));
  bundle.at("records.jsonl.zst") = zstd_of(lines.substr(0, lines.find('\n') + 1) + R"({"backend":")" +
                                           std::string(5 << 20, 'a') + "\"}\n");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "records: records.jsonl.zst:2: the line has more than 4 MiB");
}

TEST(Bundle, IsNotReadToItsEndIfAThousandRecordsAreWrong) {
  const std::string path = certified_records(1'500);
  const auto runs = read_runs(path);
  std::ifstream records(path);
  EXPECT_EQ(wrong_in(*make_bundle(runs->front(), records, "", nullptr), nullptr),
            "records: records.jsonl.zst: not checked to its end, because 1,000 records are wrong");
}

// The second line is no JSON, which no one finds out.
TEST(Bundle, HasTheDigestOfItsRecordsTakenBeforeTheyAreParsed) {
  Bundle bundle = certified_bundle(nullptr);
  const std::string lines = file_content(certified_records(3));
  const std::string header = lines.substr(0, lines.find('\n') + 1);
  bundle.at("records.jsonl.zst") = zstd_of(header + "{\n");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "records: records.jsonl.zst: the SHA-256 of its lines is " +
                                                   sha256_hex(header + "{\n") +
                                                   ", and the statement is about others");
}

// Such a plan could have any number of cases, or be read from any file.
TEST(Bundle, IsRejectedBeforeItsPlanIsMadeIfNoCertificateIsOfSuchAPlan) {
  Bundle bundle = certified_bundle(nullptr);
  const std::string lines = file_content(certified_records(3));
  const auto wrong_with = [&](const std::string& before, const std::string& after) {
    std::string altered = lines;
    altered.replace(altered.find(before), before.size(), after);
    bundle.at("records.jsonl.zst") = zstd_of(altered);
    return wrong_in(sealed(bundle), nullptr);
  };
  EXPECT_EQ(
      wrong_with(R"("random_cases":null)", R"("random_cases":9000000000000)"),
      "records: the records give no certificate: --random changed the number of random cases of the tier");
  EXPECT_EQ(wrong_with(R"("corpora":[])", R"("corpora":["/dev/zero"])"),
            "records: the records give no certificate: the plan was filtered");
}

TEST(Bundle, IsOfRegularFiles) {
  const std::string folder = temporary_path(".bundle"), plan = folder + "/plan.json";
  ASSERT_TRUE(write_bundle(folder, certified_bundle(nullptr)));
  fs::remove(plan);
  ASSERT_EQ(mkfifo(plan.c_str(), 0600), 0);
  EXPECT_EQ(read_bundle(folder).error().what,
            "cannot read the bundle's file " + plan + ": it is no regular file");
  fs::remove(plan);
  fs::create_symlink("/etc/hostname", plan);
  EXPECT_EQ(read_bundle(folder).error().what,
            "cannot read the bundle's file " + plan + ": it is no regular file");
  const std::string records = folder + "/records.jsonl.zst";
  fs::remove(records);
  ASSERT_EQ(mkfifo(records.c_str(), 0600), 0);
  EXPECT_EQ(read_runs(folder).error().what, "cannot read the records " + records + ": it is no regular file");
}

TEST(Bundle, HasFilesOfALimitedSize) {
  const std::string folder = temporary_path(".bundle"), plan = folder + "/plan.json";
  ASSERT_TRUE(write_bundle(folder, certified_bundle(nullptr)));
  fs::resize_file(plan, (std::uintmax_t{4} << 20) + 1);
  EXPECT_EQ(read_bundle(folder).error().what,
            "cannot read the bundle's file " + plan + ": it holds more than 4 MiB; divide it");
  fs::resize_file(plan, 0);
  fs::resize_file(folder + "/records.jsonl.zst", (std::uintmax_t{32} << 20) + 1);
  EXPECT_EQ(read_bundle(folder).error().what.substr(0, 23), "cannot read the bundle'");
}

TEST(Bundle, HasTheWaiversOfTheRun) {
  const std::string waivers = "OV-T1-X4 f32 ...\n";
  const Bundle right = certified_bundle(nullptr, waivers, sha256_hex(waivers));
  EXPECT_EQ(wrong_in(right, nullptr), "");
  Bundle bundle = right;
  bundle.at("waivers") = "OV-T1-X4 u8 ...\n";
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "waivers: waivers: its SHA-256 is not the one in the records");
  bundle.erase("waivers");
  EXPECT_EQ(wrong_in(sealed(bundle), nullptr), "waivers: waivers is missing, and the run had some");
}

TEST(Bundle, IsNotMadeOfOtherRecordsOrWaivers) {
  const auto runs = read_runs(certified_records(3, sha256_hex("mine")));
  std::istringstream other("{}\n");
  EXPECT_EQ(make_bundle(runs->front(), other, "mine", nullptr).error().what,
            "the file of records is not the one of this run alone, or was changed");
  std::ifstream records(temporary_path(".jsonl"));
  EXPECT_EQ(make_bundle(runs->front(), records, "theirs", nullptr).error().what,
            "mine.waivers was changed after the run");
}

TEST(Bundle, IsAFolderWithItsFilesAndReplacesAnotherBundleAlone) {
  const std::string folder = temporary_path(".bundle");
  const Bundle is_signed = certified_bundle(&a_key()), is_not = certified_bundle(nullptr);
  ASSERT_TRUE(write_bundle(folder, is_signed));
  EXPECT_EQ(*read_bundle(folder), is_signed);
  EXPECT_EQ(no_place_for_bundle(folder), std::nullopt);
  ASSERT_TRUE(write_bundle(folder, is_not));
  EXPECT_EQ(*read_bundle(folder), is_not);
  std::ofstream(folder + "/notes.txt") << "mine";
  EXPECT_EQ(no_place_for_bundle(folder),
            folder + " has a file that is no part of a bundle, notes.txt; name a new or an empty folder");
  EXPECT_EQ(wrong_in(*read_bundle(folder), nullptr), "list: notes.txt is no file of a bundle");
}

}  // namespace
}  // namespace certile::conformance
