/// The kinds of keys. Each names the place of its value in the section once, for both directions.
extension BundleKey {
  typealias Place<Value> = any WritableKeyPath<Section, Value> & Sendable

  static func text(_ name: String, _ place: Place<String>, required: Bool = false) -> BundleKey {
    BundleKey(
      name: name, isRequired: required, write: { .string($0[keyPath: place]) },
      read: { value, section in section[keyPath: place] = try value.text })
  }

  static func text(_ name: String, _ place: Place<String?>) -> BundleKey {
    BundleKey(
      name: name, write: { $0[keyPath: place].map(JSONText.string) },
      read: { value, section in section[keyPath: place] = try value.text })
  }

  static func texts(_ name: String, _ place: Place<[String]>) -> BundleKey {
    BundleKey(
      name: name, write: { .strings($0[keyPath: place]) },
      read: { value, section in section[keyPath: place] = try value.list.map { try $0.text } })
  }

  static func integer(_ name: String, _ place: Place<Int64>) -> BundleKey {
    BundleKey(
      name: name, write: { .integer($0[keyPath: place]) },
      read: { value, section in section[keyPath: place] = try value.integer })
  }

  static func seconds(_ name: String, _ place: Place<Int64>) -> BundleKey {
    BundleKey(
      name: name, write: { .string(Seconds.text($0[keyPath: place])) },
      read: { value, section in section[keyPath: place] = try value.seconds })
  }

  static func flag(_ name: String, _ place: Place<Bool>) -> BundleKey {
    BundleKey(
      name: name, write: { .boolean($0[keyPath: place]) },
      read: { value, section in section[keyPath: place] = try value.flag })
  }

  static func word<Word: RawRepresentable & CaseIterable & SendableMetatype>(_ name: String, _ place: Place<Word>)
    -> BundleKey
  where Word.RawValue == String {
    BundleKey(
      name: name, write: { .string($0[keyPath: place].rawValue) },
      read: { value, section in section[keyPath: place] = try value.word() })
  }

  static func word<Word: RawRepresentable & CaseIterable & SendableMetatype>(_ name: String, _ place: Place<Word?>)
    -> BundleKey
  where Word.RawValue == String {
    BundleKey(
      name: name, write: { ($0[keyPath: place]?.rawValue).map(JSONText.string) },
      read: { value, section in section[keyPath: place] = try value.word() })
  }

  static func words<Word: RawRepresentable & CaseIterable & SendableMetatype>(_ name: String, _ place: Place<[Word]>)
    -> BundleKey
  where Word.RawValue == String {
    BundleKey(
      name: name, write: { .strings($0[keyPath: place].map(\.rawValue)) },
      read: { value, section in section[keyPath: place] = try value.list.map { try $0.word() } })
  }

  /// A text by language.
  static func spoken(_ name: String, _ place: Place<Texts?>) -> BundleKey {
    BundleKey(
      name: name, write: { $0[keyPath: place].map(\.bundled) },
      read: { value, section in section[keyPath: place] = try value.texts })
  }

  /// A section within this one.
  static func section<Part>(
    _ name: String, _ place: Place<Part>, required: Bool = false, _ table: BundleTable<Part>
  ) -> BundleKey {
    BundleKey(
      name: name, isRequired: required, write: { table.write($0[keyPath: place]) },
      read: { value, section in section[keyPath: place] = try table.read(value, over: section[keyPath: place]) })
  }

  /// A section that is made of a draft, since it has constants.
  static func section<Part, Draft>(
    _ name: String, _ place: Place<Part>, required: Bool = false, _ table: BundleTable<Draft>,
    draft: @escaping @Sendable (Part) -> Draft, made: @escaping @Sendable (Draft) -> Part
  ) -> BundleKey {
    BundleKey(
      name: name, isRequired: required, write: { table.write(draft($0[keyPath: place])) },
      read: { value, section in
        section[keyPath: place] = made(try table.read(value, over: draft(section[keyPath: place])))
      })
  }

  /// A list of sections.
  static func list<Element, Draft: Sendable>(
    _ name: String, _ place: Place<[Element]>, _ table: BundleTable<Draft>, silent: Draft,
    draft: @escaping @Sendable (Element) -> Draft,
    made: @escaping @Sendable (Draft, BundleValue) throws -> Element
  ) -> BundleKey {
    BundleKey(
      name: name, write: { .array($0[keyPath: place].map { table.write(draft($0)) }) },
      read: { value, section in
        section[keyPath: place] = try value.list.map { try made(try table.read($0, over: silent), $0) }
      })
  }
}

extension Texts {
  var bundled: JSONText { .object(byLanguage.map { ($0.key, .string($0.value)) }) }
}
