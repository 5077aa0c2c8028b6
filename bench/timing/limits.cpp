#include "bench/timing/limits.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "backends/shape/shape_rules.hpp"
#include "backends/shape/tile_plan.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace certile::bench {
namespace {

constexpr std::size_t page_bytes = 4096, line_bytes = 64;
constexpr char fill_byte = 0x5a;

using Output = std::span<std::byte>;
using Source = std::span<const std::byte>;

void fill_by_library(Output output, Source) {
  std::memset(output.data(), fill_byte, output.size());
}

void copy_by_library(Output output, Source source) {
  while (!output.empty()) {
    const std::size_t piece = std::min(output.size(), source.size());
    std::memcpy(output.data(), source.data(), piece);
    output = output.subspan(piece);
  }
}

// Keeps the compiler from recognising the loop and calling memset or memcpy instead.
#define CERTILE_KEEP_LOOP() __asm__ volatile("" : : : "memory")

// The loops for VECTOR registers loaded by LOAD, made by SPLAT and written by STORE; DONE follows the last.
// Each is compiled for its own instruction set.  They share no inline function, because the linker would keep
// one copy for all.
#define CERTILE_STORE_LOOPS(NAME, TARGET, VECTOR, SPLAT, LOAD, STORE, DONE) \
  TARGET void fill_##NAME(Output output, Source) {                          \
    auto* out = reinterpret_cast<VECTOR*>(output.data());                   \
    std::size_t left = output.size();                                       \
    const VECTOR value = SPLAT(fill_byte);                                  \
    for (; left >= 4 * sizeof(VECTOR); left -= 4 * sizeof(VECTOR)) {        \
      STORE(out, value);                                                    \
      STORE(out + 1, value);                                                \
      STORE(out + 2, value);                                                \
      STORE(out + 3, value);                                                \
      out += 4;                                                             \
      CERTILE_KEEP_LOOP();                                                  \
    }                                                                       \
    for (; left >= sizeof(VECTOR); left -= sizeof(VECTOR)) {                \
      STORE(out++, value);                                                  \
      CERTILE_KEEP_LOOP();                                                  \
    }                                                                       \
    if (left != 0) std::memset(out, fill_byte, left);                       \
    DONE();                                                                 \
  }                                                                         \
  TARGET void copy_##NAME(Output output, Source source) {                   \
    auto* out = reinterpret_cast<VECTOR*>(output.data());                   \
    for (std::size_t rest = output.size(); rest != 0;) {                    \
      const auto* in = reinterpret_cast<const VECTOR*>(source.data());      \
      std::size_t left = rest < source.size() ? rest : source.size();       \
      rest -= left;                                                         \
      for (; left >= 2 * sizeof(VECTOR); left -= 2 * sizeof(VECTOR)) {      \
        const VECTOR first = LOAD(in), second = LOAD(in + 1);               \
        STORE(out, first);                                                  \
        STORE(out + 1, second);                                             \
        in += 2;                                                            \
        out += 2;                                                           \
        CERTILE_KEEP_LOOP();                                                \
      }                                                                     \
      for (; left >= sizeof(VECTOR); left -= sizeof(VECTOR)) {              \
        STORE(out++, LOAD(in++));                                           \
        CERTILE_KEEP_LOOP();                                                \
      }                                                                     \
      if (left != 0) std::memcpy(out, in, left);                            \
    }                                                                       \
    DONE();                                                                 \
  }

#define CERTILE_NOTHING()

// In the order of Probe.
using Writes = std::array<Write, 9>;

#if defined(__x86_64__)

#define CERTILE_AVX512 __attribute__((target("avx512f")))
#define CERTILE_AVX2 __attribute__((target("avx2")))
CERTILE_STORE_LOOPS(512, CERTILE_AVX512, __m512i, _mm512_set1_epi8, _mm512_loadu_si512, _mm512_store_si512,
                    CERTILE_NOTHING)
CERTILE_STORE_LOOPS(512_non_temporal, CERTILE_AVX512, __m512i, _mm512_set1_epi8, _mm512_loadu_si512,
                    _mm512_stream_si512, _mm_sfence)
CERTILE_STORE_LOOPS(256, CERTILE_AVX2, __m256i, _mm256_set1_epi8, _mm256_loadu_si256, _mm256_store_si256,
                    CERTILE_NOTHING)
CERTILE_STORE_LOOPS(256_non_temporal, CERTILE_AVX2, __m256i, _mm256_set1_epi8, _mm256_loadu_si256,
                    _mm256_stream_si256, _mm_sfence)
CERTILE_STORE_LOOPS(128, , __m128i, _mm_set1_epi8, _mm_loadu_si128, _mm_store_si128, CERTILE_NOTHING)
CERTILE_STORE_LOOPS(128_non_temporal, , __m128i, _mm_set1_epi8, _mm_loadu_si128, _mm_stream_si128, _mm_sfence)

void fill_string(Output output, Source) {
  void* to = output.data();
  std::size_t words = output.size() / 8;
  __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0x0101010101010101 * fill_byte) : "memory");
  std::memset(to, fill_byte, output.size() % 8);
}

void copy_string(Output output, Source source) {
  void* to = output.data();
  for (std::size_t left = output.size(); left != 0;) {
    const void* from = source.data();
    std::size_t piece = left < source.size() ? left : source.size();
    left -= piece;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(piece) : : "memory");
  }
}

Writes writes_of_this_processor() noexcept {
  if (__builtin_cpu_supports("avx512f"))
    return {fill_512, fill_512_non_temporal, fill_string, fill_by_library,
            copy_512, copy_512_non_temporal, copy_string, copy_by_library};
  if (__builtin_cpu_supports("avx2"))
    return {fill_256, fill_256_non_temporal, fill_string, fill_by_library,
            copy_256, copy_256_non_temporal, copy_string, copy_by_library};
  return {fill_128, fill_128_non_temporal, fill_string, fill_by_library,
          copy_128, copy_128_non_temporal, copy_string, copy_by_library};
}

#else

// The compiler's choice of register for 16 bytes.
using Vector = unsigned char __attribute__((vector_size(16)));
using Unaligned = Vector __attribute__((aligned(1)));

Vector splat(char value) {
  return Vector{} + static_cast<unsigned char>(value);
}
Vector load(const Vector* from) {
  return *reinterpret_cast<const Unaligned*>(from);
}
void store(Vector* to, Vector value) {
  *to = value;
}
CERTILE_STORE_LOOPS(plain, , Vector, splat, load, store, CERTILE_NOTHING)

Writes writes_of_this_processor() noexcept {
  return {fill_plain, nullptr, nullptr, fill_by_library, copy_plain, nullptr, nullptr, copy_by_library};
}

#endif

enum TeamState : int { asleep, at_work, dismissed };

// Yields the processor now and then, so that a team larger than the machine still finishes.
constexpr int spins_before_yield = 1 << 14;

void relax(int& spins) noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  if (++spins % spins_before_yield == 0) sched_yield();
}

// Binds the calling thread, number `thread`, to one of these processors, in turn.
void bind_to_one_of(const cpu_set_t& processors, int thread) noexcept {
  if (CPU_COUNT(&processors) == 0) return;
  int skipped = thread % CPU_COUNT(&processors);
  std::size_t processor = 0;
  while (!CPU_ISSET(processor, &processors) || skipped-- > 0)
    ++processor;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

// Rules and plans a call as every built-in backend does, and then fills the output.
std::int32_t fill_as_called(void*, const certile_call* call, certile_tensor* out, certile_text*) {
  backends::TilePlan plan;
  if (!backends::plan_usual_call(*call, *out, plan))
    if (const auto ruling = backends::plan_any_call(*call, *out, plan); ruling.status != CERTILE_OK)
      return ruling.status;
  write_of(Probe::fill)({static_cast<std::byte*>(out->data), out->byte_size}, {});
  return CERTILE_OK;
}

class LimitCall : public TimedCall {
 public:
  LimitCall(Write write, Team& team, CaseMemory& memory) noexcept
      : write_(write), team_(team), memory_(memory) {}
  void run(benchmark::State& state, Temperature temperature) override {
    const Output output = memory_.output().bytes;
    const Source source = memory_.source();
    if (team_.size() == 1)
      return run_here(state, temperature, memory_, [&] {
        write_(output, source);
        return true;
      });
    team_.begin([&](int thread) { write_(part_of(output, thread, team_.size()), source); });
    run_here(state, temperature, memory_, [&] {
      team_.run();
      return true;
    });
    team_.end();
  }

 private:
  Write write_;
  Team& team_;
  CaseMemory& memory_;
};

constexpr std::string_view probe_names[] = {"fill", "fill-non-temporal", "fill-string", "memset",
                                            "copy", "copy-non-temporal", "copy-string", "memcpy",
                                            "call"};

}  // namespace

std::string_view name(Probe probe) noexcept {
  return probe_names[static_cast<std::size_t>(probe)];
}

Write write_of(Probe probe) noexcept {
  static const Writes writes = writes_of_this_processor();
  return writes[static_cast<std::size_t>(probe)];
}

std::vector<Probe> available_probes(std::uint64_t output_bytes, int threads) {
  std::vector<Probe> probes;
  for (std::size_t each = 0; each < std::size(probe_names); ++each) {
    const auto probe = static_cast<Probe>(each);
    const bool is_call_here = probe == Probe::call && output_bytes <= most_tiny && threads == 1;
    if (is_call_here || write_of(probe) != nullptr) probes.push_back(probe);
  }
  return probes;
}

std::unique_ptr<TimedCall> timed_limit(Probe probe, Team& team, DefinitionId definition, CaseMemory& memory) {
  if (probe != Probe::call) return std::make_unique<LimitCall>(write_of(probe), team, memory);
  static const certile_plugin table = [] {
    certile_plugin made{};
    made.run = fill_as_called;
    return made;
  }();
  return std::make_unique<TableCall>(table, definition, memory);
}

std::span<std::byte> part_of(std::span<std::byte> bytes, int part, int parts) noexcept {
  const auto count = static_cast<std::size_t>(parts);
  const std::size_t unit = bytes.size() >= page_bytes * count ? page_bytes : line_bytes;
  const std::size_t units = (bytes.size() + unit - 1) / unit;
  const auto edge = [&](int index) {
    return std::min(units * static_cast<std::size_t>(index) / count * unit, bytes.size());
  };
  return bytes.subspan(edge(part), edge(part + 1) - edge(part));
}

Team::Team(int threads) {
  CPU_ZERO(&processors_);
  pthread_getaffinity_np(pthread_self(), sizeof processors_, &processors_);
  for (int thread = 1; thread < threads; ++thread)
    others_.emplace_back([this, thread] { work(thread); });
}

Team::~Team() {
  state_.store(dismissed);
  state_.notify_all();
  for (std::thread& other : others_)
    other.join();
}

void Team::begin(std::function<void(int)> part) {
  part_ = std::move(part);
  bind_to_one_of(processors_, 0);
  state_.store(at_work);
  state_.notify_all();
}

void Team::run() {
  busy_.store(static_cast<int>(others_.size()), std::memory_order_relaxed);
  pieces_.fetch_add(1, std::memory_order_release);
  part_(0);
  for (int spins = 0; busy_.load(std::memory_order_acquire) != 0;)
    relax(spins);
}

void Team::end() {
  state_.store(asleep);
  pthread_setaffinity_np(pthread_self(), sizeof processors_, &processors_);
}

void Team::work(int thread) {
  bind_to_one_of(processors_, thread);
  for (int done = 0, spins = 0;;) {
    if (pieces_.load(std::memory_order_acquire) != done) {
      ++done;
      part_(thread);
      busy_.fetch_sub(1, std::memory_order_release);
    } else if (const int state = state_.load(std::memory_order_relaxed); state == at_work) {
      relax(spins);
    } else if (state == asleep) {
      state_.wait(asleep);
    } else {
      return;
    }
  }
}

}  // namespace certile::bench
