import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// The fake server demands of a fresh proof what the real one does: the highest level that the account can reach.
@Suite("Fresh proofs of an account with an app and a passkey")
struct ProofLevelTests {
  private let scene = PasskeyStage()

  /// The person, who signed in with the password and a code of the app, and the passkey of the account.
  private func entered() async throws -> (client: AuthClient, passkey: FakePasskey) {
    let passkey = try scene.registered()
    scene.server.addTOTP(to: PasskeyStage.email)
    let client = scene.stage.client()
    scene.stage.clock.advance(by: .seconds(30))
    let challenge = try await scene.challenge(client)
    let digits = try #require(scene.server.totpCode(for: PasskeyStage.email))
    _ = try await client.verifyMFA(challenge, totp: digits)
    await client.settle()
    return (client, passkey)
  }

  private func refusal(_ body: () async throws(AuthError) -> Void) async -> AuthError? { await failure(body) }

  @Test("a code of the app does not delete the account, and the passkey is the way")
  func tooLow() async throws {
    let (client, _) = try await entered()
    let refused = await refusal { () async throws(AuthError) in try await client.deleteAccount() }
    #expect(refused?.code == .reauthenticationRequired && refused?.methods == [.passkey])
  }

  @Test("a proof by the passkey does")
  func highest() async throws {
    let (client, passkey) = try await entered()
    let request = try #require(try await client.startReauthentication().passkey)
    try await client.reauthenticate(passkey: passkey.assertion(for: request), for: request)
    #expect(await refusal { () async throws(AuthError) in try await client.deleteAccount() } == nil)
  }

  @Test("a recovery code opens the doors of factors, and no other one")
  func recovery() async throws {
    let (client, _) = try await entered()
    let refused = await refusal { () async throws(AuthError) in _ = try await client.startTOTP() }
    #expect(refused?.methods == [.passkey, .recoveryCode])
    let code = try #require(scene.server.recoveryCodes(of: PasskeyStage.email).first)
    try await client.reauthenticate(.recoveryCode(code))
    #expect(await refusal { () async throws(AuthError) in _ = try await client.startTOTP() } == nil)
    let account = await refusal { () async throws(AuthError) in try await client.deleteAccount() }
    #expect(account?.code == .reauthenticationRequired)
  }
}
