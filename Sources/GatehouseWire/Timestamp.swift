package import Foundation

/// A moment in the API: an RFC 3339 text in UTC with whole seconds, such as `2026-11-20T10:00:00Z`.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64

  /// A moment from seconds since 1970.
  package init(seconds: Int64) { self.seconds = seconds }

  /// A moment from a date; fractions of a second are dropped.
  package init(_ date: Date) { seconds = Int64(date.timeIntervalSince1970.rounded(.down)) }

  /// The same moment as a date.
  package var date: Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }

  /// Earlier comes first.
  package static func < (one: Timestamp, other: Timestamp) -> Bool { one.seconds < other.seconds }
}

extension Timestamp: CustomStringConvertible {
  /// The RFC 3339 text.
  package var description: String {
    let day = seconds.flooredQuotient(by: 86_400)
    let second = Int(seconds - day * 86_400)
    let (year, month, dayOfMonth) = Timestamp.civil(daysSince1970: day)
    var text = [UInt8]()
    text.reserveCapacity(20)
    func put(_ number: Int, _ digits: Int) {
      var divisor = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        text.append(UInt8(48 + number / divisor % 10))
        divisor /= 10
      }
    }
    put(year, 4)
    text.append(0x2D)
    put(month, 2)
    text.append(0x2D)
    put(dayOfMonth, 2)
    text.append(0x54)
    put(second / 3600, 2)
    text.append(0x3A)
    put(second / 60 % 60, 2)
    text.append(0x3A)
    put(second % 60, 2)
    text.append(0x5A)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads `YYYY-MM-DDTHH:MM:SSZ`, and nothing else. Nil for any other text or a day that does not exist.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    let marks: [(Int, UInt8)] = [(4, 0x2D), (7, 0x2D), (10, 0x54), (13, 0x3A), (16, 0x3A), (19, 0x5A)]
    guard marks.allSatisfy({ bytes[$0.0] == $0.1 }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Timestamp.days(year: year, month: month, day: day)
    guard Timestamp.civil(daysSince1970: days) == (year, month, day) else { return nil }
    seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// Days since 1970 as a date of the Gregorian calendar, counted in eras of 400 years that begin on 1 March.
  private static func civil(daysSince1970 days: Int64) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = Int(era) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(year: Int, month: Int, day: Int) -> Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = Int(shiftedYear - era * 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + Int64(yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear) - 719_468
  }
}

extension Int64 {
  /// Division that rounds towards negative infinity; the divisor is positive.
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

extension Timestamp: Codable {
  /// Reads the RFC 3339 text.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let moment = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time such as 2026-11-20T10:00:00Z")
    }
    self = moment
  }

  /// Writes the RFC 3339 text.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
