import Foundation
@testable import GatehousePostgres
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A database of several hosts", .timeLimit(.minutes(1)))
struct HostTests {
  /// What libpq is told of each host, as `name=value`, in the order of names.
  private func targets(_ conninfo: String) -> [[String]] {
    ConnectionHosts(conninfo: conninfo).targets.map { $0.map { "\($0.name)=\($0.value)" }.sorted() }
  }

  @Test("each host of a URL is asked alone, at its own port, with all other options")
  func split() {
    #expect(
      targets("postgres://app@a:1,b:2/gatehouse?sslmode=require") == [
        ["dbname=gatehouse", "host=a", "port=1", "sslmode=require", "user=app"],
        ["dbname=gatehouse", "host=b", "port=2", "sslmode=require", "user=app"],
      ])
  }

  @Test("one port is every host's, and addresses belong to their hosts")
  func shared() {
    #expect(
      targets("host=a,b hostaddr=192.0.2.1,192.0.2.2 port=7") == [
        ["host=a", "hostaddr=192.0.2.1", "port=7"], ["host=b", "hostaddr=192.0.2.2", "port=7"],
      ])
  }

  @Test(
    "where there is nothing to choose, or nothing to understand, libpq reads the conninfo itself",
    arguments: [
      "", "gatehouse", "host=a dbname=x", "postgres://a/x", "host=a,b port=1,2,3", "host=a,b hostaddr=::1", "host",
    ])
  func whole(_ conninfo: String) {
    let hosts = ConnectionHosts(conninfo: conninfo)
    #expect(hosts.targets.isEmpty && hosts.count == 1)
  }

  @Test("a round begins at the host that answered last and asks each one once")
  func round() {
    var round = HostRound()
    var asked: [Int] = []
    for lastGood in [0, 2] {
      var goesOn = true
      while goesOn {
        round.prepare(lastGood: lastGood)
        asked.append(round.host(of: 3))
        goesOn = round.failed(of: 3)
      }
    }
    #expect(asked == [0, 1, 2, 2, 0, 1])
  }

  @Test("two silent hosts of three take less than five seconds of the first connection")
  func limit() {
    #expect(DatabaseConfiguration(conninfo: "").hostTimeout * 2 < .seconds(5))
  }

  @Test("a first host that accepts and says nothing is left for the next one, and not asked first any more")
  func silent() async throws {
    try await withDatabase { place, plain async throws in
      let silent = try DatabaseProxy(to: nil)
      defer { silent.close() }
      let directory = place.socketDirectory.replacing("/", with: "%2F")
      let database = try await place.connect {
        $0.conninfo = "postgres:///\(place.name)?host=127.0.0.1,\(directory)&port=\(silent.port),5432&sslmode=disable"
        $0.user = Roles.app
        $0.hostTimeout = .milliseconds(500)
      }
      let first = silent.accepted
      let answer: Int = try await database.read(nil, "SELECT 1")[0][0]
      // Every connection is lost: the next round begins at the host that answered.
      let before = database.statistics
      try await place.runAsSuperuser(
        script: """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      let isBack = try await eventually {
        _ = try? await database.read(nil, "SELECT 1")
        let now = database.statistics
        return now.lost >= before.lost + 4 && now.connected >= 4
      }
      let asked = silent.accepted - first
      await database.stop()
      #expect(answer == 1 && isBack)
      // Two loops begin with a connection for reads and one for writes each, beside the one that listens.
      #expect((1...5).contains(first), "\(first)")
      #expect(asked == 0)
    }
  }
}
