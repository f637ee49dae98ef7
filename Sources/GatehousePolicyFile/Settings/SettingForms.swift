import GatehousePolicy

/// The kinds of settings. Each names the place of its value in the section, so that reading and canonical form are
/// never of two places.
extension Setting {
  typealias Place<Value> = any WritableKeyPath<Section, Value> & Sendable

  /// Seconds.
  /// - Parameter floor: the text of the key by which the floor bounds it.
  static func duration(
    _ name: String, _ place: Place<Int64>, _ range: ClosedRange<Int64>, _ direction: Direction, trust: Bool,
    _ summary: String, floor: String? = nil
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .duration(range), summary), floor: floor,
      read: { node, section in if let seconds = node.seconds { section[keyPath: place] = seconds } },
      canonical: { .integer($0[keyPath: place]) })
  }

  static func integer(
    _ name: String, _ place: Place<Int64>, _ range: ClosedRange<Int64>, _ direction: Direction, trust: Bool,
    _ summary: String
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .integer(range), summary),
      read: { node, section in if let number = node.integer { section[keyPath: place] = number } },
      canonical: { .integer($0[keyPath: place]) })
  }

  static func boolean(
    _ name: String, _ place: Place<Bool>, _ direction: Direction, trust: Bool, _ summary: String
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .boolean, summary),
      read: { node, section in if let flag = node.truth { section[keyPath: place] = flag } },
      canonical: { .boolean($0[keyPath: place]) })
  }

  /// One word of an enumeration.
  static func choice<Word: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ place: Place<Word>, _ direction: Direction, trust: Bool, required: Bool = false,
    _ summary: String, slips: (@Sendable (Section) -> [Slip])? = nil
  ) -> Setting where Word.RawValue == String {
    Setting(
      Key(name, trust: trust, direction, .choice(Word.allCases.map(\.rawValue)), required: required, summary),
      read: { node, section in if let word = node.word(Word.self) { section[keyPath: place] = word } },
      canonical: { .string($0[keyPath: place].rawValue) }, slips: slips)
  }

  /// One word of an enumeration, or none.
  static func choice<Word: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ place: Place<Word?>, _ direction: Direction, trust: Bool, _ summary: String
  ) -> Setting where Word.RawValue == String {
    Setting(
      Key(name, trust: trust, direction, .choice(Word.allCases.map(\.rawValue)), summary),
      read: { node, section in section[keyPath: place] = node.word(Word.self) },
      canonical: { .optional($0[keyPath: place]?.rawValue) })
  }

  static func text(
    _ name: String, _ place: Place<String>, _ form: TextForm, _ direction: Direction, trust: Bool,
    required: Bool = false, _ summary: String
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .text(form), required: required, summary),
      read: { node, section in if let text = node.text { section[keyPath: place] = text } },
      canonical: { .string($0[keyPath: place]) })
  }

  /// A text, or none.
  static func text(
    _ name: String, _ place: Place<String?>, _ form: TextForm, _ direction: Direction, trust: Bool, _ summary: String
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .text(form), summary),
      read: { node, section in section[keyPath: place] = node.text },
      canonical: { .optional($0[keyPath: place]) })
  }

  static func texts(
    _ name: String, _ place: Place<[String]>, _ form: TextForm, count: ClosedRange<Int>, _ direction: Direction,
    trust: Bool, _ summary: String
  ) -> Setting {
    Setting(
      Key(name, trust: trust, direction, .list(.text(form), count: count), summary),
      read: { node, section in if let texts = node.texts { section[keyPath: place] = texts } },
      canonical: { .strings($0[keyPath: place]) })
  }

  /// Words of an enumeration. Their canonical form is in the order of the file, or sorted where they are a set.
  static func words<Word: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ place: Place<[Word]>, of all: [Word] = Array(Word.allCases), count: ClosedRange<Int>,
    isSet: Bool = false, _ direction: Direction, trust: Bool, required: Bool = false, _ summary: String,
    slips: (@Sendable (Section) -> [Slip])? = nil
  ) -> Setting where Word.RawValue == String {
    Setting(
      Key(
        name, trust: trust, direction, .list(.choice(all.map(\.rawValue)), count: count), required: required, summary),
      read: { node, section in
        if let list = node.list { section[keyPath: place] = list.compactMap { $0.word(Word.self) } }
      },
      canonical: { section in
        let words = section[keyPath: place].map(\.rawValue)
        return .strings(isSet ? words.sorted() : words)
      }, slips: slips)
  }

  /// A map of settings of the same section.
  /// - Parameter what: the name of the map in messages, where that is not the key's.
  static func map(
    _ name: String, called what: String? = nil, trust: Bool, required: Bool = false, _ members: [Setting],
    _ summary: String
  ) -> Setting {
    Setting(
      Key(
        name, trust: trust, .keys, .map(MapShape(what ?? name, members.map(\.key))), required: required, summary),
      members: members,
      read: { node, section in
        for member in members { if let value = node[member.key.name] { member.read(value, &section) } }
      }, canonical: { .object(members.canonical($0)) })
  }
}

extension Setting {
  /// The same setting of a part of a section.
  func within<Whole: Sendable>(_ place: any WritableKeyPath<Whole, Section> & Sendable) -> Setting<Whole> {
    let own = self
    let slips: @Sendable (Whole) -> [(change: String, section: Whole)] = { whole in
      own.slips(whole[keyPath: place]).map { slip in
        var other = whole
        other[keyPath: place] = slip.section
        return (slip.change, other)
      }
    }
    return Setting<Whole>(
      key, members: members.map { $0.within(place) }, floor: floor,
      read: { node, whole in own.read(node, &whole[keyPath: place]) },
      canonical: { whole in own.canonical(whole[keyPath: place]) },
      compared: { whole in own.compared(whole[keyPath: place]) },
      shown: { whole in own.shown(whole[keyPath: place]) }, slips: own.key.isTried ? slips : nil)
  }
}

extension JSONText {
  static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
}
