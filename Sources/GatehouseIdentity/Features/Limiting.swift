// Limits: what the policy allows per account, address, recipient and tenant, counted before the work is done.

import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum Limiting {
  /// What is about to be done.
  enum Work {
    case signUp
    /// A sign-in by a provider, whoever it is.
    case federatedSignIn
    /// A link begun.
    case link(AccountID)
    case code(destination: String)
  }

  /// Counts one against each limit that the policy sets for this work. Refuses `rate_limited`, which is an audit event.
  static func reserve(_ work: Work, _ call: Call, _ services: Services) async throws {
    let wanted = reservations(work, call)
    guard !wanted.isEmpty else { return }
    let store = services.store.open(call.tenant.id)
    guard case .exhausted(let name, let retryAfter) = try await store.reserve(wanted) else { return }
    await noteExhausted(name, of: wanted, call, services)
    throw Refusal(.rateLimited, retryAfter: retryAfter, note: name)
  }

  /// An exhausted limit is an audit event.
  static func noteExhausted(_ name: String, of wanted: [Reservation], _ call: Call, _ services: Services) async {
    let key = wanted.first { $0.name == name }?.key ?? ""
    await call.note(.limitExceeded, about: "\(name) \(key)", services, details: ["limit": name])
  }

  /// The reservations of one attempt at a password.
  static func signIn(_ key: SignInKey, _ call: Call) -> [Reservation] {
    make(
      [(.signInPerAccount, key.text), (.signInPerIP, call.addressKey), (.signInPerTenant, "tenant")], call)
  }

  private static func reservations(_ work: Work, _ call: Call) -> [Reservation] {
    switch work {
    case .signUp: make([(.signUpPerIP, call.addressKey), (.signUpPerTenant, "tenant")], call)
    case .federatedSignIn: make([(.signInPerIP, call.addressKey), (.signInPerTenant, "tenant")], call)
    case .link(let account): [Reservation(name: "link_per_account", key: account.text, count: 30, window: 3600)]
    case .code(let destination): codes(call.hashed(destination), call)
    }
  }

  /// A new code gives no new tries for ever: where the policy sets no limit, this one holds. Links are not concerned.
  private static func codes(_ key: String, _ call: Call) -> [Reservation] {
    let set = make([(.codePerAccount, key)], call)
    return set.isEmpty
      ? [Reservation(name: Limits.Name.codePerAccount.rawValue, key: key, count: 30, window: 86_400)] : set
  }

  /// The reservations for one request, whatever it asks for; empty where the policy sets no such limit.
  static func requests(_ call: Call) -> [Reservation] {
    guard call.policy.limits[.requestsPerIP] != nil || call.policy.limits[.requestsPerTenant] != nil else { return [] }
    return make([(.requestsPerIP, call.addressKey), (.requestsPerTenant, "tenant")], call)
  }

  /// The reservations for one mail to `destination`: the policy's cooldown and daily cap for its purpose, and the caps
  /// per recipient, address and tenant. They belong into the commit that enqueues the mail.
  static func mail(_ purpose: CodePurpose, to destination: String, _ call: Call) -> [Reservation] {
    let rules = call.policy.verification.email
    let key = "\(purpose.rawValue):\(call.hashed(destination))"
    // Each requester of a sign-up has a cooldown of its own: a stranger's does not keep the owner's mail back.
    let turn = purpose == .completeSignUp ? "\(key):\(call.addressKey ?? "")" : key
    return [
      Reservation(name: cooldown, key: turn, count: 1, window: Int(rules.resendCooldown)),
      Reservation(name: "max_sends_per_day", key: key, count: Int(rules.maxSendsPerDay), window: 86_400),
    ]
      + make(
        [(.mailPerRecipient, call.hashed(destination)), (.mailPerIP, call.addressKey), (.mailPerTenant, "tenant")],
        call)
  }

  /// The reservations for one notice of a new device: five a day for each person, within the caps of all mails.
  static func newDeviceNotice(to destination: String, _ call: Call) -> [Reservation] {
    [Reservation(name: "new_device_notice", key: call.hashed(destination), count: 5, window: 86_400)]
      + make([(.mailPerRecipient, call.hashed(destination)), (.mailPerTenant, "tenant")], call)
  }

  /// The name under which a refused reservation is a cooldown.
  static let cooldown = "resend_cooldown"

  private static func make(_ wanted: [(Limits.Name, String?)], _ call: Call) -> [Reservation] {
    wanted.compactMap { name, key in
      guard let limit = call.policy.limits[name], let key else { return nil }
      return Reservation(name: name.rawValue, key: key, count: Int(limit.count), window: Int(limit.window))
    }
  }
}

extension Call {
  /// The caller's address as it is counted: IPv4 whole, IPv6 by /64. Nil for an operator, whom no limit binds.
  fileprivate var addressKey: String? {
    address.map { Hex.encode(tenant.vault.pseudonym(Array("address".utf8), $0.countingKey)) }
  }

  /// An address as a key that names nobody.
  func hashed(_ email: String) -> String { SignInKey(tenant, email).text }
}
