#include "CPhoneNumber.h"

#include <dlfcn.h>
#include <phonenumbers/phonenumberutil.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <list>
#include <set>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

// No exception may cross into Swift: each function catches everything.

static bool copy(const std::string &text, char *out, size_t capacity) {
  if (text.size() >= capacity) return false;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return true;
}

extern "C" bool phone_number_read(const char *number, const char *region, phone_number *found) try {
  const PhoneNumberUtil *util = PhoneNumberUtil::GetInstance();
  PhoneNumber parsed;
  if (util->Parse(number, region, &parsed) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
  std::string text, national, home;
  util->Format(parsed, PhoneNumberUtil::E164, &text);
  util->GetNationalSignificantNumber(parsed, &national);
  found->country_code = parsed.country_code();
  // IsPossibleNumber is true of numbers without an area code as well.
  found->is_possible = util->IsPossibleNumberWithReason(parsed) == PhoneNumberUtil::IS_POSSIBLE;
  found->is_valid = util->IsValidNumber(parsed);
  found->has_extension = parsed.has_extension() && !parsed.extension().empty();
  if (found->is_valid) {
    util->GetRegionCodeForNumber(parsed, &home);
  } else {
    // Which of several regions has an unknown range, the country code does not say.
    std::list<std::string> regions;
    util->GetRegionCodesForCountryCallingCode(parsed.country_code(), &regions);
    if (regions.size() == 1) home = regions.front();
  }
  return copy(text, found->e164, sizeof found->e164) && copy(national, found->national, sizeof found->national) &&
         copy(home, found->region, sizeof found->region);
} catch (...) {
  return false;
}

extern "C" bool phone_number_knows_region(const char *region) try {
  std::set<std::string> regions;
  PhoneNumberUtil::GetInstance()->GetSupportedRegions(&regions);
  return regions.count(region) == 1;
} catch (...) {
  return false;
}

extern "C" bool phone_number_library(char *path, size_t capacity) try {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void *>(&PhoneNumberUtil::GetInstance), &info) == 0 || !info.dli_fname) return false;
  char resolved[PATH_MAX];
  return realpath(info.dli_fname, resolved) && copy(resolved, path, capacity);
} catch (...) {
  return false;
}
