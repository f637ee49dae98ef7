package import Foundation

/// A way to reach a person: an address or a number, with the moment at which its owner was shown to read it.
package struct Contact: Sendable, Equatable {
  /// The kinds of contacts. The raw value is stored.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case email
    case phone

    /// The channel that reaches contacts of this kind.
    package var channel: ChannelID {
      switch self {
      case .email: .mail
      case .phone: .sms
      }
    }
  }

  package let kind: Kind
  /// The canonical form: `local@domain` as the policy normalised it, or a number in E.164 form (`+17855550123`). No
  /// value of one kind is a value of another.
  package let value: String
  /// When its owner was shown to read what goes there; nil where that is not shown, or nothing was asked.
  package let provenAt: Date?

  package init(_ kind: Kind, _ value: String, provenAt: Date? = nil) {
    (self.kind, self.value, self.provenAt) = (kind, value, provenAt)
  }

  /// A mail address.
  package static func email(_ address: String, provenAt: Date? = nil) -> Contact {
    Contact(.email, address, provenAt: provenAt)
  }

  /// A telephone number in E.164 form.
  package static func phone(_ number: String, provenAt: Date? = nil) -> Contact {
    Contact(.phone, number, provenAt: provenAt)
  }

  package var isProven: Bool { provenAt != nil }

  /// Whether `word` names the contact: for an address by its local part, in upper or lower case and with or without
  /// brackets; for a number by five or more digits that stand in it. A local part of one or two letters counts only
  /// where it is a whole word.
  func isNamed(in word: some StringProtocol) -> Bool {
    switch kind {
    case .email:
      let (letters, local) = (word.lowercased(), value.prefix { $0 != "@" }.lowercased())
      return local.count > 2
        ? letters.contains(local) : letters.split { !$0.isLetter && !$0.isNumber }.contains { $0 == local }
    case .phone:
      let digits = word.filter(\.isWholeNumber)
      return digits.count > 4 && value.contains(digits)
    }
  }
}

extension Contact: CustomStringConvertible, CustomReflectable {
  /// The kind alone: the value is personal.
  package var description: String { "Contact(\(kind.rawValue))" }
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue]) }
}
