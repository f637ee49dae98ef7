#pragma once
#include <curl/curl.h>

// curl_easy_setopt is variadic, which Swift cannot call: one function per kind of argument.
CURLcode gh_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode gh_curl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode gh_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode gh_curl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode gh_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode gh_curl_set_reader(CURL *easy, size_t (*reader)(char *, size_t, size_t, void *), void *context);
CURLcode gh_curl_set_writer(CURL *easy, size_t (*writer)(char *, size_t, size_t, void *), void *context);
// The writer gets each line of the server's replies.
CURLcode gh_curl_set_header_writer(CURL *easy, size_t (*writer)(char *, size_t, size_t, void *), void *context);
CURLcode gh_curl_get_long(CURL *easy, CURLINFO info, long *value);
