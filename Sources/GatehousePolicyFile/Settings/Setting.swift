import GatehousePolicy

/// One key of a section, and everything that follows from it: its shape and text for readers and editors, how it comes
/// from a file into the policy, its canonical form, how a change of it is judged and told, and what a slip makes of it.
struct Setting<Section: Sendable>: Sendable {
  /// A slip: what it does, in a few words, and the section after it.
  typealias Slip = (change: String, section: Section)

  let key: Key
  /// Takes the value that the file states. A file that is silent leaves the section's default.
  let read: @Sendable (Node, inout Section) -> Void
  /// The canonical form of the value; nil: left out of it.
  let canonical: @Sendable (Section) -> JSONText?
  /// The value that `key.direction` is about, where that is not the canonical form.
  let compared: @Sendable (Section) -> JSONText?
  /// The value in a line of `policy diff`.
  let shown: @Sendable (Section) -> String
  /// The settings below it, where it is a map.
  let members: [Setting]
  /// Each way to loosen it that a test in the file can notice.
  let slips: @Sendable (Section) -> [Slip]
  /// The text of the floor's key of this name; nil: the floor has none.
  let floor: String?

  /// - Parameter slips: stands where a test in the file can notice a change.
  init(
    _ key: Key, members: [Setting] = [], floor: String? = nil,
    read: @escaping @Sendable (Node, inout Section) -> Void = { _, _ in },
    canonical: @escaping @Sendable (Section) -> JSONText?,
    compared: (@Sendable (Section) -> JSONText?)? = nil, shown: (@Sendable (Section) -> String)? = nil,
    slips: (@Sendable (Section) -> [Slip])? = nil
  ) {
    let compared = compared ?? canonical
    let shape = key.shape
    self.key = slips == nil ? key : key.tried
    self.read = read
    self.canonical = canonical
    self.compared = compared
    self.shown = shown ?? { Self.shown(compared($0), shape) }
    self.members = members
    self.slips = slips ?? { _ in [] }
    self.floor = floor
  }

  private static func shown(_ value: JSONText?, _ shape: Shape) -> String {
    switch (value, shape) {
    case (nil, _), (.null, _): "nothing"
    case (.integer(let seconds), .duration): Seconds.text(seconds)
    case (.string(let text), _): text
    case (.array, _): "[" + (value?.strings ?? []).joined(separator: ", ") + "]"
    case (let value?, _): value.sorted.text()
    }
  }
}

/// The settings of one section.
struct SettingTable<Section: Sendable>: Sendable {
  let shape: MapShape
  let all: [Setting<Section>]

  /// - Parameter what: the name of the map in messages, as `MapShape` has it.
  init(_ what: String, _ all: [Setting<Section>]) {
    shape = MapShape(what, all.map(\.key))
    self.all = all
  }

  /// The section as a map states it, over its defaults.
  func read(_ node: Node?, over silent: Section) -> Section {
    var section = silent
    for setting in all {
      if let value = node?[setting.key.name] { setting.read(value, &section) }
    }
    return section
  }

  func canonical(_ section: Section) -> JSONText { .object(members(of: section)) }

  /// The members of the canonical form.
  func members(of section: Section) -> [(String, JSONText)] { all.canonical(section) }
}

extension Array {
  func canonical<Section>(_ section: Section) -> [(String, JSONText)] where Element == Setting<Section> {
    compactMap { setting in setting.canonical(section).map { (setting.key.name, $0) } }
  }
}

extension Changes {
  /// One line for each setting that differs. A map that one side lacks differs as a whole.
  /// - Parameter lines: Of the section, where lines are not found by the path.
  func compare<Section>(
    _ settings: [Setting<Section>], at path: String, _ old: Section, _ new: Section, lines: (old: Int, new: Int)? = nil
  ) {
    for setting in settings {
      let path = "\(path).\(setting.key.name)"
      let (before, after) = (setting.compared(old)?.sorted, setting.compared(new)?.sorted)
      guard before != after else { continue }
      if !setting.members.isEmpty, before != .null, after != .null {
        compare(setting.members, at: path, old, new, lines: lines)
        continue
      }
      let relation = setting.key.direction.relation(before, after)
      let sentence = "\(path): \(setting.shown(old)) → \(setting.shown(new))"
      if let lines {
        add(path, relation, sentence, lines: (lines.old, lines.new))
      } else {
        add(path, relation, sentence)
      }
    }
  }
}
