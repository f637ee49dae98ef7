#include "CCurl.h"

CURLcode gh_curl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
CURLcode gh_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
CURLcode gh_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
CURLcode gh_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
CURLcode gh_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
CURLcode gh_curl_set_reader(CURL *easy, size_t (*reader)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, reader);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}
CURLcode gh_curl_set_writer(CURL *easy, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, writer);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
CURLcode gh_curl_set_header_writer(CURL *easy, size_t (*writer)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, writer);
  return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
CURLcode gh_curl_get_long(CURL *easy, CURLINFO info, long *value) { return curl_easy_getinfo(easy, info, value); }
