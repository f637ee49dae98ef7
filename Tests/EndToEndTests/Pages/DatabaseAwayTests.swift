import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Forms that are sent while the database is away")
struct DatabaseAwayTests {
  private let app = App.messai
  private let told = "Your entries are still here."

  @Test("a sign-up comes back as it was sent, but for its password")
  func signUp() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme, ["screen": "sign-up"]))
      await apps.server.database.stop()
      let back = try await browser.send(page, app.typed("kept"))
      #expect(back.status == 503 && back.answer.headers["retry-after"] != nil, "\(back.status)")
      #expect(back.text.contains(told) && back.text.contains("Create account"), "\(back.text)")
      #expect(back.text.contains(app.email("kept")) && back.text.contains("value=\"kept\""))
      #expect(!back.text.contains(App.password))
    }
  }

  @Test("a form of the account comes back by itself, with a button that sends it again")
  func profile() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let page = try await browser.open("account/profile")
      await apps.server.database.stop()
      let back = try await browser.send(page, ["profile.displayName": "Typed Before"])
      #expect(back.status == 503 && back.text.contains(told), "\(back.text)")
      #expect(back.text.contains("value=\"Typed Before\"") && back.text.contains(">Send again</button>"))
      let fields = try FormClient.fields(back)
      #expect(fields["csrf"] == (try FormClient.fields(page))["csrf"], "the proof of the session that the browser has")
    }
  }

  @Test("the passwords of a form are typed again")
  func password() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let page = try await browser.open("account/password")
      await apps.server.database.stop()
      let typed = ["current": App.password, "password": App.otherPassword, "again": App.otherPassword]
      let back = try await browser.send(page, typed)
      let fields = try FormClient.fields(back)
      for name in typed.keys { #expect(fields[name]?.isEmpty == true, "\(name)") }
      for secret in typed.values { #expect(!back.text.contains(secret)) }
    }
  }

  @Test("a form that no page of ours made is an error page")
  func forged() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      await apps.server.database.stop()
      let typed = ["csrf": "x", "f": "x", "b": "x", "profile.displayName": "Mallory"]
      let answer = try await browser.send("POST", browser.address(of: "account/profile"), FormClient.encoded(typed))
      #expect(answer.status == 503 && !answer.text.contains("Mallory"), "\(answer.text)")
    }
  }

  /// Ends all connections of servers, and refuses new ones; or admits them again.
  private func leave(_ apps: ThreeApps, _ isAway: Bool) async throws {
    try await apps.server.storage.runAsSuperuser(
      script: """
        DO $$ BEGIN
          EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT \(isAway ? 0 : -1)', current_database());
        END $$;
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND \(isAway);
        """)
  }

  @Test("a form that came back works once the database is there again")
  func again() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme, ["screen": "sign-up"]))
      try await leave(apps, true)
      var kept = try await browser.send(page, app.typed())
      #expect(kept.status == 503)
      try await leave(apps, false)
      let isIn = try await eventually {
        kept = try await browser.send(kept, app.typed())
        return kept.path == "continue"
      }
      #expect(isIn)
    }
  }
}
