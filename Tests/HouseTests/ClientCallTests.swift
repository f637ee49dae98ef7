import Testing

/// Each operation of the end-user API has a call of the Swift client, or a reason why it has none.
@Suite("Calls of the client")
struct ClientCallTests {
  private static let reasons = [
    "StartBrowserSignInEndpoint": "for web pages: an app signs in by the hosted pages",
    "CompleteBrowserSignInEndpoint": "for web pages: an app signs in by the hosted pages",
    "UndoEmailChangeEndpoint": "the link of the mail opens a page",
    "ExplainEndpoint": "for the author of a policy",
    "UpdateUserEndpoint": "for the tools of an administrator",
  ]

  private static func endpoints() throws -> Set<String> {
    Set(
      try WallTests.lines(of: "GatehouseWire").compactMap { line in
        line.text.firstMatch(of: /enum ([A-Za-z]+Endpoint): Endpoint/).map { String($0.1) }
      })
  }

  private static func called() throws -> Set<String> {
    Set(
      try WallTests.lines(of: "GatehouseClient").flatMap { line in
        line.text.matches(of: /[A-Za-z]+Endpoint(?![A-Za-z])/).map { String($0.0) }
      })
  }

  @Test("every operation has a call, or a reason why it has none")
  func each() throws {
    let (endpoints, called) = (try Self.endpoints(), try Self.called())
    #expect(endpoints.count > 25)
    #expect(endpoints.subtracting(called) == Set(Self.reasons.keys))
  }
}
