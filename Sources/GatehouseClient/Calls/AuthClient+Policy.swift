import Foundation
import GatehouseWire

extension AuthClient {
  /// The tenant's policy, for forms. The last one is kept, also from one start of the app to the next, and asked for
  /// again by its tag, which costs one small answer. Without a network the kept one is returned.
  public func policy() async throws(AuthError) -> AuthPolicy {
    start()
    return try await policy(until: configuration.clock.uptime + Requests.deadline)
  }

  /// The same, with the time of a call that needs it.
  func policy(until: Duration) async throws(AuthError) -> AuthPolicy {
    let kept = policies.kept
    guard let url = URL(string: configuration.base + "/v1/policy") else { throw keeper.requests.own(.unknown) }
    var call = HTTPCall(url: url, method: "GET", headers: keeper.requests.headers(nil, nil))
    if let kept { call.headers["If-None-Match"] = kept.tag }
    do throws(AuthError) {
      let answer = try await keeper.requests.exchange(call, "GET /v1/policy", until)
      if answer.status == 304, let kept { return kept.policy }
      guard answer.status == 200, answer.isJSON else { throw keeper.requests.problem(answer) }
      guard let policy = try? AuthPolicy(json: answer.body) else { throw keeper.requests.own(.unknown) }
      if let tag = answer.headers["etag"] { policies.keep(policy, tag, answer.body) }
      return policy
    } catch {
      if let kept, error.isTemporary { return kept.policy }
      throw error
    }
  }

  /// The strength of a password, from 0 to 4, against an attacker who knows these facts about the person. The server
  /// judges it and stores nothing of it.
  public func passwordStrength(_ password: String, email: String? = nil, profile: Profile = [:])
    async throws(AuthError) -> Int
  {
    let input = PasswordCheckEndpoint.Input(
      password: password, email: email, profile: profile.isEmpty ? nil : profile.mapValues(\.wire))
    return try await anonymous(PasswordCheckEndpoint.self, input).content.score
  }
}
