public import Foundation
public import GatehouseClient
package import GatehousePolicy

/// The policy that a `FakeServer` judges by, with the rules and the words of the real server.
///
/// `gatehouse policy bundle policies/dd-ride.yaml --out dd-ride.bundle.json` writes the file that a test reads:
///
///     let file = try #require(Bundle.module.url(forResource: "dd-ride.bundle", withExtension: "json"))
///     let server = FakeServer(policy: try FakePolicy(contentsOf: file))
public struct FakePolicy: Sendable {
  /// The policy as the engine has it.
  package var policy: Policy
  /// Fields that the policy does not name are taken as they come.
  let takesAnyField: Bool

  /// The policy of a bundle. Throws an error that says what is wrong with it.
  public init(bundle: Data) throws { self.init(try Policy(bundle: bundle)) }

  /// The policy of a bundle in a file.
  public init(contentsOf file: URL) throws { try self.init(bundle: Data(contentsOf: file)) }

  /// A policy of the engine.
  package init(_ policy: Policy) { self.init(policy, takesAnyField: false) }

  private init(_ policy: Policy, takesAnyField: Bool) {
    self.policy = policy
    self.takesAnyField = takesAnyField
  }

  /// A policy for tests that are about none: passwords have six characters, profiles any field, other users see them,
  /// access is full at once, and a sign-up says whether the address is registered.
  public static let standard = FakePolicy(
    Policy(
      tenant: "app", app: App(name: "App"), identifiers: Identifiers(),
      password: PasswordPolicy(rules: [
        Rule(id: "password.min6", kind: .minLength, target: .password, parameter: .integer(6))
      ]),
      verification: Verification(email: EmailVerification(codeTTL: 900)), sessions: Sessions(accessTokenTTL: 900),
      directory: DirectoryPolicy(
        findBy: DirectoryPolicy.FindBy.allCases, prefixOf: ["username", "name", "displayName"]),
      privacy: Privacy(accountExists: .reveal)),
    takesAnyField: true)

  /// The steps to full access, in their order: `access.full` of the policy file.
  public var fullAccess: [AuthStep] {
    get { policy.access.full.filter { $0.enforcement.mode != .off }.map { AuthStep(need: $0.nextStep) } }
    set { policy.access.full = newValue.compactMap { step in Requirement.Need(step).map { Requirement($0) } } }
  }

  /// A sign-up does not say whether the address is registered, and makes the account when it is confirmed:
  /// `privacy.account_exists` of the policy file.
  public var hidesAccounts: Bool {
    get { policy.privacy.accountExists == .hide }
    set { policy.privacy.accountExists = newValue ? .hide : .reveal }
  }

  /// The policy for a profile, with the fields that it takes as they come.
  func policy(taking profile: [String: FieldValue]) -> Policy {
    guard takesAnyField else { return policy }
    var open = policy
    open.profile.fields += profile.sorted { $0.key < $1.key }.compactMap { name, value in
      guard policy.profile.field(name) == nil else { return nil }
      let type: FieldType =
        switch value {
        case .boolean: .boolean
        case .integer: .integer
        case .string, .null, .unsupported: .string
        }
      return Field(name: name, type: type, multiline: type == .string, visibleTo: .users)
    }
    return open
  }
}

extension Requirement.Need {
  /// The requirement that a step meets; nil for a step that no policy file can ask for.
  fileprivate init?(_ step: AuthStep) {
    switch step.kind {
    case .verifyEmail: self = .emailVerified
    case .link(let provider): self = .linked(provider)
    case .profile(let field): self = .profile(field)
    case .changeEmail, .changePassword, .enrollMFA, .verifyMFA, .unknown: return nil
    }
  }
}
