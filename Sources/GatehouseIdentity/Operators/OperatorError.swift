package import GatehouseAdminWire
import GatehouseWire

/// Why an operation of an operator's did nothing, in words for the operator.
package struct OperatorError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable { case notFound, exists, refused, stale, notAllowed, forbidden, unavailable }
  package let kind: Kind
  package let description: String
  /// The remedy.
  package let hint: String?
  /// With `forbidden`: what the operator's token lacks.
  package let scope: AdminScope?
  /// With `stale`, of a policy: the live revision.
  package let revision: Int?
  /// With `refused`, of a policy file: what is wrong with it, and where.
  package let findings: [PolicyFinding]
  /// Of a policy text that is not applied: what speaks against it.
  package let objection: PolicyObjection?
  /// Of such a text: the consents with which it would be applied all the same; empty where none would do.
  package let consents: [PolicyConsentFlag]

  package init(
    _ kind: Kind, _ description: String, hint: String? = nil, scope: AdminScope? = nil, revision: Int? = nil,
    findings: [PolicyFinding] = [], objection: PolicyObjection? = nil,
    consents: [PolicyConsentFlag] = []
  ) {
    self.kind = kind
    self.description = description
    self.hint = hint
    self.scope = scope
    self.revision = revision
    self.findings = findings
    self.objection = objection
    self.consents = consents
  }

  /// The same error with another hint, for a command that reached it through another one's operation.
  func hinting(_ hint: String) -> OperatorError {
    OperatorError(
      kind, description, hint: hint, scope: scope, revision: revision, findings: findings, objection: objection,
      consents: consents)
  }
}
