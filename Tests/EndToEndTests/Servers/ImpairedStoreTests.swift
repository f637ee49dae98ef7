import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The database answers, and cannot write: its disk is full, or its machine fails it.
@Suite("A database without room")
struct ImpairedStoreTests {
  /// From now on each row that is added to the table fails with this SQLSTATE, until `mend`.
  private func impair(_ table: String, _ apps: ThreeApps, state: String = "53100") async throws {
    try await apps.server.storage.run(
      script: """
        CREATE OR REPLACE FUNCTION gatehouse.stumble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)'; END $$;
        CREATE TRIGGER stumble BEFORE INSERT ON gatehouse.\(table)
          FOR EACH ROW EXECUTE FUNCTION gatehouse.stumble();
        """)
  }

  private func mend(_ table: String, _ apps: ThreeApps) async throws {
    try await apps.server.storage.run(script: "DROP TRIGGER stumble ON gatehouse.\(table)")
  }

  private func giveBack(_ apps: ThreeApps) async throws { while try await apps.server.round(of: .giveBack) {} }

  @Test(
    "a right password that meets it is told to come back, and no attempt is used up",
    arguments: ["53100", "53200", "57000", "58030"])
  func signIn(state: String) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai)
      try await impair("session", apps, state: state)
      for _ in 0..<12 {
        let refused = try await apps.signIn(.messai)
        #expect(refused.status == 503 && refused.code == "overloaded" && refused.retryAfter == 5)
        try await giveBack(apps)
      }
      try await mend("session", apps)
      #expect(try await apps.signIn(.messai).status == 200)
    }
  }

  @Test("T022 a wrong password that meets it is an attempt like any other")
  func wrong() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai)
      try await impair("audit", apps)
      for _ in 0..<5 {
        #expect(try await apps.signIn(.messai, password: App.otherPassword).code == "overloaded")
        try await giveBack(apps)
      }
      #expect(apps.server.services.returns.count == 0)
      try await mend("audit", apps)
      #expect(try await apps.signIn(.messai).code == "too_many_attempts")
    }
  }

  @Test("a right password at another door is no attempt either")
  func otherDoors() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      try await impair("audit", apps)
      for _ in 0..<9 {
        #expect(try await apps.messai.post("/v1/me/password", change, token: token).code == "overloaded")
        try await giveBack(apps)
      }
      try await mend("audit", apps)
      let changed = try await apps.messai.post("/v1/me/password", change, token: token)
      #expect(changed.status == 200 || changed.status == 204, "\(changed.text)")
    }
  }

  @Test("T033 a right code that meets it stays right: five failures of the server are no five tries")
  func code() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      let digits = try #require(try await apps.server.latestMail(to: App.ride.email())?.code)
      let confirm = #"{"email":"\#(App.ride.email())","code":"\#(digits)"}"#
      try await impair("audit", apps)
      for _ in 0..<12 {
        let refused = try await apps.ride.post("/v1/email-verification/confirm", confirm, token: token)
        #expect(refused.code == "overloaded")
        try await giveBack(apps)
      }
      try await mend("audit", apps)
      #expect(try await apps.ride.post("/v1/email-verification/confirm", confirm, token: token).status == 200)
    }
  }

  @Test(
    "a disk that is full refuses sign-ins with a time to come back, and takes them once there is room",
    .enabled(if: SmallDisk.isPossible, "only root mounts a small disk"))
  func disk() async throws {
    let disk = try await SmallDisk.mount()
    do {
      try await ThreeApps.run { apps in
        _ = try await apps.signUp(.messai)
        try await disk.take("session", of: apps.server.storage)
        try disk.fill()
        for _ in 0..<12 {
          let refused = try await apps.signIn(.messai)
          #expect(refused.status == 503 && refused.code == "overloaded" && refused.retryAfter == 5)
          try await giveBack(apps)
        }
        try disk.clear()
        #expect(try await apps.signIn(.messai).status == 200)
        try await apps.server.storage.run(script: "TRUNCATE gatehouse.session CASCADE")
        try await disk.giveBack("session", of: apps.server.storage)
      }
    } catch {
      await disk.unmount()
      throw error
    }
    await disk.unmount()
  }
}
