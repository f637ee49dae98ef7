public import Foundation

/// A calendar day, `2027-03-01`. It begins at 00:00 UTC; no time zone or locale can move it.
public struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// 1900 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int

  /// Reads exactly `YYYY-MM-DD` in ASCII digits, years 1900 to 9999; nil for anything else and for days that do not
  /// exist.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Nil for a day that does not exist, or outside the years 1900 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1900...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day in which an instant lies, in UTC; nil outside the years 1900 to 9999.
  public init?(of instant: Date) {
    let days = (instant.timeIntervalSince1970 / 86_400).rounded(.down)
    guard abs(days) < 4_000_000 else { return nil }
    // The civil date of a day number: `startSeconds` the other way round.
    let z = Int(days) + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let civil = month < 10 ? month + 3 : month - 9
    self.init(
      year: yearOfEra + era * 400 + (civil <= 2 ? 1 : 0), month: civil, day: dayOfYear - (153 * month + 2) / 5 + 1)
  }

  /// Seconds from 1970-01-01 00:00 UTC to the first instant of this day.
  public var startSeconds: Int64 {
    // Days since the epoch in the proleptic Gregorian calendar, counted in years that begin in March.
    let y = month <= 2 ? year - 1 : year
    let era = y / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468) * 86_400
  }

  /// The first instant of this day, 00:00 UTC.
  public var start: Date { Date(timeIntervalSince1970: Double(startSeconds)) }

  /// Earlier first.
  public static func < (a: Day, b: Day) -> Bool { (a.year, a.month, a.day) < (b.year, b.month, b.day) }

  /// `YYYY-MM-DD`
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
