#include "conformance/ask/rig/fault_handler.hpp"

#include <sys/ucontext.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>  // IWYU pragma: keep, for Arm

#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/rig/store_instruction.hpp"  // IWYU pragma: keep, for Arm

namespace certile::conformance {
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
