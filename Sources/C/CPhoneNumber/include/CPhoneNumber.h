#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads `number` as dialled in `region` (ISO 3166 alpha-2) and, when libphonenumber calls it valid, writes its E.164
/// form and its own region (3 bytes at least), each ended by NUL. False for anything else.
bool phone_number_e164(
  const char *number, const char *region, char *e164, size_t e164_capacity, char *own_region,
  size_t own_region_capacity);

/// Whether libphonenumber knows this region.
bool phone_number_knows_region(const char *region);

#ifdef __cplusplus
}
#endif
