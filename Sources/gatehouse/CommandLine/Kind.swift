import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The kind of a flag's or a setting's value: how it is read and shown, and the message for text that does not fit.
struct Kind<Value: Sendable>: Sendable {
  /// The word that stands for the value in help: `N`, `URL`, `FILE`.
  let placeholder: String
  /// Completes "is not …": `a whole number from 1 to 500`.
  let expects: String
  /// Every possible text, where there are few; completion offers them.
  var choices: [String] = []
  /// The completion that a shell offers.
  var completes = Completes.nothing
  /// A flag of this kind takes no value on the command line; its presence means `true`.
  var isSwitch = false
  /// Says more of a text that does not fit than `expects`.
  var unknown: (@Sendable (String) -> String)?
  let parse: @Sendable (String) -> Value?
  let show: @Sendable (Value) -> String

  /// The same kind for a value that may be missing altogether.
  var optional: Kind<Value?> {
    let parse = parse
    let show = show
    return Kind<Value?>(
      placeholder: placeholder, expects: expects, choices: choices, completes: completes, isSwitch: isSwitch,
      unknown: unknown,
      parse: { text in parse(text).map(Optional.some) },
      show: { value in value.map(show) ?? "" })
  }
}

/// The completion of a value in a shell.
enum Completes: Sendable, Equatable {
  case nothing, file, directory
  /// These words.
  case words([String])
  /// A name of the database: a tenant's, or one of the fields or rules of the policy of the tenant on the line.
  case tenant, field, rule
}

extension Kind {
  /// The same kind with another completion.
  func completing(_ completes: Completes) -> Kind {
    var kind = self
    kind.completes = completes
    return kind
  }
}

extension Kind where Value == String {
  /// Any text without control characters; `expects` says what it is for.
  static func text(_ placeholder: String = "TEXT", _ expects: String = "a line of text") -> Kind {
    Kind(
      placeholder: placeholder, expects: expects,
      parse: { $0.isEmpty || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : $0 },
      show: { $0 })
  }

  /// The path of a file. The file is looked for when it is opened, not here.
  static let file = path("FILE", "the path of a file", .file)
  /// The path of a directory.
  static let directory = path("DIR", "the path of a directory", .directory)

  private static func path(_ placeholder: String, _ expects: String, _ completes: Completes) -> Kind {
    Kind(
      placeholder: placeholder, expects: expects, completes: completes,
      parse: { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }, show: { $0 })
  }

  /// A day of the calendar, by which policies are judged as of its first moment (UTC).
  static let day = Kind(
    placeholder: "DATE", expects: "a day like 2027-03-01", parse: { Day($0) == nil ? nil : $0 }, show: { $0 })

  /// An absolute URL with one of these schemes and a host (or, for `postgres`, a socket in its query).
  static func url(_ schemes: String..., hostless: Bool = false) -> Kind {
    let expects = "a URL like " + schemes.map { "\($0)://…" }.joined(separator: " or ")
    return Kind(
      placeholder: "URL", expects: expects,
      parse: { text in URLShape(text, schemes: schemes, hostless: hostless) == nil ? nil : text }, show: { $0 })
  }

  /// The address at which people reach a server, in the spelling of browsers: scheme and host in lower case and ASCII,
  /// no port that the scheme has anyway, no slash at the end; no user, query or fragment (RFC 3986 section 6.2).
  static let webAddress = Kind(
    placeholder: "URL", expects: "an address like https://auth.example.com, without user, query and fragment",
    parse: { text in
      guard let origin = WebOrigin(of: text), let mark = text.firstRange(of: "://") else { return nil }
      let path = text[mark.upperBound...].drop { $0 != "/" }
      guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#%\\".utf8.contains($0) })
      else { return nil }
      return origin.text + String(path.reversed().drop { $0 == "/" }.reversed())
    }, show: { $0 })
}

extension Kind where Value == Int {
  /// A whole number within bounds, in ASCII digits; `unit` is what it counts.
  static func integer(_ range: ClosedRange<Int>, of unit: String? = nil) -> Kind {
    let number = unit.map { "a whole number of \($0)" } ?? "a whole number"
    return Kind(
      placeholder: "N", expects: "\(number) from \(range.lowerBound) to \(range.upperBound)",
      parse: { text in
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
        return range.contains(number) ? number : nil
      },
      show: { String($0) })
  }
}

extension Kind where Value == Bool {
  /// `true` or `false` in files and variables; on the command line the flag alone.
  static let onOff = Kind(
    placeholder: "true|false", expects: "true or false", choices: ["true", "false"], isSwitch: true,
    parse: { $0 == "true" ? true : $0 == "false" ? false : nil }, show: { $0 ? "true" : "false" })
}

extension Kind where Value == GatehouseWire.Timestamp {
  /// A moment in UTC, to the second.
  static let moment = Kind(
    placeholder: "TIME", expects: "a moment like 2027-03-01T12:00:00Z", parse: { GatehouseWire.Timestamp($0) },
    show: { $0.description })
}

extension Kind where Value == GatehouseWire.Timestamp {
  /// A moment that has been: as it is, as a day in UTC, or as the time since then.
  static let pastMoment = Kind(
    placeholder: "TIME", expects: "a moment like 2027-03-01T12:00:00Z, a day like 2027-03-01 or a time ago like 2h",
    parse: { text in
      if let moment = GatehouseWire.Timestamp(text) { return moment }
      if let day = Day(text) { return GatehouseWire.Timestamp(seconds: day.startSeconds) }
      return Span(text).map { GatehouseWire.Timestamp(Date(timeIntervalSinceNow: -Double($0.milliseconds) / 1000)) }
    },
    show: { $0.description })
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  static var word: Kind {
    let words = Value.allCases.map(\.rawValue)
    return Kind(
      placeholder: words.joined(separator: "|"), expects: "one of " + words.joined(separator: ", "), choices: words,
      parse: { text in words.first { $0.utf8.elementsEqual(text.utf8) }.flatMap(Value.init) }, show: { $0.rawValue })
  }
}

extension Kind where Value == Span {
  /// A length of time with its unit: `500ms`, `15s`, `10m`, `24h`, `30d`.
  static func duration(_ range: ClosedRange<Span>) -> Kind {
    Kind(
      placeholder: "DURATION",
      expects: "a duration with a unit (ms, s, m, h, d) from \(range.lowerBound) to \(range.upperBound)",
      parse: { text in Span(text).flatMap { range.contains($0) ? $0 : nil } }, show: { $0.description })
  }
}

extension Kind where Value == Address {
  /// A numeric address and a port to listen on.
  static let address = Kind(
    placeholder: "ADDRESS:PORT", expects: "an address and port like 127.0.0.1:8080 or [::1]:8080",
    parse: { Address($0) }, show: { $0.description })
}
