// An open loop: `paced PORT PATH RATE SECONDS CONNECTIONS SEED [FIELD…]` sends GET requests to 127.0.0.1 at moments that are
// independent of each other and of the answers (exponential gaps, RATE a second), as people's requests are. It prints for each
// the status (0: no answer) and the microseconds since it was due, so that waiting for a free connection counts too. h2load
// lets all its clients ask at the same moment, and then measures how long the last of them waits for the others. Where it may, it
// goes before everything else on the machine (SCHED_FIFO): clients have processors of their own, and what this one waits for its
// turn is not the server's time.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 65536 };

struct link {
  int fd;
  double due;  // of the request under way; 0 if there is none
  size_t held;
  char answer[ROOM];
};

static struct sockaddr_in server = {.sin_family = AF_INET};
static char request[8192];
static size_t length;
static int waker;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void connect_anew(struct link *link) {
  if (link->fd >= 0) close(link->fd);
  link->held = 0;
  link->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int one = 1;
  setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = link};
  if (connect(link->fd, (struct sockaddr *)&server, sizeof server) != 0) {
    perror("paced: connect");
    exit(1);
  }
  epoll_ctl(waker, EPOLL_CTL_ADD, link->fd, &event);
}

static void report(struct link *link, int status) {
  printf("%d\t%.0f\n", status, (now() - link->due) * 1e6);
  link->due = 0;
}

/// Takes what came; whether it was the whole answer.
static void take(struct link *link) {
  ssize_t got = read(link->fd, link->answer + link->held, ROOM - 1 - link->held);
  if (got <= 0) {
    if (link->due > 0) report(link, 0);
    connect_anew(link);
    return;
  }
  link->held += (size_t)got;
  link->answer[link->held] = 0;
  char *end = strstr(link->answer, "\r\n\r\n");
  if (end == NULL) return;
  char *field = strcasestr(link->answer, "\r\ncontent-length:");
  size_t body = field != NULL && field < end ? strtoul(field + 17, NULL, 10) : 0;
  if (link->held < (size_t)(end - link->answer) + 4 + body) return;
  int status = 0;
  sscanf(link->answer, "HTTP/1.1 %d", &status);
  char *closing = strcasestr(link->answer, "\r\nconnection: close");
  report(link, status);
  link->held = 0;
  if (closing != NULL && closing < end) connect_anew(link);
}

int main(int count, char **words) {
  if (count < 7) return 2;
  struct sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &first);
  server.sin_port = htons((uint16_t)atoi(words[1]));
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  double rate = atof(words[3]), seconds = atof(words[4]);
  int connections = atoi(words[5]);
  srand48(atol(words[6]));
  length = (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n", words[2], words[1]);
  for (int place = 7; place < count && length < sizeof request; place++)
    length += (size_t)snprintf(request + length, sizeof request - length, "%s\r\n", words[place]);
  if (length + 3 > sizeof request) return 2;
  length += (size_t)snprintf(request + length, sizeof request - length, "\r\n");

  waker = epoll_create1(EPOLL_CLOEXEC);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(waker, EPOLL_CTL_ADD, timer, &event);
  struct link *links = calloc((size_t)connections, sizeof *links);
  for (int place = 0; place < connections; place++) {
    links[place].fd = -1;
    connect_anew(&links[place]);
  }
  double began = now(), due = began - log(1 - drand48()) / rate, end = began + seconds, patience = end + 30;
  int next = 0, busy = 0;
  while (due < end || (busy > 0 && now() < patience)) {
    // Whatever is due goes to a free connection, in turn; while none is free, it waits.
    while (due < end && due <= now() && busy < connections) {
      while (links[next].due > 0) next = (next + 1) % connections;
      struct link *link = &links[next];
      link->due = due;
      next = (next + 1) % connections;
      busy++;
      if (write(link->fd, request, length) != (ssize_t)length) {
        report(link, 0);
        connect_anew(link);
        busy--;
      }
      due -= log(1 - drand48()) / rate;
    }
    double rest = due < end && busy < connections ? due - now() : 0.1;
    if (rest < 1e-6) rest = 1e-6;
    struct itimerspec alarm = {.it_value = {(time_t)rest, (long)((rest - (time_t)rest) * 1e9)}};
    timerfd_settime(timer, 0, &alarm, NULL);
    struct epoll_event events[64];
    int ready = epoll_wait(waker, events, 64, -1);
    for (int place = 0; place < ready; place++)
      if (events[place].data.ptr != NULL) take(events[place].data.ptr);
    busy = 0;
    for (int place = 0; place < connections; place++) busy += links[place].due > 0;
  }
  for (int place = 0; place < connections; place++)
    if (links[place].due > 0) report(&links[place], 0);
  return 0;
}
