import GatehouseIdentity
import Testing

@Suite("Names of devices")
struct DeviceNameTests {
  @Test(
    "a browser or an app is called by what it is and where it runs",
    arguments: [
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
        "Safari on iPhone"
      ),
      (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
        "Chrome on Windows"
      ),
      (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
        "Edge on Windows"
      ),
      ("Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "Firefox on Linux"),
      (
        "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
        "Chrome on Android"
      ),
      (
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
        "Safari on Mac"
      ),
      ("vibes/2.1 CFNetwork/1568.200.51 Darwin/24.1.0", "App on Apple device"), ("okhttp/4.12.0", "App on Android"),
      ("curl/7.88.1", "curl"),
    ])
  func known(_ userAgent: String, _ name: String) {
    #expect(DeviceName.derived(from: userAgent) == name)
  }

  @Test("nothing of what a stranger writes comes out", arguments: ["", "example.com <b>", "\u{202e}", nil])
  func unknown(_ userAgent: String?) {
    #expect(DeviceName.derived(from: userAgent) == nil)
    #expect(DeviceName.derived(from: (userAgent ?? "") + " Firefox/1 evil.example") == "Firefox")
    #expect(DeviceName.derived(from: String(repeating: "x", count: 1024) + "Firefox/1") == nil)
  }
}
