// Idempotency-Key of operators works like that of people. What is made within one tenant is claimed and kept there.
// Objects without a tenant (a tenant itself, a token) have names that are used once, so that no claim is needed: a
// request that comes second finds the first one's answer.

import Foundation
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// An operator's demand, by the Idempotency-Key field, that a request is executed once.
package struct IdempotencyRequest: Sendable {
  /// 1 to 255 visible ASCII characters.
  package let key: String
  /// The request's bytes, which a second one must repeat.
  package let body: [UInt8]

  package init(key: String, body: [UInt8]) {
    self.key = key
    self.body = body
  }
}

/// An answer kept for a request about what belongs to no single tenant.
package struct OperatorAnswer: Sendable {
  /// Keyed digests: of operation, token and key, and of the body.
  package let key: [UInt8]
  package let body: [UInt8]
  /// Under the key-encryption key.
  package let sealed: [UInt8]

  package init(key: [UInt8], body: [UInt8], sealed: [UInt8]) {
    self.key = key
    self.body = body
    self.sealed = sealed
  }
}

/// Answers kept for operators, for 24 hours.
package protocol OperatorAnswerStore: Sendable {
  /// The answer kept under this key, until it expires.
  func operatorAnswer(key: [UInt8]) async throws -> OperatorAnswer?
}

extension OperatorCall {
  /// Makes something within a tenant, once for the request's key. The effect's commit holds `Call.keeping` of its
  /// answer.
  func once<O: AdminOperation>(
    _ operation: O.Type, in seen: Call, _ effect: (Call) async throws -> O.Output
  ) async throws -> O.Output {
    guard let idempotency, let token = who.token else { return try await effect(seen) }
    switch try await Idempotency.begin(
      idempotency.key, operation: Self.name(operation), body: idempotency.body, token: token.id, seen, services)
    {
    case .again(let kept):
      return try StrictDecoder.decode(O.Output.self, from: Array(kept.body.utf8), spelling: .contract)
    case .first(let claim): return try await Idempotency.run(under: claim, seen, services, effect)
    }
  }

  /// Makes something that belongs to no single tenant, once for the request's key. `keep` gives what the effect's
  /// transaction has to write beside it; nil without a key.
  func once<O: AdminOperation>(
    _ operation: O.Type, _ effect: (_ keep: (O.Output) throws -> OperatorAnswer?) async throws -> O.Output
  ) async throws -> O.Output {
    guard let idempotency, let token = who.token else { return try await effect { _ in nil } }
    let name = Self.name(operation)
    let key = services.codes.digest(
      "operator-key",
      [
        token.id.bytes,  // GUARD: repeated: of this operator
        Array(name.utf8),
        Array(idempotency.key.utf8),
      ])
    let body = services.codes.digest("operator-body", [token.id.bytes, idempotency.body])
    if let kept = try await kept(operation, key, body) { return kept }
    do {
      return try await effect { output in
        OperatorAnswer(
          key: key, body: body,
          sealed: try services.keyEncryptionKey.seal(
            try JSONEncoding.encode(output, spelling: .contract), in: Self.associatedData(key)))
      }
    } catch {
      // The same request may have been faster, and taken the name.
      if let kept = try await kept(operation, key, body) { return kept }
      throw error
    }
  }

  private func kept<O: AdminOperation>(_ operation: O.Type, _ key: [UInt8], _ body: [UInt8]) async throws -> O.Output? {
    guard let answer = try await services.adminTokens.operatorAnswer(key: key) else { return nil }
    // GUARD: repeated: by an operator, with this body
    guard ConstantTime.equal(answer.body, body) else { throw Refusal(.idempotencyConflict) }
    for wrapping in [services.keyEncryptionKey, services.otherKeyEncryptionKey].compactMap({ $0 }) {
      guard let opened = try? wrapping.open(answer.sealed, in: Self.associatedData(key)) else { continue }
      return try opened.expose { try StrictDecoder.decode(O.Output.self, from: $0, spelling: .contract) }
    }
    throw CryptoError.notAuthentic
  }

  private static func name<O: AdminOperation>(_ operation: O.Type) -> String {
    "\(O.method.rawValue) /admin/v1\(O.path)"
  }

  static func associatedData(_ key: [UInt8]) -> AssociatedData {
    AssociatedData(table: "operator_answer", column: "sealed_answer", tenant: UUID.noTenant, row: key)
  }
}

extension UUID {
  /// Takes the place of the tenant's id for what belongs to no tenant.
  fileprivate static let noTenant = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
