// Preloaded into a program, hides from it that the processor multiplies bytes by instructions of their own (AVX-512 VNNI, AVX-VNNI,
// AMX), and with HIDE_AVX512 all of AVX-512: for measuring what processors without them take. Linux on x64 only, and only where the
// processor lets a program's CPUID be caught (`cpuid_fault` in /proc/cpuinfo).
#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012
#define BIT(n) (1u << (n))

static struct sigaction theirs;

static void answer(int signal_number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned char *at = (const unsigned char *)registers[REG_RIP];
  if (at[0] != 0x0f || at[1] != 0xa2) {
    if (theirs.sa_flags & SA_SIGINFO) theirs.sa_sigaction(signal_number, info, context);
    else signal(signal_number, SIG_DFL);
    return;
  }
  unsigned leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1);
  __cpuid_count(leaf, part, a, b, c, d);
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0);
  if (leaf == 7 && part == 0) {
    c &= ~BIT(11);
    d &= ~(BIT(22) | BIT(24) | BIT(25));
    if (getenv("HIDE_AVX512")) b &= ~(BIT(16) | BIT(17) | BIT(21) | BIT(28) | BIT(30) | BIT(31));
  }
  if (leaf == 7 && part == 1) a &= ~BIT(4), d = 0;
  registers[REG_RAX] = a, registers[REG_RBX] = b, registers[REG_RCX] = c, registers[REG_RDX] = d;
  registers[REG_RIP] += 2;
}

// Node.js sets the handling of every signal anew when it starts.
int sigaction(int signal_number, const struct sigaction *next, struct sigaction *before) {
  int (*real)(int, const struct sigaction *, struct sigaction *) = dlsym(RTLD_NEXT, "sigaction");
  if (signal_number != SIGSEGV || !next || next->sa_sigaction == answer) return real(signal_number, next, before);
  if (before) *before = theirs;
  theirs = *next;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction own = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &own, &theirs);
  if (syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) != 0) perror("without-vnni");
}
