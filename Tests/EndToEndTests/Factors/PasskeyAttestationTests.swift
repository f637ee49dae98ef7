import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A policy that demands authenticators of a maker, and statements of that maker and of others.
@Suite("Passkeys whose authenticator has to be vouched for")
struct PasskeyAttestationTests {
  private static let model = [UInt8](1...16)
  private let now = TestClock().now
  private let root: TestAttestationRoot

  init() throws { root = try TestAttestationRoot(now: now) }

  private func policy(models: String? = nil) -> String {
    let pem = root.pem.replacing("\n", with: "\\n")
    let models = models.map { ", aaguids: [\($0)]" } ?? ""
    return "{use: [sign_in, second_factor], attestation: direct, synced: false, roots: [\"\(pem)\"]\(models)}"
  }

  /// Adds a passkey with a statement by this root; nil for the format without one.
  private func added(by root: TestAttestationRoot?, under policy: String) async throws -> TestClient.Answer {
    var answer: TestClient.Answer?
    try await PasskeyScene.run(policy) { keys in
      let begun = try await keys.start()
      #expect(begun.json["public_key"]?["attestation"] == .string("direct"))
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      answer = try await keys.complete(begun, passkey) {
        $0.format = root == nil ? "none" : "packed"
        $0.model = Self.model
      } statement: { parts in
        guard let root else { return CBORText.map([]) }
        return try passkey.packed(parts, by: root, now: now)
      }
    }
    return try #require(answer)
  }

  @Test("a passkey that a root of the policy vouches for is added")
  func vouched() async throws {
    let answer = try await added(by: root, under: policy())
    #expect(answer.status == 201, "\(answer.text)")
  }

  @Test("one without a statement, and one of another maker, are refused by name", arguments: [true, false])
  func refused(isStated: Bool) async throws {
    let answer = try await added(by: isStated ? TestAttestationRoot(now: now) : nil, under: policy())
    #expect(answer.status == 422 && answer.rules == ["passkeys.attestation"], "\(answer.text)")
  }

  @Test(
    "a model is taken where the policy lists it",
    arguments: [("01020304-0506-0708-090a-0b0c0d0e0f10", 201), ("08987058-cadc-4b81-b6e1-30de50dcbe96", 422)])
  func models(listed: String, status: Int) async throws {
    let answer = try await added(by: root, under: policy(models: listed))
    #expect(answer.status == status, "\(answer.text)")
  }
}
