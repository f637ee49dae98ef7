import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("Passkeys on the pages")
struct PasskeyPageTests {
  private let app = App.messai

  /// A person with a passkey, and the browser that added it.
  private func run(
    _ body: (ThreeApps, FormClient, PagePasskey) async throws -> Void
  ) async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let (passkey, page) = try await browser.addPasskey(named: "My laptop")
      try #require(page.status == 200, "\(page.text)")
      try await body(apps, browser, passkey)
    }
  }

  // MARK: The page of factors

  @Test("a passkey is added beside apps, the recovery codes are shown once, and the list tells what is synced")
  func add() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let empty = try await browser.open("account/factors")
      #expect(empty.text.contains("Add an authenticator app") && empty.text.contains("Add a passkey"))
      let (_, shown) = try await browser.addPasskey(named: "My <laptop>") {
        $0.flags |= TestPasskey.eligible | TestPasskey.backedUp
      }
      #expect(PageAuthenticator.codes(shown.text).count == 10 && shown.text.contains("Your passkey is added."))
      #expect(shown.answer.headers["cache-control"] == "no-store")
      let list = try await browser.send(shown, intent: "kept")
      #expect(list.text.contains("My &lt;laptop&gt;</h2>") && list.text.contains("Synced between devices."))
      let (_, second) = try await browser.addPasskey()
      #expect(PageAuthenticator.codes(second.text).isEmpty && second.text.contains("Passkey</h2>"), "\(second.text)")
    }
  }

  @Test("a passkey is named anew and removed, and the page says so")
  func list() async throws {
    try await run { _, browser, _ in
      let renaming = try await browser.send(browser.open("account/factors"), intent: "rename")
      #expect(renaming.text.contains("<h1>Rename the passkey</h1>"), "\(renaming.text)")
      let list = try await browser.send(renaming, ["factor_name": "The key"], intent: "named")
      #expect(list.text.contains("The key</h2>"))
      let question = try await browser.send(list, intent: "remove")
      #expect(question.text.contains("Signing in asks for no second step then"), "\(question.text)")
      let done = try await browser.send(question, intent: "removed")
      #expect(done.text.contains("The passkey is removed.") && !done.text.contains("The key</h2>"))
    }
  }

  @Test("after five minutes no options come, and the form leads over a fresh proof, with the name that was typed")
  func addNeedsProof() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let page = try await browser.open("account/factors")
      apps.server.clock.advance(seconds: 301)
      #expect(try await browser.ask(page, intent: "add-passkey").status == 303)
      let proof = try await browser.send(page, ["passkey_name": "My laptop"], intent: "add-passkey")
      try #require(proof.path == "reauthenticate", "\(proof.address)")
      let back = try await browser.send(proof, ["password": App.password])
      #expect(back.path == "account/factors")
      #expect(try FormClient.fields(back, intent: "add-passkey")["passkey_name"] == "My laptop", "\(back.text)")
    }
  }

  @Test("a passkey that is refused adds nothing, and another one may follow")
  func refused() async throws {
    try await PagePasskey.run { apps in
      let browser = FormClient(apps, app)
      _ = try await browser.signUp(app)
      let (_, refused) = try await browser.addPasskey { $0.origin = "https://evil.example" }
      #expect(refused.status == 401 && refused.text.contains("This passkey was not accepted."), "\(refused.text)")
      for text in ["{", "{}", "[]", #"{"id":"AAAA"}"#] {
        let page = try await browser.send(refused, ["passkey": text], intent: "add-passkey")
        #expect(page.status == 401 && page.path == "account/factors", "\(text) \(page.status)")
      }
      #expect(try await PageAuthenticator.codes(browser.addPasskey().page.text).count == 10)
    }
  }

  // MARK: Signing in

  @Test("a passkey signs in, and the way goes on to the app that began it")
  func signIn() async throws {
    try await run { apps, _, passkey in
      let browser = FormClient(apps, app)
      let page = try await browser.open(Opening.page(app.scheme))
      #expect(page.text.contains(#"autocomplete="username webauthn""#) && page.text.contains("data-waits"))
      let done = try await browser.send(page, passkey.answer(browser.options(page)).typed, intent: "passkey")
      #expect(done.path == "continue" && browser.cookies["gh-messai"] != nil, "\(done.address) \(done.text)")
    }
  }

  @Test("a passkey that verified no user leads to the second step")
  func unverified() async throws {
    try await run { apps, _, passkey in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      let answer = try passkey.answer(await browser.options(page)) { $0.flags = TestPasskey.present }
      let asked = try await browser.send(page, answer.typed, intent: "passkey")
      #expect(asked.path == "second-step" && browser.cookies["gh-messai"] == nil, "\(asked.address)")
      #expect(asked.text.contains("Recovery code") && !asked.text.contains("data-passkey="), "\(asked.text)")
    }
  }

  @Test("an answer is refused with another key, too late and in another browser")
  func signInRefused() async throws {
    try await run { apps, _, passkey in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      let forged = try passkey.answer(await browser.options(page), by: TestKeyPair(.es256))
      let refused = try await browser.send(page, forged.typed, intent: "passkey")
      #expect(refused.status == 401 && refused.text.contains("This passkey was not accepted."), "\(refused.text)")
      let taken = try passkey.answer(await browser.options(refused))
      let thief = FormClient(apps, app)
      let theirs = try await thief.send(thief.open("sign-in"), taken.typed, intent: "passkey")
      #expect(thief.cookies["gh-messai"] == nil && theirs.text.contains("This took too long."), "\(theirs.text)")
      apps.server.clock.advance(seconds: 301)
      let late = try await browser.send(refused, taken.typed, intent: "passkey")
      #expect(late.text.contains("This took too long.") && browser.cookies["gh-messai"] == nil, "\(late.text)")
    }
  }

  @Test("opening a page writes nothing; its script's request does, from this origin and with the form's token alone")
  func origins() async throws {
    try await run { apps, _, _ in
      let browser = FormClient(apps, app)
      let before = try await tickets(apps)
      let page = try await browser.open("sign-in")
      #expect(try await tickets(apps) == before)
      for headers in [["Origin": "https://evil.example"], ["Origin": "", "Sec-Fetch-Site": "cross-site"]] {
        #expect(try await browser.ask(page, headers: headers).status == 403, "\(headers)")
      }
      var fields = try FormClient.fields(page, ["options": "1"], intent: "passkey")
      fields["csrf"] = "wrong"
      let address = String(page.address.prefix { $0 != "?" })
      let answer = try await browser.send("POST", address, FormClient.encoded(fields))
      #expect(answer.status == 403 && answer.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(try await tickets(apps) == before)
      let options = try await browser.ask(page)
      #expect(options.status == 200 && options.headers["cache-control"] == "no-store")
      #expect(try await tickets(apps) == before + 1)
    }
  }

  private func tickets(_ apps: ThreeApps) async throws -> Int {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    do {
      let count: Int? = try await all.read(nil, "SELECT count(*) FROM gatehouse.ticket").single()?[0]
      await all.stop()
      return try #require(count)
    } catch {
      await all.stop()
      throw error
    }
  }

  // MARK: Where passkeys are

  @Test("the script is where passkeys can be used, and scripts of no other page may use one")
  func headers() async throws {
    try await run { apps, member, _ in
      let stranger = FormClient(apps, app)
      let pages = [
        (try await stranger.open("sign-in"), true), (try await stranger.open("sign-up"), false),
        (try await stranger.open("forgot"), false), (try await member.open("account/factors"), true),
        (try await member.open("account"), false),
      ]
      for (page, isUsed) in pages {
        #expect(page.text.contains(PasskeyScript.file.path) == isUsed, "\(page.address)")
        #expect(page.answer.headers["permissions-policy"] == PasskeyScript.permission(isUsed: isUsed))
        #expect(page.answer.headers["content-security-policy"]?.contains("script-src 'self'; ") == true)
        // Without scripts there is no button.
        for form in page.text.matches(of: /<form [^>]*data-passkey=[^>]*>/) {
          #expect(form.output.hasSuffix(" hidden>"), "\(form.output)")
        }
      }
    }
  }

  @Test("a tenant without a relying party has no passkeys on its pages")
  func none() async throws {
    try await PagePasskey.run(isLocal: false) { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-in")
      #expect(!page.text.contains("passkey") && page.text.contains(#"autocomplete="username""#), "\(page.text)")
      _ = try await browser.signUp(app)
      #expect(try await !browser.open("account/factors").text.contains("passkey"))
    }
  }

  @Test("pages elsewhere than at the relying party have none")
  func elsewhere() async throws {
    try await PagePasskey.run { apps in
      let known = try await apps.operatorCall(app).tenant
      let names = ["auth.messai.example", "login.other.example"]
      let now = apps.server.clock.now
      let hosts = try names.map { name in
        TenantHost(
          host: try #require(HostName(name)), proof: "", addedAt: now, allowedAt: now, expiresAt: now, verifiedAt: now)
      }
      var policy = known.policy
      policy.passkeys?.rpID = "messai.example"
      let tenant = TenantSnapshot(
        id: known.id, name: known.name, displayName: known.displayName, enabled: true, policy: policy,
        limits: known.limits, lookups: known.lookups, revision: known.revision, policySince: known.policySince,
        digest: known.digest, keys: known.keys, vault: known.vault, hosts: hosts, publicURL: "https://auth.example.com")
      for (host, isThere) in [(names[0], true), (names[1], false), ("auth.example.com", false), ("", false)] {
        let call = Call(tenant: tenant, requestID: "test", address: nil, languages: [], now: now, host: host)
        #expect(call.isAtRelyingParty == isThere, "\(host)")
      }
    }
  }
}
