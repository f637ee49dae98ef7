/// One value of a printed table or record, typed so that JSON keeps the type and CSV knows what is a number.
enum Cell: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  /// Seconds since 1970; printed as RFC 3339 in UTC.
  case time(Int)
  case list([Cell])
  case object([Field])
  /// A JSON text that another writer made.
  case json(String)
  case none

  /// A name and its value, in printing order.
  struct Field: Sendable, Equatable {
    let key: String
    let value: Cell
  }

  /// The text that a table shows.
  var shown: String {
    switch self {
    case .text(let text): Visible.line(text)
    case .list(let cells): cells.map(\.shown).joined(separator: ", ")
    case .object(let fields): fields.map { "\(Visible.line($0.key))=\($0.value.shown)" }.joined(separator: " ")
    case .none: "–"
    default: plain
    }
  }

  /// The text in CSV, before quoting.
  var plain: String {
    switch self {
    case .text(let text), .json(let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): flag ? "true" : "false"
    case .time(let seconds): Timestamp.text(seconds: seconds)
    case .list, .object: JSONOutput.cell(self)
    case .none: ""
    }
  }

  var isNumber: Bool { if case .integer = self { true } else { false } }
}

/// Times as people and programs read them: RFC 3339, UTC, whole seconds or milliseconds.
enum Timestamp {
  static func text(seconds: Int) -> String { date(seconds) + "Z" }

  static func text(milliseconds: Int) -> String {
    let seconds = milliseconds.quotientFloored(by: 1000)
    return "\(date(seconds)).\(padded(milliseconds - seconds * 1000, 3))Z"
  }

  /// Civil date from days, after Howard Hinnant's `civil_from_days`; right for every year of four digits.
  private static func date(_ seconds: Int) -> String {
    // Outside the years 0001 to 9999 there is no RFC 3339 text.
    let bounded = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let days = bounded.quotientFloored(by: 86_400)
    let time = bounded - days * 86_400
    let shifted = days + 719_468
    let era = shifted.quotientFloored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(civilMonth, 2))-\(padded(day, 2))T"
      + "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int {
  /// Division that rounds down, for times before 1970.
  fileprivate func quotientFloored(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
