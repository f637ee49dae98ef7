import Glibc

/// The `Date` field (RFC 9110, section 5.6.7), rendered once per second.
struct DateCache {
  private var second: time_t = -1
  private var rendered: [UInt8] = []

  /// The present date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  mutating func now() -> [UInt8] { at(time(nil)) }

  mutating func at(_ moment: time_t) -> [UInt8] {
    guard moment != second else { return rendered }
    second = moment
    var moment = moment
    var parts = tm()
    gmtime_r(&moment, &parts)
    // Not strftime, whose names depend on the locale.
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let date = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    rendered = Array("\(date) \(clock)".utf8)
    return rendered
  }

  private func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
