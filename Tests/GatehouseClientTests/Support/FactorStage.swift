import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A tenant with second factors, and a person who has one.
struct FactorStage {
  static let email = ClientStage.email
  static let month = Duration.seconds(30 * 86_400)

  let stage: ClientStage
  var server: FakeServer { stage.server }

  init(skipping: Duration = .seconds(30)) {
    var policy = FakePolicy.standard
    policy.factors = [.totp]
    policy.rememberDevice = Self.month
    stage = ClientStage(policy: policy, skipping: skipping)
  }

  /// An account with an authenticator app.
  func enrolled() -> FactorStage {
    server.addAccount(email: Self.email, password: ClientStage.password)
    server.addTOTP(to: Self.email)
    return self
  }

  /// The digits that the app shows, of a moment in which none was used.
  func digits() throws -> String {
    stage.clock.advance(by: .seconds(30))
    return try #require(server.totpCode(for: Self.email))
  }

  /// The challenge that a sign-in with the password ends in.
  func challenge(_ client: AuthClient) async throws -> MFAChallenge {
    let error = await failure { () async throws(AuthError) in
      try await client.signIn(email: Self.email, password: ClientStage.password)
    }
    return try #require(error?.challenge)
  }

  /// A client of a person who signed in with both factors.
  func signedIn() async throws -> AuthClient {
    let client = stage.client()
    let challenge = try await challenge(client)
    _ = try await client.verifyMFA(challenge, totp: try digits())
    await client.settle()
    return client
  }

  /// A client whose person adds the first authenticator app to the account, and the enrolment.
  func enrolling() async throws -> (client: AuthClient, enrolment: TOTPEnrolment) {
    let client = try await stage.signedIn()
    return (client, try await client.startTOTP(name: "Phone"))
  }

  /// The code of an app that waits.
  func code(_ enrolment: TOTPEnrolment) throws -> String {
    try #require(server.totpCode(secret: enrolment.secret))
  }
}

extension AuthClient {
  /// The id of the stored session.
  var sessionID: String? { get async { await keeper.session?.id } }
}
