package import GatehousePolicy
package import GatehousePolicyFile
package import GatehousePrimitives

/// The operator's choices that may change while a server runs: each is read where it is needed, and never kept.
package final class OperatorChoices: Sendable {
  /// The choices in force.
  package struct Values: Sendable {
    /// The library functions that rules need: lists, strength, numbers, domains.
    package var facts: any FactSource
    /// The configured file of bounds that no policy may weaken. The database holds those in force (`FloorInForce`).
    package var configuredFloor: Floor?
    /// The senders of mails: the server's own, and the allowed ones.
    package var senders: AllowedSenders
    /// Percent of the people seen within 30 days who may lose full access by a policy without the author's consent.
    package var lockoutShare: Int
    /// How long audit logs are kept at least; nil where none is ever cut.
    package var auditRetention: Duration?
    /// The roots that vouch for attested apps; nil where no policy can demand one.
    package var attestRoots: CertificateRoots?

    package init(
      facts: any FactSource, configuredFloor: Floor? = nil,
      senders: AllowedSenders = AllowedSenders(own: "no-reply@localhost"), lockoutShare: Int = 1,
      auditRetention: Duration? = nil, attestRoots: CertificateRoots? = nil
    ) {
      self.facts = facts
      self.configuredFloor = configuredFloor
      self.senders = senders
      self.lockoutShare = lockoutShare
      self.auditRetention = auditRetention
      self.attestRoots = attestRoots
    }
  }

  private let values: LockBox<Values>

  package init(_ values: Values) { self.values = LockBox(values) }

  /// The choices in force now.
  package var now: Values { values.withLock { $0 } }

  /// Puts other choices in force.
  package func change(_ change: @Sendable (inout Values) -> Void) { values.withLock { change(&$0) } }
}

extension Services {
  package var facts: any FactSource { choices.now.facts }
  package var senders: AllowedSenders { choices.now.senders }
  package var lockoutShare: Int { choices.now.lockoutShare }
  package var auditRetention: Duration? { choices.now.auditRetention }
  package var attestRoots: CertificateRoots? { choices.now.attestRoots }
}
