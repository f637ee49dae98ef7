/// One setting of the server: its place in `config/gatehouse.yaml`, its variable, its flag, the values that it accepts
/// and its default. The table `Settings.all` is the only list of settings.
struct Setting<Value: Sendable>: AnySetting {
  /// Dotted path in the file: `database.connections`. The variable is `GATEHOUSE_DATABASE_CONNECTIONS`.
  let key: String
  let kind: Kind<Value>
  let summary: String
  /// Holds a secret, or a URL that may carry one: never shown; may be given as the path of a file.
  let secret: Bool
  /// The flag that sets it on the command line, without dashes; `nil` where there is none.
  let flagName: String?
  /// An example for the file where there is no default to show.
  let example: String?
  let taken: SettingTaken
  let fallback: @Sendable (Surroundings) -> Value
  /// How documents show the fallback; `nil` where there is none.
  let fallbackText: String?

  init(
    _ key: String, _ kind: Kind<Value>, _ summary: String, is fallback: Value, flag: String? = nil,
    taken: SettingTaken = .atStart
  ) {
    self.init(
      key, kind, summary, secret: false, flag: flag, example: nil, fallbackText: kind.show(fallback),
      taken: taken, fallback: { _ in fallback })
  }

  /// A setting that has no default, or one that depends on the surroundings (`fallbackText` describes it).
  init(
    _ key: String, _ kind: Kind<Value>, _ summary: String, secret: Bool = false, flag: String? = nil,
    example: String?, fallbackText: String? = nil, taken: SettingTaken = .atStart,
    fallback: @escaping @Sendable (Surroundings) -> Value
  ) {
    self.key = key
    self.kind = kind
    self.summary = summary
    self.secret = secret
    self.flagName = flag
    self.example = example
    self.fallbackText = fallbackText
    self.taken = taken
    self.fallback = fallback
  }

  var flag: (any AnyFlag)? {
    guard let flagName else { return nil }
    let secret = secret
    let variable = variable
    return Flag(flagName, kind, "\(summary) (\(variable))") { text in
      guard
        secret,  // GUARD: command line: no password in a URL
        URLShape(text, schemes: ["postgres", "postgresql", "smtp", "smtps"], hostless: true)?.hasPassword
          ?? false
      else { return nil }
      return "each user of this machine can read a password in a command line; use \(variable) or \(variable)_FILE"
    }
  }

  var isPath: Bool { kind.completes != .nothing }
  func fits(_ text: String) -> Bool { kind.parse(text) != nil }
  var expects: String { kind.expects }
}

/// When a server that runs takes another value of a setting.
enum SettingTaken: Sendable {
  /// At its next start.
  case atStart
  /// At SIGHUP.
  case atReload
  /// At SIGHUP; and its files are followed: a change counts within seconds.
  case followed

  /// The sentence of documents.
  var sentence: String {
    switch self {
    case .atStart: "Read at the start."
    case .atReload: "Read again at SIGHUP."
    case .followed: "Read again at SIGHUP, and its file when it changes."
    }
  }
}

/// A setting without its type.
protocol AnySetting: Sendable {
  var key: String { get }
  var summary: String { get }
  var secret: Bool { get }
  var example: String? { get }
  var fallbackText: String? { get }
  var taken: SettingTaken { get }
  var flagName: String? { get }
  var flag: (any AnyFlag)? { get }
  var expects: String { get }
  /// Whether the value is the path of a file or directory.
  var isPath: Bool { get }
  func fits(_ text: String) -> Bool
}

extension AnySetting {
  /// `GATEHOUSE_DATABASE_CONNECTIONS`.
  var variable: String { "GATEHOUSE_" + key.replacing(".", with: "_").uppercased() }
}

/// The settings that a command takes as flags.
enum SettingFlags: Sendable {
  /// It reads no configuration.
  case none
  /// The configuration file alone.
  case file
  /// The settings of the lists that rules refer to, and of the floor.
  case lists
  /// The same, or the lists and the floor of a running server.
  case check
  /// The settings that locate the database: file, data directory, URL.
  case store
  /// The same, or a running server instead.
  case backend
  /// Every setting that has a flag.
  case all
  /// The same, or a running server instead.
  case allOrBackend

  /// Whether every setting that has a flag is taken.
  var isAll: Bool {
    switch self {
    case .all, .allOrBackend: true
    case .none, .file, .lists, .check, .store, .backend: false
    }
  }

  var flags: [any AnyFlag] {
    switch self {
    case .none: []
    case .file: [Settings.config]
    case .lists: [Settings.config] + [Settings.lists.flag, Settings.floor.flag].compactMap { $0 }
    case .check: SettingFlags.lists.flags + ServerFlags.all
    case .store:
      [Settings.config] + [Settings.dataDirectory.flag, Settings.databaseURL.flag].compactMap { $0 } + [Person.stated]
    case .backend: SettingFlags.store.flags + ServerFlags.all
    case .all: [Settings.config] + Settings.all.compactMap(\.flag)
    case .allOrBackend: SettingFlags.all.flags + [Person.stated] + ServerFlags.all
    }
  }
}
