import Foundation
import GatehouseIdentity

/// `gatehouse policy apply`.
enum PolicyApply {
  private static let reason = Flag("reason", .text(), "why, for the history")
  private static let files = Flag(
    "files", .directory, "apply every NAME.yaml of this directory to the tenant of that name: all of them, or none")
  private static let expecting = Flag(
    "expect-revision", .integer(1...1_000_000_000), "only if this revision is still the live one")

  private static let allowWeaker = Flag(
    "allow-weaker", .onOff, "also where it would let in what the live policy refuses")
  private static let allowLockout = Flag(
    "allow-lockout", .onOff, "also where administrators, or many active people, would lose full access")

  /// The flags by which an author accepts what would be refused otherwise.
  static let consents = [allowWeaker, allowLockout]

  static func consent(_ invocation: Invocation) -> Policies.Consent {
    Policies.Consent(weaker: invocation.has(allowWeaker), lockout: invocation.has(allowLockout))
  }

  static let command = Command(
    "policy", "apply", summary: "Make a policy file the tenant's live policy",
    notes: ["The file is checked and its tests are run first. Every server enforces it within a second."],
    arguments: [
      Argument("TENANT", "the tenant's name, as dd-ride", .optional),
      Argument("FILE", "a policy file; - is standard input", .optional, completes: .file),
    ],
    flags: [files, reason, expecting] + consents,
    examples: [
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --reason \"longer passwords\"", "apply it"),
      Example("gatehouse policy apply dd-ride policies/dd-ride.yaml --expect-revision 3", "unless somebody was faster"),
      Example("gatehouse policy apply --files policies --reason \"spring release\"", "several tenants, all or none"),
    ],
    exits: [
      .no: "the file is wrong or its tests fail", .notAllowed: "it would weaken the policy, or lock people out",
      .notFound: "no such tenant", .conflict: "another revision is live",
      .unavailable: "the database failed",
    ], mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services in
      let candidates = try await candidates(invocation, services)
      if invocation.isDryRun {
        for candidate in candidates {
          _ = try Policies.judge(candidate.text, file: candidate.file, of: candidate.tenant.name, services)
          invocation.terminal.note("\(Visible.line(candidate.file)) would be applied to \(candidate.tenant.name)")
        }
        return .ok
      }
      let author = OperatorCommand.author(invocation, reason: invocation[reason] ?? "")
      let outcomes = try await Policies.apply(candidates, consent: consent(invocation), author: author, services)
      for (candidate, outcome) in zip(candidates, outcomes) {
        let name = candidates.count > 1 ? "\(candidate.tenant.name): " : ""
        switch outcome {
        case .unchanged(let revision): invocation.terminal.note("\(name)revision \(revision) says the same already")
        case .applied(let revision): try invocation.terminal.data("\(name)revision \(revision) is live\n")
        }
      }
      return .ok
    }
  }

  private static func candidates(_ invocation: Invocation, _ services: Services) async throws -> [Policies.Candidate] {
    guard let directory = invocation[files] else {
      guard let tenant = invocation.arguments("TENANT").first, let file = invocation.arguments("FILE").first else {
        throw Failure(.usage, "TENANT and FILE, or --files DIR", hint: "gatehouse policy apply --help")
      }
      return [try await candidate(tenant, file, invocation, services)]
    }
    guard invocation.arguments("TENANT").isEmpty, invocation[expecting] == nil else {
      throw Failure(.usage, "--files takes no TENANT, no FILE and no --expect-revision")
    }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted()
    guard !names.isEmpty else { throw Failure(.notFound, "\(Quoted(directory)) has no file NAME.yaml") }
    var found: [Policies.Candidate] = []
    for name in names {
      found.append(try await candidate(String(name.dropLast(5)), "\(directory)/\(name)", invocation, services))
    }
    return found
  }

  private static func candidate(
    _ tenant: String, _ path: String, _ invocation: Invocation, _ services: Services
  ) async throws -> Policies.Candidate {
    let text = String(decoding: try PolicyInput.bytes(path), as: UTF8.self)
    return Policies.Candidate(
      text: text, file: path, tenant: try await Tenants.find(tenant, services), expecting: invocation[expecting])
  }
}
