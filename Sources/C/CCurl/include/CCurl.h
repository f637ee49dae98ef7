#pragma once
#if !__has_include(<curl/curl.h>)
#error "Gatehouse needs the header of libcurl on Linux: apt-get install libcurl4-openssl-dev"
#endif
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
// http and https alone.
CURLcode gh_curl_set_web_only(CURL *easy);
// A transfer that is given up while its name is looked up does not wait for the resolver's thread, where this libcurl
// can do so (7.87).
CURLcode gh_curl_set_quick_exit(CURL *easy);
CURLcode gh_curl_get_long(CURL *easy, CURLINFO info, long *value);

// Transfers on an event loop that the caller owns.
CURLcode gh_curl_set_opener(CURL *easy, curl_opensocket_callback opener, void *context);
CURLcode gh_curl_get_pointer(CURL *easy, CURLINFO info, void **value);
// Copies the 4 or 16 bytes of the address curl is about to connect to; their number, or 0 for any other family.
int gh_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16]);
// A non-blocking socket for that address, closed on exec; CURL_SOCKET_BAD if there is none.
curl_socket_t gh_curl_open(const struct curl_sockaddr *address);
CURLMcode gh_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode gh_multi_set_socket(CURLM *multi, curl_socket_callback callback, void *context);
CURLMcode gh_multi_set_timer(CURLM *multi, curl_multi_timer_callback callback, void *context);
// The next transfer that has ended, with its code; NULL when there is none.
CURL *gh_multi_next_done(CURLM *multi, CURLcode *code);
