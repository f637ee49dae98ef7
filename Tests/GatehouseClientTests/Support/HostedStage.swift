import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A client whose person is on the hosted pages.
struct HostedStage {
  let stage: ClientStage
  let client: AuthClient
  let flow: BrowserFlow

  init(_ stage: ClientStage = ClientStage()) async throws {
    self.stage = stage
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    client = stage.client()
    flow = try await client.hostedSignIn(returnTo: ClientStage.target)
  }

  /// The address that the person comes back with.
  func back(as email: String? = ClientStage.email) throws -> URL {
    try #require(stage.server.hostedReturn(from: flow.url, as: email))
  }

  /// The same, changed on its way.
  func back(_ change: (inout URLComponents) -> Void) throws -> URL {
    var parts = try #require(URLComponents(url: back(), resolvingAgainstBaseURL: false))
    change(&parts)
    return try #require(parts.url)
  }

  /// The error of a `finish` that has to fail.
  func refused(_ address: URL) async -> AuthError.Code? {
    await failure { () async throws(AuthError) in try await client.finish(at: address) }?.code
  }

  /// What the client said of ways through the pages.
  var outcomes: [String] { stage.log.all.filter { $0.event == "hosted" }.map(\.outcome) }

  var redemptions: Int { stage.server.count(of: "POST /v1/token") }
}

extension URLComponents {
  /// Another value of a parameter; nil takes it away.
  mutating func set(_ name: String, _ value: String?) {
    let others = (queryItems ?? []).filter { $0.name != name }
    queryItems = others + (value.map { [URLQueryItem(name: name, value: $0)] } ?? [])
  }
}
