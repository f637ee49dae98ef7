#pragma once
#include <sodium.h>
#include <stddef.h>
#include <stdint.h>

/// Prepares libsodium; safe to call again. 0 when it may be used.
int password_hash_prepare(void);

/// Gives the calling thread a block of memory that argon2id reuses instead of mapping and zeroing fresh pages at each
/// hash. The block stays out of core dumps, and in place until it is released. 0, or -1 when there is no memory.
int password_hash_reserve_arena(size_t bytes);

/// Gives the calling thread's block back, if it has one; to be called before the thread ends.
void password_hash_release_arena(void);

/// Overwrites the calling thread's block with zeros, in a way that no compiler leaves out.
void password_hash_clear_arena(void);

/// Whether the calling thread's block holds nothing but zeros; true without a block.
int password_hash_arena_is_clear(void);

/// argon2id v1.3 with one lane (RFC 9106). `memory_kib` in KiB. 0, or -1 when memory ran out.
int password_hash_argon2id(
  uint8_t *output, size_t output_length, const uint8_t *password, size_t password_length, const uint8_t salt[16],
  uint32_t passes, uint32_t memory_kib);
