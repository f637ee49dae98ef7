#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// The value this thread was given by `platform_set_thread_value`, or NULL. The runtime keeps its loop here:
/// reading it costs one load, no lock and no system call.
void *platform_thread_value(void);
void platform_set_thread_value(void *value);

/// Lowers the calling thread's priority by setpriority(2) on its thread id. 0, or -1 with errno.
int platform_nice_this_thread(int nice);
/// Makes the calling thread, and those that it starts from now on, run only when nothing else wants the processor
/// (SCHED_IDLE, sched(7)). 0, or -1 with errno.
int platform_idle_this_thread(void);

/// Makes the calling thread go before every ordinary thread (SCHED_RR at its lowest priority, sched(7)), or an ordinary one again.
/// Threads that it starts are ordinary. 0, or -1 with errno: EPERM where neither CAP_SYS_NICE nor RLIMIT_RTPRIO allows it.
int platform_go_first(bool first);
/// How long the calling thread has had a processor, in nanoseconds.
uint64_t platform_processor_time(void);

/// Notes one comparison (or hash) of a name that came from outside. Debug builds count these for the tests that hold the
/// parsers to linear work; release builds do not call it.
void platform_note_comparison(void);
/// How many the calling thread has noted.
uint64_t platform_comparisons(void);

/// Names the calling thread (15 bytes at most are kept).
void platform_name_this_thread(const char *name);

/// An eventfd(2), non-blocking and close-on-exec, by which other threads wake a loop. A descriptor, or -1 with errno.
int platform_wake_descriptor(void);

/// A timerfd(2), non-blocking and close-on-exec, that becomes readable once, after so many nanoseconds. A descriptor, or -1 with
/// errno.
int platform_timer_descriptor(int64_t nanoseconds);

/// accept4(2) non-blocking and close-on-exec, with TCP_NODELAY set where it applies. The peer's address is written to
/// `address`, its length to `length`. A descriptor, or -1 with errno.
int platform_accept(int listener, void *address, uint32_t *length);

/// How many bytes that were written to a socket its peer has not taken (SIOCOUTQ, tcp(7)); 0 where that is not known.
int platform_unsent_bytes(int socket);

/// Gives memory that was freed back to the system (malloc_trim(3)). It takes milliseconds.
void platform_give_back_memory(void);

/// Makes a listening TCP socket refuse new connections; handshakes that have begun still end, and are accepted. A client
/// that is not heard tries again a second later, when another process may listen in place of the closed socket.
/// 0, or -1 with errno.
int platform_refuse_handshakes(int listener);

/// Starts a child in its own process group: `arguments` and `environment` end with NULL; when `uid` is not (uid_t)-1 the
/// child first drops to that user and group for good; `output` is the descriptor for its stdout and stderr, no other
/// descriptor is passed on; when `dies_with_parent` the kernel sends it `SIGINT` (PostgreSQL: fast shutdown) should the
/// calling thread vanish, so call from a thread that lives as long as the child may.
/// The child's pid, or -1 with errno (an exec that failed is reported here too).
pid_t platform_spawn(
  const char *path, char *const arguments[], char *const environment[], uid_t uid, gid_t gid, const char *directory,
  int output, bool dies_with_parent);

/// pipe2(2), close-on-exec: ends[0] reads what is written to ends[1]. 0, or -1 with errno.
int platform_pipe(int ends[2]);

/// memfd_create(2), close-on-exec: a file that is memory and has no name. A descriptor, or -1 with errno.
int platform_memory_file(const char *name);

/// Keeps what is in memory out of files: no core dumps, no reading of this process by others of the same user, and no crash
/// handler of the language's runtime, which would print memory. A program that is executed by this one starts without the
/// second and third. 0, or -1 with errno.
int platform_keep_memory_private(void);
