#include "CResolver.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

// More than EDNS asks for: a longer answer is cut, and does not parse.
enum { answer_size = 4096, seconds = 3 };

// glibc waits `retrans` seconds for each server of a round and never less than one: three in all, however many servers there are.
static void bound(res_state state) {
  // An answer that is cut is not asked for again over TCP, which has no time limit.
  state->options |= RES_USE_EDNS0 | RES_IGNTC;
  state->options &= ~(unsigned long)RES_USEVC;
  if (state->nscount > seconds) state->nscount = seconds;
  if (state->nscount < 1) state->nscount = 1;
  state->retrans = 1;
  state->retry = seconds / state->nscount;
}

// Joins the strings of one record behind what was written already. The new length, or why not.
static long append(const ns_rr *record, unsigned char *texts, size_t size, size_t used) {
  const unsigned char *data = ns_rr_rdata(*record);
  size_t left = ns_rr_rdlen(*record);
  size_t start = used;
  if (size - used < 2) return RESOLVER_TOO_LARGE;
  used += 2;
  while (left > 0) {
    size_t length = data[0];
    if (length > left - 1) return RESOLVER_MALFORMED;
    if (length > size - used) return RESOLVER_TOO_LARGE;
    memcpy(texts + used, data + 1, length);
    used += length;
    data += length + 1;
    left -= length + 1;
  }
  size_t length = used - start - 2;
  texts[start] = (unsigned char)(length >> 8);
  texts[start + 1] = (unsigned char)length;
  return (long)used;
}

static long read_answer(const unsigned char *answer, int length, unsigned char *texts, size_t size) {
  ns_msg message;
  if (ns_initparse(answer, length, &message) != 0) return RESOLVER_MALFORMED;
  size_t used = 0;
  for (int number = 0; number < ns_msg_count(message, ns_s_an); number++) {
    ns_rr record;
    if (ns_parserr(&message, ns_s_an, number, &record) != 0) return RESOLVER_MALFORMED;
    if (ns_rr_type(record) != ns_t_txt || ns_rr_class(record) != ns_c_in) continue;
    long written = append(&record, texts, size, used);
    if (written < 0) return written;
    used = (size_t)written;
  }
  return (long)used;
}

long resolver_texts(const char *name, const char *address, uint16_t port, unsigned char *texts, size_t size) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return RESOLVER_NO_ANSWER;
  if (address != NULL) {
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (inet_pton(AF_INET, address, &server.sin_addr) != 1) {
      res_nclose(&state);
      return RESOLVER_NO_ANSWER;
    }
    state.nsaddr_list[0] = server;
    state.nscount = 1;
  }
  bound(&state);
  unsigned char answer[answer_size] = {0};
  int length = res_nquery(&state, name, ns_c_in, ns_t_txt, answer, sizeof answer);
  int problem = state.res_h_errno;
  res_nclose(&state);
  // The answer stands in the buffer also where it holds no record.
  const int is_cut = ((const HEADER *)answer)->tc;
  if (length < 0) {
    if (problem != HOST_NOT_FOUND && problem != NO_DATA) return RESOLVER_NO_ANSWER;
    return is_cut ? RESOLVER_TOO_LARGE : 0;
  }
  if (is_cut || length > (int)sizeof answer) return RESOLVER_TOO_LARGE;
  return read_answer(answer, length, texts, size);
}
