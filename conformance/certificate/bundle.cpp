#include "conformance/certificate/bundle.hpp"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/certificate/bundle_check.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/run_files.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/digest.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

namespace {

Error broken(const std::string& why) {
  return {Error::Code::io, why};
}

// The bytes of a file in zstd's format, and the SHA-256 of what they stand for.
struct Compressed {
  std::string bytes, digest;
};

Result<Compressed> compressed(std::istream& text) {
  struct Free {
    void operator()(ZSTD_CCtx* freed) const { ZSTD_freeCCtx(freed); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) return broken("zstd has no memory");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  Compressed done;
  Sha256 digest;
  std::vector<char> piece(ZSTD_CStreamInSize()), packed(ZSTD_CStreamOutSize());
  for (bool is_last = false; !is_last;) {
    text.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    ZSTD_inBuffer in{piece.data(), static_cast<std::size_t>(text.gcount()), 0};
    digest.add({piece.data(), in.size});
    is_last = in.size < piece.size();
    for (std::size_t left = 1; is_last ? left != 0 : in.pos < in.size;) {
      ZSTD_outBuffer out{packed.data(), packed.size(), 0};
      left = ZSTD_compressStream2(context.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0)
        return broken(std::string("zstd cannot compress the records: ") + ZSTD_getErrorName(left));
      done.bytes.append(packed.data(), out.pos);
    }
  }
  done.digest = digest.hex();
  return done;
}

}  // namespace

Result<Bundle> make_bundle(const Summary& summary, std::istream& records, const std::string& waivers,
                           const Key* key) {
  auto packed = compressed(records);
  if (!packed) return packed.error();
  if (packed->digest != summary.records_digest())
    return broken("the file of records is not the one of this run alone, or was changed");
  const RunHeader::Waivers& named = summary.header().waivers;
  if (!named.path.empty() && sha256_hex(waivers) != named.digest)
    return broken(printable(named.path) + " was changed after the run");
  Bundle bundle = files_of_run(summary);
  bundle[bundled_records] = std::move(packed->bytes);
  if (!named.path.empty()) bundle[waivers_file] = waivers;
  if (key != nullptr) {
    auto envelope = enveloped(statement_of(summary), *key);
    if (!envelope) return envelope.error();
    bundle[envelope_file] = *std::move(envelope);
  } else {
    bundle[statement_file] = statement_of(summary);
  }
  bundle[manifest_file] = manifest_of(bundle);
  return bundle;
}

Bundle files_of_run(const Summary& summary) {
  return {{environment_file, environment_of(summary)},
          {plan_file, plan_of(summary)},
          {repro_file, repro_of(summary)}};
}

std::string manifest_of(const Bundle& bundle) {
  std::string lines;
  for (const auto& [name, content] : bundle)
    if (name != manifest_file) lines += sha256_hex(content) + "  " + name + "\n";
  return lines;
}

namespace {

namespace files = std::filesystem;

bool is_of_bundle(const std::string& name) {
  constexpr std::array names{bundled_records, environment_file, plan_file,     waivers_file,
                             repro_file,      statement_file,   envelope_file, manifest_file};
  return std::ranges::any_of(names, [&name](std::string_view each) { return each == name; });
}

// More than a bundle has, so that one of them is no file of a bundle.
constexpr std::size_t most_names = 100;

// Returns the names in a folder, sorted, or as many as it takes to see that it is no bundle; none if it does
// not exist.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (files::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (names.size() < most_names) names.push_back(entry->path().filename().string());
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Error{Error::Code::io, "cannot read " + printable(folder) + ": " + failed.message()};
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::optional<std::string> no_place_for_bundle(const std::string& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error().what;
  for (const std::string& name : *names)
    if (!is_of_bundle(name))
      return printable(folder) + " has a file that is no part of a bundle, " + printable(name) +
             "; name a new or an empty folder";
  return std::nullopt;
}

Result<Done> write_bundle(const std::string& folder, const Bundle& bundle) {
  const auto cannot = [&](const std::error_code& why) {
    return Error{Error::Code::io, "cannot write " + printable(folder) + ": " + why.message()};
  };
  std::error_code failed;
  files::create_directories(folder, failed);
  if (failed) return cannot(failed);
  const auto before = names_in(folder);
  if (!before) return before.error();
  const auto remove = [&](const std::string& name) {
    if (!failed) files::remove(files::path(folder) / name, failed);
  };
  // Without a manifest the folder is no bundle, so what an interruption leaves cannot be taken for one.
  remove(manifest_file);
  for (const std::string& name : *before)
    if (is_of_bundle(name)) remove(name);
  if (failed) return cannot(failed);
  const auto write = [&](const std::string& name) {
    return write_whole_file((files::path(folder) / name).string(), bundle.at(name));
  };
  for (const auto& [name, content] : bundle)
    if (name != manifest_file)
      if (auto written = write(name); !written) return written;
  return write(manifest_file);
}

Result<Bundle> read_bundle(const std::string& folder) {
  const auto names = names_in(folder);
  if (!names) return names.error();
  Bundle bundle;
  for (const std::string& name : *names) {
    // The content of a foreign file does not matter, because its name is wrong.
    const std::size_t most = name == bundled_records ? most_compressed : most_of_a_file;
    auto content = is_of_bundle(name)
                       ? read_regular((files::path(folder) / name).string(), "the bundle's file", most)
                       : Result<std::string>(std::string());
    if (!content) return content.error();
    bundle.emplace(name, *std::move(content));
  }
  return bundle;
}

}  // namespace certile::conformance
