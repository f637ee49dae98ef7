#include "CPhoneNumber.h"

#include <phonenumbers/phonenumberutil.h>

#include <cstring>
#include <set>
#include <string>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

// No exception may cross into Swift: each function catches everything.

extern "C" bool phone_number_e164(
  const char *number, const char *region, char *e164, size_t e164_capacity, char *own_region,
  size_t own_region_capacity) try {
  const PhoneNumberUtil *util = PhoneNumberUtil::GetInstance();
  PhoneNumber parsed;
  if (util->Parse(number, region, &parsed) != PhoneNumberUtil::NO_PARSING_ERROR) return false;
  if (!util->IsValidNumber(parsed)) return false;
  std::string text, home;
  util->Format(parsed, PhoneNumberUtil::E164, &text);
  util->GetRegionCodeForNumber(parsed, &home);
  if (text.size() >= e164_capacity || home.size() >= own_region_capacity) return false;
  std::memcpy(e164, text.c_str(), text.size() + 1);
  std::memcpy(own_region, home.c_str(), home.size() + 1);
  return true;
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
