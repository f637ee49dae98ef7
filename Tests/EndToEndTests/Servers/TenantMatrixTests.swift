import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Every route, with every kind of another tenant's credentials")
struct TenantMatrixTests {
  /// What another tenant takes, or home does not.
  private func findings(_ neighbours: Neighbours) async throws -> [String] {
    var findings: [String] = []
    for (number, credential) in ForeignCredential.all.enumerated() {
      findings += try await credential.findings(neighbours, neighbours.victim(number))
    }
    return findings
  }

  @Test("the matrix has every route: a new route states here which credentials it takes")
  func complete() {
    let routes = Set(Routes.all.map { "\($0.method.rawValue) \($0.path)" })
    let shown = Set(ForeignCredential.all.map(\.route)).filter { !$0.contains(" /ui/") }
    #expect(routes.subtracting(shown) == ForeignCredential.showNothing)
    #expect(shown.isSubset(of: routes) && shown.isDisjoint(with: ForeignCredential.showNothing))
  }

  @Test(
    "T058 T070 another tenant refuses each of them; and by row-level security alone, with tokens believed unread",
    arguments: TokenCheck.allCases)
  func matrix(tokens: TokenCheck) async throws {
    try await Neighbours.run(tokens) { neighbours in
      let findings = try await findings(neighbours)
      #expect(findings == [])
    }
  }

  @Test("the same matrix finds what gets in where neither tokens are verified nor rows guarded")
  func control() async throws {
    try await Neighbours.run(.believed) { neighbours in
      try await neighbours.server.storage.run(
        script: """
          DO $$ DECLARE guarded regclass; BEGIN
            FOR guarded IN SELECT oid FROM pg_class WHERE relrowsecurity AND relkind = 'r' LOOP
              EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', guarded);
            END LOOP;
          END $$
          """)
      let findings = try await findings(neighbours)
      // Refresh tokens and session ids hold even so: keys between tables begin with the tenant.
      for kind in ["access token", "user id", "link token", "link in a flow"] {
        #expect(findings.contains { $0.contains("\(kind):") && $0.contains("another tenant") }, "\(kind)")
      }
    }
  }
}
