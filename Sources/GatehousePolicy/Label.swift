/// The names that people read.
public enum Label {
  /// An identifier as people read it: `phoneNumber` is "Phone number", `photoURL` "Photo URL", `chapter_id` "Chapter
  /// ID".
  public static func readable(_ identifier: String) -> String {
    let words = words(of: Array(identifier.unicodeScalars)).enumerated().map { index, word -> String in
      let lower = word.lowercased()
      if lower == "id" || lower == "url" { return lower.uppercased() }
      if word.unicodeScalars.count > 1, word == word.uppercased(), word != lower { return word }
      return index == 0 ? lower.prefix(1).uppercased() + lower.dropFirst() : lower
    }
    return words.isEmpty ? identifier : words.joined(separator: " ")
  }

  /// A word ends before a capital that follows a small letter or begins another word, and at each separator.
  private static func words(of scalars: [Unicode.Scalar]) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func isCapital(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isUppercase }
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    for (index, scalar) in scalars.enumerated() {
      guard scalar != "_", scalar != "-", scalar != " " else {
        end()
        continue
      }
      if isCapital(scalar), let last = word.last {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        if !isCapital(last) || next.map(\.properties.isLowercase) == true { end() }
      }
      word.append(scalar)
    }
    end()
    return words
  }

  /// The name that people know a provider by: "Spotify" for `spotify`.
  public static func provider(_ name: String) -> String {
    name == "github" ? "GitHub" : name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension Label {
  /// A field that no policy gives a label, by language.
  static func field(_ name: String) -> Texts { texts(name, LabelWords.fields) }

  /// A value of a list that no policy gives a label, by language.
  package static func value(_ value: String) -> Texts { texts(value, LabelWords.values) }

  private static func texts(_ identifier: String, _ words: [String: LabelWords.Row]) -> Texts {
    let english = readable(identifier)
    return words[identifier.lowercased()]?(english).texts ?? ["en": english]
  }
}

extension Field {
  /// The field as people read it: the policy's `label`, and in other languages what its identifier says.
  public var readable: Texts {
    Texts(Label.field(name).byLanguage.merging(label?.byLanguage ?? [:]) { $1 })
  }

  /// A value as people read it: the policy's label, and in other languages what the value itself says.
  public func readable(_ value: String) -> Texts {
    Texts(Label.value(value).byLanguage.merging(valueLabels[value]?.byLanguage ?? [:]) { $1 })
  }

  /// The field as a person reads it who understands these languages, best first.
  public func title(in languages: [String]) -> String { readable.text(in: languages) ?? name }
}
