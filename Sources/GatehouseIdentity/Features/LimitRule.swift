// The table of the limits: names, keys and numbers of all counters that servers share. Reservations, the names that an
// operator may give, and the numbers that an operator sees follow from it.

import GatehousePolicy

/// One row: what a limit counts by, and how much it allows.
struct LimitRule: Sendable {
  /// The parties that a limit counts apart.
  enum Party: Sendable {
    /// The caller's network address.
    case address
    /// The tenant as a whole.
    case tenant
    /// An account, the recipient of messages, or a code: the request names it.
    case account, recipient, code
  }

  /// The end of a request that meets the limit.
  enum End: Sendable {
    /// The caller hears of the limit.
    case told
    /// A caller who shows a contact alone hears nothing: the recipient has had its share.
    case recipientIsServed
    /// The same: the recipient has had a message a moment ago.
    case tooSoon
  }

  /// Nil counts without an end: such a counter refuses nothing.
  typealias Numbers = (count: Int?, window: Int)

  let name: String
  let party: Party
  var end = End.told
  /// Whether attempts beyond it are delayed rather than refused.
  var backsOff = false
  /// Nil where the policy sets no such limit.
  let numbers: @Sendable (TenantSnapshot) -> Numbers?

  /// The one count for `party`, or for the party that the call itself names; none where the policy sets no such limit,
  /// or the call has no address. A party that is left out is counted with all that are.
  func count(for party: String? = nil, _ call: Call) -> [Reservation] {
    let key: String? =
      switch self.party {
      case .address: call.addressKey
      case .tenant, .account, .recipient, .code: party ?? "tenant"
      }
    guard let numbers = numbers(call.tenant), let key else { return [] }
    return [
      Reservation(
        name: name, key: key, count: numbers.count ?? Int(Int32.max), window: numbers.window, backsOff: backsOff)
    ]
  }

  /// The row of this name.
  static func named(_ name: String) -> LimitRule? {
    Limits.Name(rawValue: name)?.rule ?? OwnLimit(rawValue: name)?.rule
  }

  /// The names of all rows.
  static let names = Limits.Name.allCases.map(\.rawValue) + OwnLimit.allCases.map(\.rawValue)
}

/// The name of a limit.
protocol LimitName {
  var rule: LimitRule { get }
}

extension LimitName {
  /// As `LimitRule.count`.
  func count(for party: String? = nil, _ call: Call) -> [Reservation] { rule.count(for: party, call) }
}

extension Limits.Name: LimitName {
  /// The row of a limit whose numbers a policy sets.
  var rule: LimitRule {
    let party: LimitRule.Party =
      switch self {
      case .signInPerIP, .signUpPerIP, .mailPerIP, .codePerIP, .passkeyPerIP, .resetPerIP, .requestsPerIP: .address
      case .signInPerTenant, .signUpPerTenant, .mailPerTenant, .codePerTenant, .requestsPerTenant: .tenant
      case .signInPerAccount, .codePerAccount, .mfaPerAccount: .account
      case .mailPerRecipient: .recipient
      }
    return LimitRule(
      name: rawValue, party: party, end: self == .mailPerRecipient ? .recipientIsServed : .told, backsOff: backsOff
    ) { tenant in
      tenant.limits[self].map { (Int($0.count), Int($0.window)) }
    }
  }
}

/// The limits of the server's own, beside those that a policy names. Some take their numbers from a policy.
enum OwnLimit: String, CaseIterable, LimitName {
  /// Refused forms of a sign-up: ten of them for each account that the address may make.
  case refusedForms = "sign_up_refused_per_ip"
  case maxSendsPerDay = "max_sends_per_day"
  /// The pause between two messages. Under this name a refused reservation is a cooldown.
  case cooldown = "resend_cooldown"
  /// Messages that repeat a living code.
  case mailedAgain = "mailed_again"
  case linkPerAccount = "link_per_account"
  /// Changes of a person's own profile, each of which writes two rows.
  case profilePerAccount = "profile_per_account"
  /// Messages that a recipient did not ask for: of all kinds, of one kind, and to a contact that is unproven.
  case notice
  case noticeKind = "notice_kind"
  case noticeUnproven = "notice_unproven"
  /// Keys of apps. Many people share an address of a mobile network, and each copy of the app registers once.
  case attestKeys = "attest_key_per_ip"
  /// Lookups in the directory.
  case lookups = "directory_per_account"
  /// New passwords that are compared with earlier ones: each costs as many hashes as the policy remembers.
  case comparedPasswords = "compared_password_per_account"
  /// New passwords of an account, by the current one. A thief who knows it rings in the owner's mailbox no more often.
  case passwordChanges = "password_change_per_account"
  /// Messages that the sessions and devices of one account ask for, to ever other contacts: three purposes.
  case mailPerAccount = "mail_per_account"
  /// Digits that are tried by the message alone.
  case readersCodes = "code_by_mail_alone"
  /// Wrong digits where no code lives.
  case madeUpCodes = "made_up_codes"
  /// Messages to contacts that wait for none.
  case madeUpMails = "made_up_mails"
  /// The counter by which one server tells that half of a budget is gone. Its window is that of the budget.
  case budgetTold = "budget_half_told"
  case operatorMailPerRecipient = "operator_mail_per_recipient"
  case operatorMailPerTenant = "operator_mail_per_tenant"
  /// Browsers that are sent to providers. A campus is one address; each row is kept for ten minutes.
  case providerStarts = "provider_start_per_ip"

  private static let hour = 3600
  private static let day = 86_400

  var rule: LimitRule {
    switch self {
    case .refusedForms: like(.signUpPerIP, .address) { $0 * 10 }
    case .maxSendsPerDay: sends(.recipient)
    case .cooldown:
      row(.recipient, end: .tooSoon) { (1, Int($0.policy.verification.email.resendCooldown)) }
    case .mailedAgain: row(.code, end: .tooSoon, 3, per: OwnLimit.hour)
    case .linkPerAccount: row(.account, 30, per: OwnLimit.hour)
    case .profilePerAccount: row(.account, 120, per: OwnLimit.hour)
    case .notice: row(.recipient, 10, per: OwnLimit.day)
    case .noticeKind: row(.recipient, 5, per: OwnLimit.day)
    case .noticeUnproven: row(.recipient, 1, per: 365 * OwnLimit.day)
    case .attestKeys: row(.address, 120, per: OwnLimit.hour)
    case .lookups: row(.account) { tenant in tenant.lookups.map { (Int($0.count), Int($0.window)) } }
    case .comparedPasswords: row(.account, 20, per: OwnLimit.hour)
    case .passwordChanges: row(.account, 10, per: OwnLimit.hour)
    case .mailPerAccount: sends(.account, times: 3)
    case .readersCodes:
      row(.recipient) { (CodeMint.maxAttempts, Int($0.policy.verification.email.codeTTL)) }
    case .madeUpCodes: like(.codePerTenant, .tenant) { _ in nil }
    case .madeUpMails: like(.mailPerTenant, .tenant) { _ in nil }
    case .budgetTold: row(.tenant, 1, per: OwnLimit.day)
    case .operatorMailPerRecipient: row(.recipient, 10, per: OwnLimit.day)
    case .operatorMailPerTenant: row(.tenant, 2000, per: OwnLimit.hour)
    case .providerStarts: row(.address, 600, per: OwnLimit.hour)
    }
  }

  private func row(
    _ party: LimitRule.Party, end: LimitRule.End = .told,
    _ numbers: @escaping @Sendable (TenantSnapshot) -> LimitRule.Numbers?
  ) -> LimitRule {
    LimitRule(name: rawValue, party: party, end: end, numbers: numbers)
  }

  private func row(_ party: LimitRule.Party, end: LimitRule.End = .told, _ count: Int, per window: Int) -> LimitRule {
    row(party, end: end) { _ in (count, window) }
  }

  /// As often as the policy sends to a recipient in a day.
  private func sends(_ party: LimitRule.Party, times: Int = 1) -> LimitRule {
    row(party, end: .recipientIsServed) { tenant in
      (times * Int(tenant.policy.verification.email.maxSendsPerDay), OwnLimit.day)
    }
  }

  /// In the window of a limit of the policy.
  private func like(
    _ name: Limits.Name, _ party: LimitRule.Party, count: @escaping @Sendable (Int) -> Int?
  ) -> LimitRule {
    row(party) { tenant in tenant.limits[name].map { (count(Int($0.count)), Int($0.window)) } }
  }
}
