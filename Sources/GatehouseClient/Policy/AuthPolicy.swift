public import Foundation
import GatehousePolicy
import GatehouseWire

/// The tenant's policy for forms, judged on the device by the server's own rules.
public struct AuthPolicy: Sendable {
  /// The policy's revision.
  public var revision: Int
  /// The app's name.
  public var appName: String
  /// The address at which people find help.
  public var supportEmail: String?
  /// The profile fields, in the policy's order.
  public var fields: [Field]
  /// Ways to sign in and to link, besides a password.
  public var providers: [Provider]
  /// For the `passwordRules` of a password field (`UITextInputPasswordRules`).
  public var passwordRules: String
  /// The time to wait between two mails.
  public var resendAfter: Duration
  /// The app's languages.
  public var languages: [String]
  /// The app's looks.
  public var theme: Theme
  /// How users find each other; nil where they cannot.
  public var directory: Directory?
  /// The kinds of second factors that people may add; none where the policy has no second factors.
  public var factors: [FactorKind]
  /// Whether people have passwords.
  public var hasPasswords: Bool
  /// Whether a passkey opens a session by itself (`AuthClient.startPasskeySignIn()`).
  public var signsInWithPasskeys: Bool
  /// Whether a passkey makes an account (`AuthClient.startPasskeySignUp(email:)`).
  public var signsUpWithPasskeys: Bool
  /// Whether people may add a passkey, for any use (`AuthClient.startPasskey()`).
  public var admitsPasskeys: Bool
  /// Doors that demand an attested app.
  let attestDoors: Set<String>
  let rules: [PublicPolicy.Rule]
  let policy: Policy

  /// A profile field.
  public struct Field: Sendable, Hashable, Identifiable {
    /// The policy's name for it.
    public var name: String
    /// The field as people read it, in the app's language.
    public var label: String
    /// The type of its values: `string`, `integer`, `boolean`, `enum`, `url`, `date`, `phone`.
    public var type: String
    /// Whether an account needs a value.
    public var isRequired: Bool
    /// The choices of an `enum`.
    public var choices: [String]
    /// Values as people read them in the app's language, by value: `["member": "Member"]`.
    public var labels: [String: String] = [:]
    /// The value that is stored where none is given.
    public var defaultValue: ProfileValue?
    /// Whether the person may set it.
    public var isWritable: Bool
    /// Whether a form of a sign-up asks for it.
    public var isAskedAtSignUp: Bool
    /// Whether a text may have several lines.
    public var isMultiline = false
    /// The region (ISO 3166) that national numbers of a `phone` are read in: `US`.
    public var region: String?
    /// The smallest number, or the fewest characters of a text, that the server takes now; nil where there is no bound.
    public var minimum: Int?
    /// The largest number, or the most characters of a text, that the server takes now; nil where there is no bound.
    public var maximum: Int?
    /// The name.
    public var id: String { name }

    /// A value as people read it.
    public func label(of value: ProfileValue) -> String {
      let text =
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .boolean(let flag): String(flag)
        default: ""
        }
      return labels[text] ?? text
    }

    /// The typed text as a value of the field's type. Text that is no such value stays text: the rule about the type
    /// says so.
    public func value(of text: String) -> ProfileValue {
      switch type {
      case "integer": TypedText.integer(text).map(ProfileValue.integer) ?? .string(text)
      case "boolean": Bool(text).map(ProfileValue.boolean) ?? .string(text)
      default: .string(text)
      }
    }
  }

  /// A provider.
  public struct Provider: Sendable, Hashable, Identifiable {
    /// The policy's name for it.
    public var name: String
    /// Whether people sign in with the provider; otherwise they only link it to an account.
    public var isForSignIn: Bool
    /// The name that people know it by: `Spotify`.
    public var title: String { GatehousePolicy.Label.provider(name) }
    /// The name.
    public var id: String { name }
  }

  /// How users find each other.
  public struct Directory: Sendable, Hashable {
    /// Whether `AuthClient.find(email:)` is open.
    public var findsByEmail: Bool
    /// Whether `AuthClient.find(username:)` is open.
    public var findsByUsername: Bool
    /// The profile fields that `AuthClient.find(prefix:)` looks at; empty where it is not open.
    public var prefixFields: [String]
  }

  /// The public policy as the server sends it; throws `DecodingError` for what is none.
  public init(json: Data) throws { self.init(try ContractJSON.decode(PublicPolicy.self, from: json)) }

  /// The name of a field in words, for servers that send no label: `phoneNumber` is `Phone number`.
  static func words(of name: String) -> String {
    let words = name.reduce(into: "") { words, letter in
      words += letter.isUppercase && !words.isEmpty ? " \(letter.lowercased())" : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst().replacing("_", with: " ")
  }

  /// Whether the server refuses an account without a value of this field now. A rule that only warns so far does not.
  func demands(_ field: Field) -> Bool {
    rules.contains { $0.pointer == Pointer.profile(field.name) && $0.kind == "required" && $0.enforce == "enforce" }
  }

  /// Text that was typed into a form, as values of the fields' types; other values as they are.
  func typed(_ profile: Profile) -> Profile {
    var typed = profile
    for field in fields {
      if case .string(let text) = profile[field.name] { typed[field.name] = field.value(of: text) }
    }
    return typed
  }

  init(_ policy: PublicPolicy) {
    revision = policy.revision
    appName = policy.app.name
    supportEmail = policy.app.supportEmail
    fields = policy.fields.map { Field($0, policy) }
    providers = policy.providers.filter { $0.name != "password" }.map {
      Provider(name: $0.name, isForSignIn: $0.use == "sign_in")
    }
    passwordRules = policy.password.passwordrules
    resendAfter = .seconds(policy.verification.resendAfter)
    languages = policy.languages
    theme = Theme(policy.theme)
    directory = policy.directory.map {
      Directory(
        findsByEmail: $0.findBy.contains("email"), findsByUsername: $0.findBy.contains("username"),
        prefixFields: $0.findBy.contains("prefix") ? $0.prefixOf : [])
    }
    factors = (policy.mfa?.factors ?? []).map(FactorKind.init)
    hasPasswords =
      policy.providers.contains { $0.name == "password" } || policy.rules.contains { $0.pointer == "/password" }
    signsInWithPasskeys = policy.passkeys?.use.contains("sign_in") ?? false
    signsUpWithPasskeys = policy.passkeys?.use.contains("sign_up") ?? false
    admitsPasskeys = signsInWithPasskeys || factors.contains(.passkey)
    attestDoors = Set(policy.attest?.doors ?? [])
    rules = policy.rules
    self.policy = Policy(policy)
  }
}
