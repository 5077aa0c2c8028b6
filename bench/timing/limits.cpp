#include "bench/timing/limits.hpp"

#include <algorithm>
#include <cstring>

#include "backends/shape/shape_rules.hpp"
#include "backends/shape/tile_plan.hpp"
#include "bench/timing/measure.hpp"
#include "bench/timing/stores.hpp"

namespace certile::bench {
namespace {

constexpr std::size_t page_bytes = 4096, line_bytes = 64;
constexpr int filler = 0x5a;

// Fills by the C library, with the signature of the other fills.
void fill_by_library(std::span<std::byte> output) {
  std::memset(output.data(), filler, output.size());
}

void copy_by_library(std::span<std::byte> output, std::span<const std::byte> source) {
  while (!output.empty()) {
    const std::size_t piece = std::min(output.size(), source.size());
    std::memcpy(output.data(), source.data(), piece);
    output = output.subspan(piece);
  }
}

// One of the two kinds of stores; the other is null.
struct Kernel {
  StoreKernels::Fill fill = nullptr;
  StoreKernels::Copy copy = nullptr;
};

Kernel kernel_of(Probe probe) noexcept {
  const StoreKernels& kernels = store_kernels();
  switch (probe) {
    case Probe::fill:
      return {kernels.fill, nullptr};
    case Probe::fill_non_temporal:
      return {kernels.fill_non_temporal, nullptr};
    case Probe::fill_string:
      return {kernels.fill_string, nullptr};
    case Probe::memset:
      return {fill_by_library, nullptr};
    case Probe::copy:
      return {nullptr, kernels.copy};
    case Probe::copy_non_temporal:
      return {nullptr, kernels.copy_non_temporal};
    case Probe::copy_string:
      return {nullptr, kernels.copy_string};
    case Probe::memcpy:
      return {nullptr, copy_by_library};
    case Probe::call:
      break;
  }
  return {};
}

// Rules and plans a call as every built-in backend does, and then fills the output.
std::int32_t fill_as_called(void*, const certile_call* call, certile_tensor* out, certile_text*) {
  backends::TilePlan plan;
  if (!backends::plan_usual_call(*call, *out, plan))
    if (const auto ruling = backends::plan_any_call(*call, *out, plan); ruling.status != CERTILE_OK)
      return ruling.status;
  store_kernels().fill({static_cast<std::byte*>(out->data), out->byte_size});
  return CERTILE_OK;
}

}  // namespace

std::unique_ptr<TimedCall> call_probe(DefinitionId definition, CaseMemory& memory) {
  static const certile_plugin table = [] {
    certile_plugin made{};
    made.run = fill_as_called;
    return made;
  }();
  return std::make_unique<TableCall>(table, definition, memory);
}

ByteRange part_of(std::size_t size, int part, int parts) noexcept {
  const auto count = static_cast<std::size_t>(parts);
  const std::size_t unit = size >= page_bytes * count ? page_bytes : line_bytes;
  const std::size_t units = (size + unit - 1) / unit;
  const auto edge = [&](int index) {
    return std::min(units * static_cast<std::size_t>(index) / count * unit, size);
  };
  return {edge(part), edge(part + 1) - edge(part)};
}

std::vector<Probe> available_probes(std::uint64_t output_bytes, int threads) {
  std::vector<Probe> probes;
  for (const Probe probe : {Probe::fill, Probe::fill_non_temporal, Probe::fill_string, Probe::memset,
                            Probe::copy, Probe::copy_non_temporal, Probe::copy_string, Probe::memcpy}) {
    const Kernel kernel = kernel_of(probe);
    if (kernel.fill != nullptr || kernel.copy != nullptr) probes.push_back(probe);
  }
  if (output_bytes <= most_tiny && threads == 1) probes.push_back(Probe::call);
  return probes;
}

void LimitCall::run(benchmark::State& state, Temperature temperature) {
  const Kernel kernel = kernel_of(probe_);
  const std::span<std::byte> output = memory_.output().bytes;
  const std::span<const std::byte> source = memory_.source();
  const auto write = [&](std::span<std::byte> bytes) {
    if (kernel.fill != nullptr)
      kernel.fill(bytes);
    else
      kernel.copy(bytes, source);
    return true;
  };
  if (team_.size() == 1) return run_here(state, temperature, memory_, [&] { return write(output); });

  const Team::Shift shift(team_);
  auto write_part = [&](int thread) {
    const ByteRange part = part_of(output.size(), thread, team_.size());
    write(output.subspan(part.begin, part.size));
  };
  run_here(state, temperature, memory_, [&] {
    team_.run(write_part);
    return true;
  });
}

}  // namespace certile::bench
