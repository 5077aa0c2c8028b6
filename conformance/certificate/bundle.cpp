#include "conformance/certificate/bundle.hpp"

#include <zstd.h>

#include <memory>
#include <utility>
#include <vector>

#include "conformance/certificate/bundle_check.hpp"
#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/run_files.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/digest.hpp"
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

}  // namespace certile::conformance
