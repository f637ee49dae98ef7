import Foundation
public import GatehouseClient
import GatehousePolicy

/// Second factors for tests.
extension FakeServer {
  /// Adds an authenticator app to an account, as another device does. Returns its seed in Base32. The first app comes
  /// with recovery codes.
  @discardableResult
  public func addTOTP(to email: String, name: String? = nil) -> String {
    let now = clock.now
    let seed = FakeTOTP.makeSeed()
    withWorld { world in
      guard var account = world.account(email: email) else { return }
      if account.factors.isEmpty { account.recoveryCodes = FakeRecoveryCode.makeSet() }
      account.apps.append(FakeApp(id: world.id(), seed: seed, name: name, lastStep: .min, createdAt: now))
      account.raiseEpoch()
      world.accounts[account.id] = account
    }
    return FakeTOTP.text(seed)
  }

  /// The six digits that the newest authenticator app of an account shows now; nil for one without. Each is taken once,
  /// and the app shows others after half a minute.
  public func totpCode(for email: String) -> String? {
    let now = clock.now
    return withWorld { $0.account(email: email)?.apps.last }
      .map { FakeTOTP.code($0.seed, step: FakeTOTP.step(at: now)) }
  }

  /// The six digits that an authenticator app with this seed in Base32 shows now; nil where it is none.
  public func totpCode(secret: String) -> String? {
    let now = clock.now
    return FakeTOTP.seed(secret).map { FakeTOTP.code($0, step: FakeTOTP.step(at: now)) }
  }

  /// The recovery codes of an account that were not used.
  public func recoveryCodes(of email: String) -> [String] {
    withWorld { $0.account(email: email)?.recoveryCodes ?? [] }
  }

  /// The push tokens of an account's living sessions.
  public func pushTokens(of email: String) -> [String] {
    withWorld { world in
      guard let id = world.account(email: email)?.id else { return [] }
      return world.sessions.values.filter { $0.account == id && !$0.isEnded }.compactMap(\.pushToken).sorted()
    }
  }
}

extension FakePolicy {
  /// The factors that people may add: `mfa.factors` of the policy file, of which a bundle says nothing. Kinds that the
  /// engine does not know are left out.
  public var factors: [FactorKind] {
    get { (policy.mfa?.factors ?? []).map { FactorKind(rawValue: $0.rawValue) } }
    set {
      let known = newValue.compactMap { Factor(rawValue: $0.rawValue) }
      usePasskeys(known.contains(.passkey), for: .secondFactor)
      guard !known.isEmpty else { return policy.mfa = nil }
      if policy.mfa == nil { policy.mfa = MFA(factors: known) } else { policy.mfa?.factors = known }
    }
  }

  /// Whether each person needs a second factor: `mfa.required_if` of the policy file with one demand, `all`. Without
  /// `factors` there is none.
  public var requiresFactor: Bool {
    get { policy.mfa?.requiredIf.isEmpty == false }
    set { policy.mfa?.requiredIf = newValue ? [MFA.Demand(id: "mfa.all")] : [] }
  }

  /// The time of full access without a factor, from the first session on: `mfa.grace` of the policy file. Without
  /// `factors` there is none.
  public var factorGrace: Duration {
    get { .seconds(policy.mfa?.grace ?? 0) }
    set { policy.mfa?.grace = newValue.components.seconds }
  }

  /// The time for which a device is remembered after a second factor: `mfa.remember_device` of the policy file. Without
  /// `factors` there is none.
  public var rememberDevice: Duration {
    get { .seconds(policy.mfa?.rememberDevice ?? 0) }
    set { policy.mfa?.rememberDevice = newValue.components.seconds }
  }
}
