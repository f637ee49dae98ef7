#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number as libphonenumber reads it. The texts end with NUL.
typedef struct {
  /// International form, `+17855550123`.
  char e164[32];
  /// The number behind its country code.
  char national[32];
  /// ISO 3166 alpha-2, `001` for numbers of no region; empty where it is not known.
  char region[8];
  int country_code;
  bool is_possible;
  bool is_valid;
  bool has_extension;
} phone_number;

/// Reads `number` as dialled in `region` (ISO 3166 alpha-2). False for what is no number.
bool phone_number_read(const char *number, const char *region, phone_number *found);

/// Whether libphonenumber knows this region.
bool phone_number_knows_region(const char *region);

/// Writes the path of the library's file, without symbolic links. False where it is not known.
bool phone_number_library(char *path, size_t capacity);

#ifdef __cplusplus
}
#endif
