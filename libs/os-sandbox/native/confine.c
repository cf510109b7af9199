/*
 * Runs a command under Landlock and seccomp and without privileges, for hosts that refuse namespaces.
 *
 *   confine --descriptors N --seccomp FD --environment FD --chdir DIR [--network | --doors [--connect PORT]...] [--processes] [--read PATH]... [--write PATH]... -- COMMAND [ARG]...
 *
 * With --probe it prints `landlock <abi>` and exits. Any failure exits with 125, so a command never runs with partial protection.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From linux/landlock.h: a build host may have an older version than the kernel that runs this. */
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446
#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1
#define RULE_NET_PORT 2
struct ruleset { uint64_t fs, net, scoped; };
struct path_beneath { uint64_t allowed; int32_t parent; } __attribute__((packed));
struct net_port { uint64_t allowed, port; };

enum {
  FS_EXECUTE = 1 << 0, FS_WRITE_FILE = 1 << 1, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3,
  FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14, FS_IOCTL_DEV = 1 << 15,
};
#define FS_ALL_OF_1 0x1fffull
#define READS (FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)
#define OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define NET_TCP 3ull
#define NET_CONNECT_TCP 2ull
#define SCOPE_SOCKETS_AND_SIGNALS 3ull

static void fail(const char *what) {
  fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static int landlock_abi(void) {
  return (int)syscall(LANDLOCK_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
}

/* Each version of Landlock can restrict more. */
static uint64_t fs_rights(int abi) {
  uint64_t rights = FS_ALL_OF_1;
  if (abi >= 2) rights |= FS_REFER;
  if (abi >= 3) rights |= FS_TRUNCATE;
  if (abi >= 5) rights |= FS_IOCTL_DEV;
  return rights;
}

static int ruleset_of(int abi, int network) {
  struct ruleset rules = { fs_rights(abi), 0, 0 };
  size_t size = sizeof rules.fs;
  if (abi >= 4) size = offsetof(struct ruleset, scoped);
  if (abi >= 4 && !network) rules.net = NET_TCP;
  if (abi >= 6) { size = sizeof rules; rules.scoped = SCOPE_SOCKETS_AND_SIGNALS; }
  int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &rules, size, 0u);
  if (ruleset < 0) fail("landlock");
  return ruleset;
}

static void allow(int ruleset, const char *path, uint64_t rights) {
  struct stat found;
  int opened = open(path, O_PATH | O_CLOEXEC);
  if (opened < 0 || fstat(opened, &found) < 0) fail(path);
  if (!S_ISDIR(found.st_mode)) rights &= OF_FILES;
  struct path_beneath rule = { rights, opened };
  if (syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0u) < 0) fail(path);
  close(opened);
}

static void allow_connect(int ruleset, const char *port) {
  struct net_port rule = { NET_CONNECT_TCP, (uint64_t)atoi(port) };
  if (syscall(LANDLOCK_ADD_RULE, ruleset, RULE_NET_PORT, &rule, 0u) < 0) fail("the port");
}

static void install(const struct sock_filter *filter, size_t count) {
  struct sock_fprog program = { (unsigned short)count, (struct sock_filter *)filter };
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) fail("seccomp");
}

/* The filter arrives in the format of the kernel. */
static void install_from(int descriptor) {
  static struct sock_filter filter[4096];
  size_t size = 0;
  for (;;) {
    ssize_t got = read(descriptor, (char *)filter + size, sizeof filter - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("the filter");
    if (got == 0) break;
    size += (size_t)got;
  }
  errno = EINVAL;
  if (size == 0 || size % sizeof *filter != 0) fail("the filter");
  install(filter, size / sizeof *filter);
}

/* The environment of the command: NUL-terminated entries. The helper itself has none of it. */
static char **environment_from(int descriptor) {
  size_t size = 0, room = 1 << 16, count = 0;
  char *text = malloc(room);
  for (;;) {
    if (text == NULL) fail("the environment");
    ssize_t got = read(descriptor, text + size, room - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("the environment");
    if (got == 0) break;
    size += (size_t)got;
    if (size == room) text = realloc(text, room *= 2);
  }
  for (size_t at = 0; at < size; at += 1) if (text[at] == 0) count += 1;
  char **all = calloc(count + 1, sizeof *all);
  errno = EINVAL;
  if (all == NULL || (size > 0 && text[size - 1] != 0)) fail("the environment");
  char *entry = text;
  for (size_t at = 0; at < count; at += 1) { all[at] = entry; entry += strlen(entry) + 1; }
  return all;
}

/* tgkill is allowed only for this process itself. It keeps its pid when it executes the command. */
static void only_own_signals(void) {
  const struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  install(filter, sizeof filter / sizeof *filter);
}

/* For root: drops all capabilities, also for the executed command. */
static void drop_capabilities(void) {
  struct { uint32_t version; int pid; } header = { 0x20080522, 0 };
  struct { uint32_t effective, permitted, inheritable; } none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
  for (int capability = 0; capability < 64; capability += 1) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl(PR_SET_SECUREBITS, 0x2f, 0, 0, 0); /* root gets no capabilities, and this is locked */
  if (syscall(SYS_capset, &header, none) < 0) fail("capset");
}

int main(int count, char **given) {
  int abi = landlock_abi();
  if (count == 2 && strcmp(given[1], "--probe") == 0) {
    printf("landlock %d\n", abi);
    return abi < 1 ? 125 : 0;
  }
  pid_t parent = getppid();
  int descriptors = 3, seccomp = -1, environment = -1, network = 0, processes = 0, at = 1;
  const char *folder = "/";
  if (abi < 1) fail("landlock");
  for (int i = 1; i < count && strcmp(given[i], "--") != 0; i += 1) if (strcmp(given[i], "--network") == 0) network = 1;
  int ruleset = ruleset_of(abi, network);
  for (; at < count && strcmp(given[at], "--") != 0; at += 1) {
    const char *name = given[at];
    if (strcmp(name, "--network") == 0) continue;
    if (strcmp(name, "--doors") == 0) {
      errno = ENOSYS;
      if (abi < 4) fail("landlock cannot restrict TCP connections");
      continue;
    }
    if (strcmp(name, "--processes") == 0) { processes = 1; continue; }
    const char *value = given[at + 1];
    at += 1;
    errno = EINVAL;
    if (at >= count) fail(name);
    if (strcmp(name, "--descriptors") == 0) descriptors = atoi(value);
    else if (strcmp(name, "--seccomp") == 0) seccomp = atoi(value);
    else if (strcmp(name, "--environment") == 0) environment = atoi(value);
    else if (strcmp(name, "--connect") == 0) allow_connect(ruleset, value);
    else if (strcmp(name, "--chdir") == 0) folder = value;
    else if (strcmp(name, "--read") == 0) allow(ruleset, value, READS);
    else if (strcmp(name, "--write") == 0) allow(ruleset, value, fs_rights(abi) & ~(uint64_t)FS_IOCTL_DEV);
    else fail(name);
  }
  errno = EINVAL;
  if (at + 1 >= count) fail("no command");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) fail("pdeathsig");
  if (getppid() != parent) _exit(125); /* The parent has died. */
  setsid();
  if (chdir(folder) < 0) fail(folder);
  drop_capabilities();
  char **variables = environment_from(environment);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail("no_new_privs");
  if (syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0u) < 0) fail("landlock");
  if (!processes) only_own_signals();
  install_from(seccomp);
  if (syscall(SYS_close_range, (unsigned)descriptors, ~0u, 0u) < 0) fail("descriptors");
  execve(given[at + 1], given + at + 1, variables);
  fail(given[at + 1]);
}
