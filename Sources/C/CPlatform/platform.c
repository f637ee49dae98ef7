#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static __thread void *thread_value;

void *platform_thread_value(void) { return thread_value; }
void platform_set_thread_value(void *value) { thread_value = value; }

int platform_nice_this_thread(int nice) { return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice); }

int platform_idle_this_thread(void) {
  struct sched_param none = {0};
  return sched_setscheduler(0, SCHED_IDLE, &none);
}

int platform_go_first(bool first) {
  struct sched_param place = {.sched_priority = first ? 1 : 0};
  return sched_setscheduler(0, (first ? SCHED_RR : SCHED_OTHER) | SCHED_RESET_ON_FORK, &place);
}

uint64_t platform_processor_time(void) {
  struct timespec used = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

void platform_name_this_thread(const char *name) {
  char kept[16];
  snprintf(kept, sizeof kept, "%s", name);
  pthread_setname_np(pthread_self(), kept);
}

int platform_wake_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int platform_timer_descriptor(int64_t nanoseconds) {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0) return -1;
  int64_t wait = nanoseconds > 0 ? nanoseconds : 1;
  struct itimerspec once = {.it_value = {.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000}};
  if (timerfd_settime(fd, 0, &once, NULL) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

int platform_accept(int listener, void *address, uint32_t *length) {
  socklen_t size = *length;
  int fd = accept4(listener, (struct sockaddr *)address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0) {
    int one = 1;
    *length = size;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);  // fails on a unix socket, which needs none
  }
  return fd;
}

int platform_unsent_bytes(int socket) {
  int count = 0;
  return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

void platform_give_back_memory(void) { (void)malloc_trim(0); }

/// Runs in the child between fork and exec: only async-signal-safe calls from here on.
static void become(
  const char *path, char *const arguments[], char *const environment[], uid_t uid, gid_t gid, const char *directory,
  int output, bool dies_with_parent, pid_t parent, int failure) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) (void)sigaction(signal, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)setpgid(0, 0);
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) goto failed;
  // Only the first three stay open over exec: an inherited lock or listener would outlive this process in the child.
  (void)close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  if (uid != (uid_t)-1 && (setgroups(0, NULL) != 0 || setgid(gid) != 0 || setuid(uid) != 0)) goto failed;
  if (directory != NULL && chdir(directory) != 0) goto failed;
  if (dies_with_parent) {
    // Set after setuid, which clears it. The parent may have gone in between.
    if (prctl(PR_SET_PDEATHSIG, SIGINT) != 0) goto failed;
    if (getppid() != parent) _exit(127);
  }
  execve(path, arguments, environment);
failed:;
  int why = errno;
  (void)!write(failure, &why, sizeof why);
  _exit(127);
}

pid_t platform_spawn(
  const char *path, char *const arguments[], char *const environment[], uid_t uid, gid_t gid, const char *directory,
  int output, bool dies_with_parent) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0)
    become(path, arguments, environment, uid, gid, directory, output, dies_with_parent, parent, report[1]);
  int saved = errno;
  close(report[1]);
  if (child < 0) {
    close(report[0]);
    errno = saved;
    return -1;
  }
  int why = 0;
  ssize_t got;
  do got = read(report[0], &why, sizeof why);
  while (got < 0 && errno == EINTR);
  close(report[0]);
  if (got == (ssize_t)sizeof why) {
    (void)waitpid(child, NULL, 0);
    errno = why;
    return -1;
  }
  return child;
}

int platform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int platform_refuse_handshakes(int listener) {
  // Classic BPF over the TCP header: a segment with SYN set is dropped, any other is let through.
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x02, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, 0),
    BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
  };
  struct sock_fprog program = {sizeof steps / sizeof steps[0], steps};
  return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

static _Thread_local uint64_t comparisons;

void platform_note_comparison(void) { comparisons++; }
uint64_t platform_comparisons(void) { return comparisons; }

int platform_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int platform_keep_memory_private(void) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
