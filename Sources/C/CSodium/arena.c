// libsodium maps its work memory afresh for every hash, and the kernel zeroes each page of it: close to half of the
// time. The package links libsodium statically with mmap and munmap wrapped, so that a hash thread which reserved an
// arena gets that block instead. Mappings of other threads go through untouched.
#define _GNU_SOURCE
#include "CSodium.h"

#include <string.h>
#include <sys/mman.h>

// The block, aligned to huge pages inside its mapping.
static __thread void *arena, *mapping;
static __thread size_t arena_size, mapping_size;
static __thread int armed;

void *__real_mmap(void *, size_t, int, int, int, off_t);
int __real_munmap(void *, size_t);

__attribute__((used)) void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  // Armed only around one crypto_pwhash call, and only its one large anonymous mapping qualifies.
  if (armed && fd == -1 && size <= arena_size && size >= ((size_t)64 << 10)) {
    armed = 0;
    return arena;
  }
  return __real_mmap(address, size, protection, flags, fd, offset);
}

__attribute__((used)) int __wrap_munmap(void *address, size_t size) {
  if (address != NULL && address == arena) return 0;
  return __real_munmap(address, size);
}

int password_hash_prepare(void) { return sodium_init() < 0 ? -1 : 0; }

int password_hash_reserve_arena(size_t bytes) {
  const size_t huge = (size_t)2 << 20;
  password_hash_release_arena();
  char *block = __real_mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return -1;
  mapping = block;
  mapping_size = bytes + huge;
  arena = (void *)(((size_t)block + huge - 1) & ~(huge - 1));
  arena_size = bytes;
  madvise(arena, bytes, MADV_HUGEPAGE);
  madvise(arena, bytes, MADV_DONTDUMP);
  return 0;
}

void password_hash_release_arena(void) {
  if (mapping != NULL) __real_munmap(mapping, mapping_size);
  mapping = arena = NULL;
  mapping_size = arena_size = 0;
}

void password_hash_clear_arena(void) {
  if (arena != NULL) explicit_bzero(arena, arena_size);
}

int password_hash_arena_is_clear(void) { return arena == NULL || sodium_is_zero(arena, arena_size); }

int password_hash_argon2id(
  uint8_t *output, size_t output_length, const uint8_t *password, size_t password_length, const uint8_t salt[16],
  uint32_t passes, uint32_t memory_kib) {
  armed = arena != NULL;
  int result = crypto_pwhash(
    output, output_length, (const char *)password, password_length, salt, passes, (size_t)memory_kib * 1024,
    crypto_pwhash_ALG_ARGON2ID13);
  armed = 0;
  return result;
}
