import GatehouseAdminWire
import GatehousePolicy
import GatehousePolicyFile
import GatehouseWire

/// The changes of a text to the trust of its tenant: where its secrets, people and mailed links are led, and whose
/// assertions about a person are accepted.
struct PolicyTrust {
  private let changes: [PolicyChange]

  /// Against the policy that is live. One that cannot be read any more may have trusted any party.
  init(_ file: PolicyFile, against live: Result<PolicyFile, PolicyFileRefusal>) {
    switch live {
    case .success(let old): changes = PolicyFile.declaredDiff(old, file).filter(\.isTrust)
    case .failure:
      changes = [
        PolicyChange(
          subject: "policy", relation: .incomparable, sentence: "the live policy cannot be read any more", oldLine: nil,
          newLine: nil, isTrust: true)
      ]
    }
  }

  /// Of the first policy of a tenant: against that of a tenant made without a file, which trusts no party.
  init(first file: PolicyFile) { self.init(file, against: Self.initial) }

  /// The same for every tenant, but for names, which are no matter of trust.
  private static let initial: Result<PolicyFile, PolicyFileRefusal> = {
    let name = "tenant"
    return PolicyFile.read(PolicyFile.initial(tenant: name, name: name), name: "the policy of a new tenant")
  }()

  /// The changed parts: rules' ids and paths of settings.
  var subjects: [String] { changes.map(\.subject) }

  /// The same in sentences.
  var sentences: [String] { changes.map(\.sentence) }

  /// The same for the audit log, in a bounded number of words.
  var details: [String: String] {
    guard !changes.isEmpty else { return [:] }
    let named = subjects.prefix(20).joined(separator: " ")
    return ["trust": changes.count > 20 ? "\(named) and \(changes.count - 20) more" : named]
  }

  /// Refuses an author who may not change it.
  func demand(of author: Author, file: String, tenant: TenantName) throws {
    guard !changes.isEmpty else { return }
    // GUARD: apply: trust needs its scope
    try author.require(
      .trustWrite,
      for: ", and \(file) changes whom \(tenant) trusts:\n" + sentences.map { "  \($0)" }.joined(separator: "\n"),
      hint: "an operator with trust:write, or with a shell on the server's machine, applies it")
  }
}
