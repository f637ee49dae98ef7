import Foundation
import GatehouseIdentity

/// One line of text for a header field: ASCII as it is, anything else as encoded-words (RFC 2047). A control character,
/// line break or line separator in it is refused.
struct HeaderText {
  /// Pieces without white space inside, to be joined by one space or a fold.
  let tokens: [String]

  static let maxBytes = 998

  init(_ text: String, field: String) throws(MIMEError) {
    guard text.utf8.count <= Self.maxBytes else { throw .tooLong(field: field) }
    guard text.unicodeScalars.allSatisfy({ !$0.breaksLines }) else { throw .forbiddenCharacter(field: field) }
    tokens = Self.plainWords(text) ?? EncodedWord.encode(text)
  }

  /// The words of `text` if they can stand as they are.
  private static func plainWords(_ text: String) -> [String]? {
    guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), !text.contains("=?") else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return words.allSatisfy { (1...70).contains($0.utf8.count) } ? words : nil
  }
}

/// RFC 2047 encoded-words in base64: each is at most 64 characters and holds whole Unicode scalars.
enum EncodedWord {
  static func encode(_ text: String) -> [String] {
    var words: [String] = []
    var chunk: [UInt8] = []
    for scalar in text.unicodeScalars {
      let bytes = UTF8.encode(scalar).map(Array.init) ?? []
      if chunk.count + bytes.count > 39 {
        words.append(word(chunk))
        chunk = []
      }
      chunk += bytes
    }
    if !chunk.isEmpty { words.append(word(chunk)) }
    return words
  }

  private static func word(_ bytes: [UInt8]) -> String { "=?UTF-8?B?\(Data(bytes).base64EncodedString())?=" }

  /// Undoes `encode`: encoded-words are decoded and joined, everything else is kept.
  static func decode(_ text: String) -> String {
    var result: [UInt8] = []
    var afterWord = false
    for (index, token) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let decoded =
        token.hasPrefix("=?UTF-8?B?") && token.hasSuffix("?=") && token.utf8.count > 12
        ? Data(base64Encoded: String(token.dropFirst(10).dropLast(2))) : nil
      if index > 0, !(afterWord && decoded != nil) { result.append(0x20) }
      result += decoded.map(Array.init) ?? Array(token.utf8)
      afterWord = decoded != nil
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A mailbox for a header field and the envelope: the name stripped of what could mislead, the address checked.
struct MailboxText {
  let tokens: [String]
  let address: String

  /// How much the name is trusted.
  enum NameRule {
    /// The operator's or tenant's own: control characters are taken out.
    case stripped
    /// Typed into a form by a user: dropped as a whole when it could carry a link.
    case user
  }

  init(_ mailbox: MailAddress, field: String, name rule: NameRule) throws(MIMEError) {
    guard Self.isPlainAddress(mailbox.address) else { throw .address(field: field) }
    address = mailbox.address
    let name: String? =
      switch rule {
      case .stripped: mailbox.name.flatMap { ShownText.line($0, max: 100) }
      case .user: mailbox.name.flatMap(ShownText.userName)
      }
    tokens = (name.map(Self.phrase) ?? []) + ["<\(address)>"]
  }

  /// A display name as quoted-string or encoded-words (RFC 5322 section 3.2.5).
  private static func phrase(_ name: String) -> [String] {
    let plain = name.utf8.count <= 60 && name.utf8.allSatisfy { (0x20...0x7e).contains($0) } && !name.contains("=?")
    guard plain else { return EncodedWord.encode(name) }
    let escaped = name.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    return ["\"\(escaped)\""]
  }

  /// A dot-atom at a domain name (RFC 5321 section 4.1.2 without quoted strings and address literals), letters beyond
  /// ASCII allowed (RFC 6531). Every character that could end an address or a line is refused.
  static func isPlainAddress(_ address: String) -> Bool {
    let halves = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard halves.count == 2, (1...64).contains(halves[0].count), (1...253).contains(halves[1].count),
      address.utf8.count <= 254, address.unicodeScalars.allSatisfy({ $0.isASCII || $0.isWordLike })
    else { return false }
    let local = halves[0].allSatisfy {
      $0 >= 0x80 || $0.isASCIIAlphanumeric || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0)
    }
    let domain = halves[1].allSatisfy { $0 >= 0x80 || $0.isASCIIAlphanumeric || "-.".utf8.contains($0) }
    return local && domain && halves.allSatisfy(hasNoEmptyLabel) && halves[1].first != UInt8(ascii: "-")
  }

  private static func hasNoEmptyLabel(_ half: Substring.UTF8View) -> Bool {
    half.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }
}

/// `Sat, 21 Nov 2026 09:30:00 +0000` (RFC 5322 section 3.3), always UTC, of no locale.
enum MIMEDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func text(_ date: Date) throws(MIMEError) -> String {
    let part = try CivilTime(date)
    let time = "\(two(part.hour)):\(two(part.minute)):\(two(part.second))"
    return "\(days[part.weekday]), \(part.day) \(months[part.month - 1]) \(part.year) \(time) +0000"
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A moment's calendar parts in UTC, proleptic Gregorian, 1970 to 9999.
struct CivilTime {
  let year, month, day, hour, minute, second, millisecond: Int
  /// 0 is Thursday, the weekday of 1 January 1970.
  let weekday: Int

  init(_ date: Date) throws(MIMEError) {
    let seconds = date.timeIntervalSince1970
    guard seconds >= 0, seconds < 253_402_300_800 else { throw .date }
    let whole = Int(seconds.rounded(.down))
    let days = whole / 86_400
    let rest = whole % 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    millisecond = min(999, Int((seconds - Double(whole)) * 1000))
    weekday = days % 7
    // Days to a civil date by eras of 400 years that begin on 1 March, so that the leap day comes last.
    let shifted = days + 719_468
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + shifted / 146_097 * 400 + (month <= 2 ? 1 : 0)
  }
}
