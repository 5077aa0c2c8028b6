#pragma once
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/certificate/key.hpp"
#include "conformance/cli/file_conflicts.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// The certificate and the bundle that a command line requests.
struct CertificateFiles {
  std::string certificate, bundle, key;  // paths; empty: not requested

  std::vector<NamedFile> named() const;
  bool are_requested() const noexcept { return !certificate.empty() || !bundle.empty(); }

  // Removes an earlier certificate from the places of this one.  Returns a sentence if none could be written
  // there, or if there is no such key.
  std::optional<std::string> prepare() const;

  // Writes the certificate of the one backend, whose records are in a file, and its first line to `out`.
  // Returns 0; 1 after a sentence on `error` if the run gives none; 2 if a file cannot be written.
  int write(const std::vector<const Summary*>& all, const std::string& records, std::ostream& out,
            std::ostream& error) const;

 private:
  Result<Done> write_files(const Summary& summary, const std::string& records, const Key* key) const;
};

// The records of a run: in the file that a command line names, or in an unnamed one if only a bundle needs
// them, or only their digest if only a certificate needs that.
class RunRecords {
 public:
  // Opens the file.  The writer is null if no records are needed.  Errors: as RecordWriter::open.
  static Result<RunRecords> open(const std::string& path, const CertificateFiles& certificate);
  RunRecords() = default;
  // Goes on writing the records at `path`.
  RunRecords(std::string path, std::unique_ptr<RecordWriter> writer)
      : path_(std::move(path)), writer_(std::move(writer)) {}
  RunRecords(RunRecords&& other) noexcept;
  RunRecords& operator=(RunRecords&& other) noexcept;
  ~RunRecords();

  RecordWriter* writer() const noexcept { return writer_.get(); }
  // Returns the path at which this process can read the records.
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::unique_ptr<RecordWriter> writer_;
  int unnamed_ = -1;  // a descriptor
};

}  // namespace certile::conformance
