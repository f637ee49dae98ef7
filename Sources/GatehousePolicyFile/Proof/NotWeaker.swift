import Foundation
import GatehousePolicy

extension Prover {
  /// Whether everything that the file allows was allowed by another one.
  func notWeaker(_ file: PolicyFile, than old: PolicyFile, _ statement: Statement) -> ProofAnswer.Verdict {
    let exact = ExactDiff(old: old.policy, new: file.policy, now: now, countsAdvice: false)
    let (changes, parts) = exact.compared(PolicyFile.declaredDiff(old, file).filter(exact.isRead))
    let weaker = changes.filter { [.weaker, .incomparable].contains($0.relation) }
    let shown = weaker.filter { $0.remark != nil }
    if !shown.isEmpty {
      let samples = ProofSamples(policy, at: now, using: source)
      let test = parts.lazy.flatMap(\.examples).compactMap {
        self.test($0, samples, refusedBy: old.policy, statement)
      }.first
      return .refuted(ProofAnswer.Refutation(chain: shown.map(\.told), test: test))
    }
    if let first = weaker.first { return .unknown("no request decides this change: \(first.sentence)") }
    return .proved(classes: parts.reduce(0) { $0 + $1.requests })
  }

  /// The request with passing values in its other parts, as a test that the other policy passes and this one fails;
  /// nil where the whole policies and the real lists do not tell them apart.
  private func test(
    _ example: DiffExample, _ samples: ProofSamples, refusedBy old: Policy, _ statement: Statement
  ) -> String? {
    guard let facts = completed(example, samples) else { return nil }
    let (before, after) = (
      old.decide(example.door, facts, at: example.instant, using: source),
      policy.decide(example.door, facts, at: example.instant, using: source)
    )
    let expect: String
    if !before.allow, after.allow {
      expect = "ok: false"
    } else if before.allow, after.allow, before.access == .limited, after.access == .full {
      expect = "access: limited"
    } else {
      return nil
    }
    return ProofTest(statement.name, policy, at: example.instant, example.door, facts, expect: expect).text
  }

  /// The facts of the request, with samples in all but the part that it is about; nil where a test cannot state them.
  private func completed(_ example: DiffExample, _ samples: ProofSamples) -> Facts? {
    var facts = example.facts
    if example.part != .email, facts.email != nil { facts.email = samples.email }
    if example.part != .password, facts.password != nil { facts.password = samples.password }
    if facts.provider != nil {
      // A test names a provider of the file.
      guard let provider = policy.providers.first(where: { $0.name != "password" && $0.use == .signIn }) else {
        return nil
      }
      let email = example.part == .email ? facts.provider?.email : samples.email
      facts.provider = ProviderFacts(
        name: provider.name, email: email, emailVerified: facts.provider?.emailVerified == true,
        scopes: provider.scopes)
    }
    let isChange = example.door == .updateProfile || example.door == .adminUpdate
    if facts.stored == nil, !isChange {
      facts.profile = samples.profile.filter { name, _ in
        facts.writer != .user || policy.profile.field(name)?.write != .admin
      }.merging(facts.profile) { $1 }
    }
    if var stored = facts.stored {
      if example.part != .email, stored.email != nil { stored.email = samples.email }
      for field in policy.profile.fields where example.part != .field(field.name) {
        stored.profile[field.name] = field.defaultValue ?? samples.profile[field.name]
      }
      facts.stored = stored
    }
    return facts
  }
}
