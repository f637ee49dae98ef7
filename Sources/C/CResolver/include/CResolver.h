#pragma once
#include <stddef.h>
#include <stdint.h>

/// Why there is no answer: none came in time, it does not fit, it is not well-formed.
#define RESOLVER_NO_ANSWER (-1)
#define RESOLVER_TOO_LARGE (-2)
#define RESOLVER_MALFORMED (-3)

/// Asks for the TXT records of `name`: the resolvers of resolv.conf(5), or the one at the IPv4 `address` and `port` where
/// `address` is not NULL. Over UDP only, and for three seconds at most; the calling thread blocks for as long.
///
/// Each record is written to `texts` as the length of its text in two bytes, the high one first, and the text, its strings joined.
/// The number of bytes written, 0 where the name has no such record, or one of the above.
long resolver_texts(const char *name, const char *address, uint16_t port, unsigned char *texts, size_t size);
