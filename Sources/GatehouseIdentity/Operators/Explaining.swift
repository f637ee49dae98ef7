package import Foundation
package import GatehousePolicy
package import GatehousePolicyFile
import GatehousePrimitives

/// Why a policy, of today or of any revision, decides as it does. Nothing is stored and nothing is sent.
package enum Explaining {
  /// The file of a revision; the live one for nil. Throws `OperatorError` where there is none, or where the text does not
  /// load any more.
  package static func file(_ revision: Int?, of tenant: TenantRecord, _ services: Services) async throws -> (
    number: Int, file: PolicyFile
  ) {
    let store = services.store.open(tenant.id)
    let found =
      if let revision { try await store.revision(revision) } else { try await store.newestRevision() }
    guard let found else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no revision \(revision ?? 1)", hint: "gatehouse policy history \(tenant.name)")
    }
    switch found.file(of: tenant.name) {
    case .success(let file): return (found.number, file)
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
  }

  /// The facts of a request's body as apps send it: `email`, `password`, `profile`, nothing else.
  package static func facts(_ body: String, at door: Door) throws -> Facts {
    let object: JSONObject
    do {
      guard let read = try JSONParser.parse(Array(body.utf8)).object else {
        throw OperatorError(.refused, "the request is no JSON object")
      }
      object = read
    } catch let error as OperatorError {
      throw error
    } catch let problem as JSONProblem {
      throw OperatorError(.refused, "the request is no JSON: \(problem.reason)")
    }
    if let other = object.members.first(where: { !["email", "password", "profile"].contains($0.key) }) {
      throw OperatorError(.refused, "a request has email, password and profile, not \"\(other.key)\"")
    }
    var facts = Facts()
    facts.email = try text("email", object)
    facts.password = try text("password", object)
    facts.writer = [.adminCreate, .adminUpdate, .invite, .import].contains(door) ? .admin : .user
    switch object["profile"] {
    case nil: break
    case .object(let fields)?:
      for member in fields.members { facts.profile[member.key] = FieldValue(member.value) }
    default: throw OperatorError(.refused, "\"profile\" is no JSON object")
    }
    return facts
  }

  /// What a file says to a request at a door.
  package static func request(
    _ facts: Facts, at door: Door, by file: PolicyFile, at instant: Date, _ services: Services
  ) -> Explanation {
    Explanation(file.policy.decide(door, facts, at: instant, using: services.facts), by: file)
  }

  /// How a stored person stands by a file: every rule on stored values as if they came in at that moment, then what the
  /// next sign-in would say.
  package static func user(_ user: StoredUser, by file: PolicyFile, at instant: Date, _ services: Services)
    -> (values: Explanation, standing: Explanation)
  {
    let known = user.profile.filter { file.policy.profile.field($0.key) != nil }
    let entering = Facts(email: user.email, profile: known, writer: .system)
    let values = file.policy.decide(.import, entering, at: instant, using: services.facts)
    let standing = file.policy.decide(.signIn, Facts(stored: user.facts), at: instant, using: services.facts)
    return (Explanation(values, by: file), Explanation(standing, by: file))
  }

  private static func text(_ key: String, _ object: JSONObject) throws -> String? {
    switch object[key] {
    case nil: return nil
    case .string(let text)?: return text
    default: throw OperatorError(.refused, "\"\(key)\" is no text")
    }
  }
}
