import Foundation
import GatehouseWire

/// A request under a key that had no definite answer. The next try of the same request goes on under its key, in a
/// later process as well, so that the server does it once.
struct OpenRequest: Codable, Sendable, Equatable {
  /// The operation with a digest of its input.
  var name: String
  var key: String
  var since: Date

  /// The server keeps answers for a day.
  static let lifetime = 86_400.0
  /// Those that were begun last.
  static let most = 8
  /// Members that a digest leaves out: secrets, which no digest of a guess may confirm.
  private static let secrets = ["password", "current_password"]

  /// The name of a request: the operation, the sign-in that it belongs to, and the digest of all but the secrets.
  static func name<E: Endpoint>(of endpoint: E.Type, _ input: E.Input, of generation: String?) -> String {
    let object = (try? ContractJSON.encode(input)).flatMap { try? JSONSerialization.jsonObject(with: $0) }
    var members = object as? [String: Any] ?? [:]
    for secret in secrets { members[secret] = nil }
    let content = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
    let digest = Data(SHA256.digest(Array(content ?? Data()))).base64EncodedString()
    return "\(E.path) \(generation ?? "") \(digest)"
  }
}

extension StoredRecord {
  /// The key of a request: that of its last try, where that had no definite answer.
  mutating func key(of name: String, orNew key: String, at now: Date) -> String {
    let living = (open ?? []).filter { abs(now.timeIntervalSince($0.since)) < OpenRequest.lifetime }
    let known = living.first { $0.name == name }
    open = (living.filter { $0.name != name } + [known ?? OpenRequest(name: name, key: key, since: now)])
      .suffix(OpenRequest.most)
    return known?.key ?? key
  }

  /// A request had a definite answer.
  mutating func close(_ name: String) { open?.removeAll { $0.name == name } }
}

extension SessionKeeper {
  /// The key of a request, which is in the store before the request leaves where the store takes it.
  func key(of name: String) -> String {
    let (new, now) = (UUID().uuidString, configuration.clock.now)
    change { record in _ = record.key(of: name, orNew: new, at: now) }
    return ledger.record.open?.first { $0.name == name }?.key ?? new
  }

  /// Notes that a request had a definite answer.
  func close(_ name: String) { change { $0.close(name) } }
}

extension AuthClient {
  /// Performs a request that the server does once. `send` sends it under a key and takes over its answer. The key is
  /// that of the last try of the same request, where that had no definite answer, also in an earlier process.
  func once<E: Endpoint, Result>(
    _ endpoint: E.Type, _ input: E.Input, of generation: String? = nil,
    _ send: (_ key: String) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result {
    start()
    try await keeper.ready()
    let name = OpenRequest.name(of: endpoint, input, of: generation)
    do throws(AuthError) {
      return try await attempt(name, send)
    } catch {
      // The last try had another password: it was another request.
      guard error.code == .idempotencyConflict else { throw error }
      return try await attempt(name, send)
    }
  }

  private func attempt<Result>(
    _ name: String, _ send: (_ key: String) async throws(AuthError) -> Result
  ) async throws(AuthError) -> Result {
    let key = await keeper.key(of: name)
    do throws(AuthError) {
      let result = try await send(key)
      await keeper.close(name)
      return result
    } catch {
      // GUARD: client: a request without a definite answer keeps its key
      if !error.code.retry.keepsKey { await keeper.close(name) }
      throw error
    }
  }
}
