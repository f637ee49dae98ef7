import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A tenant whose people sign in with passkeys, and have them as second factors too.
struct PasskeyStage {
  static let email = ClientStage.email

  let stage: ClientStage
  var server: FakeServer { stage.server }

  init(_ set: (inout FakePolicy) -> Void = { _ in }) {
    var policy = FakePolicy.standard
    policy.factors = [.totp, .passkey]
    policy.signsInWithPasskeys = true
    set(&policy)
    stage = ClientStage(policy: policy)
  }

  /// The passkey of an account that has no other factor.
  func registered() throws -> FakePasskey {
    server.addAccount(email: Self.email, password: ClientStage.password)
    return try #require(server.addPasskey(to: Self.email))
  }

  /// A client of a person who signed in with a passkey.
  func signedIn(_ passkey: FakePasskey, _ account: String = "main") async throws -> AuthClient {
    let client = stage.client(account)
    let request = try await client.startPasskeySignIn()
    _ = try await client.signIn(with: passkey.assertion(for: request), for: request)
    await client.settle()
    return client
  }

  /// A device whose person has these passkeys at hand, and a client on it.
  func device(_ passkeys: [FakePasskey] = []) -> (client: AuthClient, manager: FakePasskeyManager) {
    var configuration = stage.configuration()
    let manager = FakePasskeyManager(passkeys)
    configuration.passkeys = manager
    return (AuthClient(configuration), manager)
  }

  /// The challenge that a sign-in with the password ends in.
  func challenge(_ client: AuthClient) async throws -> MFAChallenge {
    let error = await failure { () async throws(AuthError) in
      try await client.signIn(email: Self.email, password: ClientStage.password)
    }
    return try #require(error?.challenge)
  }
}
