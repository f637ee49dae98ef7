/// The source of a value.
enum Origin: Sendable, Equatable, CustomStringConvertible {
  case fallback
  case file(path: String, line: Int, column: Int)
  case variable(String)
  case flag(String)

  var description: String {
    switch self {
    case .fallback: "default"
    case .file(let path, let line, let column): "\(Visible.line(path)):\(line):\(column)"
    case .variable(let name): name
    case .flag(let name): "--\(name)"
    }
  }
}

/// One place settings come from: texts by key, each with its origin. For a secret the text may be the path of its file.
struct ConfigLayer: Sendable {
  struct Entry: Sendable {
    let text: String
    let origin: Origin
    /// The text is the path of a file that holds the value.
    var isPath = false
  }
  var entries: [String: Entry] = [:]
  /// Problems of the layer itself: unknown keys, both a value and its file.
  var problems: [String] = []
}

/// Reads settings from layers, the later before the earlier, and gathers every problem.
struct ConfigReader {
  let surroundings: Surroundings
  private let layers: [ConfigLayer]
  private(set) var problems: [String] = []
  /// Every setting read so far, in order, as `config show` prints it.
  private(set) var shown: [Shown] = []

  struct Shown: Sendable {
    let key: String
    /// `nil` where nothing is set; `(set)` for a secret.
    let text: String?
    let origin: Origin
    /// The text itself, also that of a secret: compared, and never shown.
    let value: String
  }

  init(_ layers: [ConfigLayer], _ surroundings: Surroundings) {
    self.layers = layers
    self.surroundings = surroundings
    problems = layers.flatMap(\.problems)
  }

  /// The value of a setting: from the last layer that has it, else its fallback. A text that does not fit is a problem
  /// and reads as the fallback, so that reading goes on to the next.
  mutating func value<Value>(_ setting: Setting<Value>) -> Value {
    let fallback = setting.fallback(surroundings)
    guard let entry = layers.last(where: { $0.entries[setting.key] != nil })?.entries[setting.key] else {
      let text = setting.kind.show(fallback)
      shown.append(Shown(key: setting.key, text: text.isEmpty ? nil : text, origin: .fallback, value: text))
      return fallback
    }
    guard let text = content(of: entry), let value = setting.kind.parse(text) else {
      shown.append(Shown(key: setting.key, text: nil, origin: entry.origin, value: entry.text))
      if problems.last?.hasPrefix("\(entry.origin): ") != true { refuse(entry, setting) }
      return fallback
    }
    let visible = setting.secret ? "(set)" : setting.kind.show(value)
    shown.append(Shown(key: setting.key, text: visible, origin: entry.origin, value: text))
    return value
  }

  /// Keys of settings that were given a value which does not fit.
  var unread: Set<String> { Set(shown.filter { $0.text == nil && $0.origin != .fallback }.map(\.key)) }

  /// Adds a problem that names the place of a setting.
  mutating func refuse(_ setting: any AnySetting, _ why: String) {
    let origin = shown.last { $0.key == setting.key }?.origin ?? .fallback
    problems.append("\(origin): \(setting.key) \(why)")
  }

  private mutating func refuse(_ entry: ConfigLayer.Entry, _ setting: any AnySetting) {
    // A secret that does not fit is still a secret.
    let what = setting.secret ? "the value" : "\(Quoted(entry.text))"
    problems.append("\(entry.origin): \(setting.key): \(what) is not \(setting.expects)")
  }

  private mutating func content(of entry: ConfigLayer.Entry) -> String? {
    guard entry.isPath else { return entry.text }
    do {
      let bytes = try SecretText.read(path: entry.text, for: entry.origin.description)
      return String(validating: bytes, as: UTF8.self)
    } catch {
      problems += error.messages
      return nil
    }
  }
}
