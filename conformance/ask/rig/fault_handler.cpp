#include "conformance/ask/rig/fault_handler.hpp"

#include <sys/ucontext.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "conformance/ask/rig/rig.hpp"

namespace certile::conformance {

// Follows the tables of the Arm Architecture Reference Manual, "Loads and Stores" and "SVE encodings", as far
// as compilers and the C library use them.
bool is_aarch64_store(std::uint32_t instruction) noexcept {
  const auto bits = [instruction](unsigned first, unsigned count) {
    return (instruction >> first) & ((1U << count) - 1);
  };
  const bool sve_store = bits(25, 7) == 0b1110010;
  const bool zeroes_a_line = bits(5, 27) == 0xd50b7420U >> 5;  // DC ZVA, which memset uses to write zeros
  if (sve_store || zeroes_a_line) return true;
  const bool load_or_store = bits(27, 1) == 1 && bits(25, 1) == 0;
  if (!load_or_store) return false;
  const bool vector_register = bits(26, 1) == 1;
  switch (bits(28, 2)) {
    case 0b00:  // exclusive and ordered ones, structures of vectors
    case 0b10:  // pairs
      return bits(22, 1) == 0;
    case 0b01:  // relative to the program counter, which is a load, or with release
      return bits(24, 1) == 1 && bits(22, 2) == 0;
    default: {  // one register
      const bool atomic = bits(24, 1) == 0 && bits(21, 1) == 1 && bits(10, 2) == 0;
      return atomic || bits(22, 2) == 0b00 || (vector_register && bits(22, 2) == 0b10);
    }
  }
}

namespace {

alignas(16) std::array<std::byte, 64 * 1024> handler_stack;

// Returns true if the instruction that faulted, on an access to `address`, was writing.
bool was_writing([[maybe_unused]] const ucontext_t& context, [[maybe_unused]] const void* address) noexcept {
#if defined(__x86_64__)
  constexpr long long write_bit = 2;  // of the page fault's error code
  return (context.uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
#elif defined(__aarch64__)
  // The kernel appends the syndrome register as a tagged record; bit 6 is "write, not read".
  const auto* record = reinterpret_cast<const _aarch64_ctx*>(&context.uc_mcontext.__reserved);
  for (; record->magic != 0; record = reinterpret_cast<const _aarch64_ctx*>(
                                 reinterpret_cast<const unsigned char*>(record) + record->size))
    if (record->magic == ESR_MAGIC)
      return (reinterpret_cast<const esr_context*>(record)->esr & (1U << 6)) != 0;
  // An emulator appends no such record: decode the instruction, unless the fault was in reading it.
  const auto* instruction = reinterpret_cast<const std::uint32_t*>(context.uc_mcontext.pc);
  return instruction != address && is_aarch64_store(*instruction);
#else
  return false;
#endif
}

void explain(int signal, siginfo_t* info, void* context) {
  // Neither a signal that was sent nor an access that the processor refused has an address.
  const bool has_address = info->si_code > 0 && info->si_code != SI_KERNEL;
  const Rig* rig = Rig::current();
  if (rig != nullptr && has_address)
    rig->note_fault(info->si_addr, was_writing(*static_cast<const ucontext_t*>(context), info->si_addr));
  if (rig != nullptr && info->si_code == SI_KERNEL) rig->note_refused_access();
  // A fault repeats after the handler returns, now with the default action; a signal that was sent must be
  // sent again.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  if (info->si_code <= 0) raise(signal);
}

}  // namespace

void catch_memory_faults() noexcept {
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = explain;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS})
    sigaction(signal, &action, nullptr);
}

}  // namespace certile::conformance
