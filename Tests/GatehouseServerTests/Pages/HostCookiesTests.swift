import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import Testing

@testable import GatehouseServer

@Suite("All cookies of ours on one host")
struct HostCookiesTests {
  /// The longest name that a tenant has.
  private static let longest = String(repeating: "t", count: 60)

  private static func tenant(_ number: Int) -> String { "\(longest)\(100 + number)" }

  /// A browser that keeps what answers set, in the order in which it came.
  private struct Jar {
    var names: [String] = []
    var values: [String: String] = [:]

    mutating func keep(_ cookies: [SetCookie]) {
      for cookie in cookies {
        if cookie.age == 0 {
          names.removeAll { $0 == cookie.name }
          values[cookie.name] = nil
        } else {
          if values[cookie.name] == nil { names.append(cookie.name) }
          values[cookie.name] = cookie.value
        }
      }
    }

    var field: String { names.map { "\($0)=\(values[$0] ?? "")" }.joined(separator: "; ") }

    func held(isSecure: Bool) -> HostCookies { HostCookies(Headers([("Cookie", field)]), isSecure: isSecure) }
  }

  private func token(_ kind: OpaqueToken.Kind) -> String { OpaqueToken.generate(kind).text.expose { $0 } }

  /// What a tenant's pages set for a person who signs in, after this many cookies of a former server.
  private func set(_ name: TenantName, former: Int, isSecure: Bool) -> [[SetCookie]] {
    let opened = (0..<former).map { number in
      SetCookie(
        name: SetCookie.name("gh.\(name).former\(number % 4)", isSecure: isSecure), value: token(.emailChangeUndo),
        age: 900, isSecure: isSecure)
    }
    let person = [
      BrowserCookie(tenant: name, isSecure: isSecure).setting(token(.flow)),
      PageCookie.session.setting(token(.pageSession), age: 9, name, isSecure: isSecure),
      PageCookie.device.setting(token(.device), age: 9, name, isSecure: isSecure),
    ]
    return opened.map { [$0] } + [person]
  }

  @Test(
    "T196 any number of tenants and cookies stays below a third of what a head may have",
    arguments: [(1, 4), (4, 40), (12, 1), (40, 4), (200, 4)], [true, false])
  func bounded(_ attack: (Int, Int), _ isSecure: Bool) throws {
    var jar = Jar()
    for number in 0..<attack.0 {
      let name = try #require(TenantName(Self.tenant(number)))
      for cookies in set(name, former: attack.1, isSecure: isSecure) {
        jar.keep(cookies + jar.held(isSecure: isSecure).crowdedOut(by: cookies))
        #expect(jar.names.count <= HostCookies.most)
      }
    }
    #expect(jar.field.utf8.count + FlowKey.largest < HTTPLimits().headBytes / 3, "\(jar.field.utf8.count)")
  }

  @Test("T196 two flows, all cookies and what browsers add fit in one head, with a sixth to spare")
  func head() {
    // The address asked for, the page before it, and 1,200 bytes of what Chromium says of itself.
    let worst = 2 * Flow.largest + HostCookies.most * HostCookies.longest + FlowKey.largest + 1_200
    #expect(worst < HTTPLimits().headBytes * 5 / 6, "\(worst)")
  }

  @Test("T196 cookies of a former server give way before those that keep a person signed in, and the oldest first")
  func order() throws {
    var jar = Jar()
    let first = try #require(TenantName("first"))
    jar.keep(set(first, former: 0, isSecure: true)[0])
    for number in 0..<40 {
      let name = try #require(TenantName("x\(number)"))
      let cookies = set(name, former: 1, isSecure: true)[0]
      jar.keep(cookies + jar.held(isSecure: true).crowdedOut(by: cookies))
    }
    #expect(jar.values["__Host-gh-first"] != nil && jar.values["__Host-gh.first.device"] != nil)
    #expect(jar.values["__Host-gh.x39.former0"] != nil && jar.values["__Host-gh.x0.former0"] == nil)
  }

  @Test("T196 no cookie of ours is longer than the bound says")
  func longestCookie() throws {
    let name = try #require(TenantName(Self.tenant(0)))
    for cookie in set(name, former: 4, isSecure: true).joined() {
      #expect(cookie.name.utf8.count + cookie.value.utf8.count + 3 <= HostCookies.longest, "\(cookie.name)")
    }
  }

  @Test("T196 cookies of others are left alone")
  func others() {
    let fields = (0..<60).map { "theirs\($0)=x" } + ["gh=1", "gh.=2", "__Host-x=3", "gh.flow=4"]
    let held = HostCookies(Headers([("Cookie", fields.joined(separator: "; "))]), isSecure: false)
    #expect(held.crowdedOut(by: []).isEmpty)
    #expect(held.removals(nil).map(\.name) == ["gh.flow"])
  }

  @Test("T198 what is longer than ours are goes, and who is signed in stays")
  func removals() {
    let fields = ["gh-one=x", "gh.one.device=y", "gh-two=" + String(repeating: "z", count: 4_000), "gh.two.flow=f"]
    let held = HostCookies(Headers([("Cookie", fields.joined(separator: "; "))]), isSecure: false)
    let removed = held.removals(TenantName("one")).map(\.name)
    #expect(Set(removed).isSuperset(of: ["gh-two", "gh.two.flow", "gh.flow", "gh.one.flow"]))
    #expect(!removed.contains("gh-one") && !removed.contains("gh.one.device"))
    #expect(Set(removed).count == removed.count)
  }
}
