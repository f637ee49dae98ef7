/// One class of inputs in which the verdict of a rule is constant, by an example of it.
package struct Witness: Sendable, Hashable {
  /// The input of a rule, as a request or the stored account brings it.
  package enum Value: Sendable, Hashable {
    /// An address as typed; empty: none was given.
    case email(String)
    case password(PasswordWitness)
    /// The value of a field as given; `.null` clears it.
    case field(FieldValue)
    /// The writer of a field, and the value that is stored in it before; `.null` where there is none.
    case writer(Facts.Writer, stored: FieldValue)
    /// Whether another account holds the value of a unique field.
    case taken(Bool)
    /// The name of a field in the profile of a request.
    case key(String)
  }

  /// The example.
  package let value: Value
  /// The class in a few words for operators: `an address of a look-alike of ksu.edu`, `7 characters`.
  package let name: String

  package init(_ value: Value, _ name: String) {
    self.value = value
    self.name = name
  }

  /// The domain of the example of a throw-away mail service. `WitnessFacts` knows it as one.
  package static let disposableDomain = "throw-away.example"
}

/// A password of an example: its text, and what sources say of it. The sources' answers are declared, so each
/// combination has an example: strength is one number, so a password of strength 3 is one of at least 2.
package struct PasswordWitness: Sendable, Hashable {
  /// As typed; empty: none was given.
  package var text: String
  /// The estimate, 0 to 4.
  package var strength: Int
  /// The lists that hold it: `common`, `breached`.
  package var lists: Set<String>
  /// Its place among the account's last ones: 0 for the present one, 1 for the one before; nil for none.
  package var place: Int?
  /// Seconds since it was set; of a stored one.
  package var age: Int64
  /// The subjects whose word it contains: `email`, or names of fields. `typed(by:)` puts the words in.
  package var contains: Set<String>

  /// A strong password on no list, new, which contains nothing personal.
  package init(
    _ text: String, strength: Int = 4, lists: Set<String> = [], place: Int? = nil, age: Int64 = 0,
    contains: Set<String> = []
  ) {
    self.text = text
    self.strength = strength
    self.lists = lists
    self.place = place
    self.age = age
    self.contains = contains
  }

  /// The text with the words of this person that it is said to contain, as long as before where they find room. A
  /// subject of which the person has no word of at least four code points adds nothing.
  package func typed(email: String?, profile: [String: FieldValue]) -> String {
    let person = PasswordSubject(email: email, given: profile)
    let words = contains.sorted().compactMap { subject in
      person.words(of: subject).first { Text.length(Text.folded($0)) >= 4 }
    }
    guard !words.isEmpty else { return text }
    let joined = words.joined(separator: "-")
    let room = Text.length(text) - Text.length(joined)
    return text.resized(to: max(room, text.oneOfEachClass.count)) + joined
  }
}
