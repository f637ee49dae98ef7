import CCurl

/// libcurl wants to be set up once before any thread uses it; a static is made once, thread-safely.
enum CurlLibrary {
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
