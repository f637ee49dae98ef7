import Foundation
import GatehouseClient
import Testing

/// A person's life with an app, told by outcomes alone: the same words at every server that keeps the contract.
struct ClientStory {
  /// A device that was never used.
  let device: () throws -> AuthClient
  /// The code of the newest mail to an address.
  let code: (String) async throws -> String
  /// Lets seconds pass at the server and on the devices.
  let wait: (Double) async -> Void

  /// A person on the hosted pages who signs in with address and password, or goes back without either: the address that
  /// they come back with.
  let pages: (_ page: URL, _ email: String?, _ password: String) async throws -> URL?

  private static let email = "al@example.com"
  private static let first = "Quilted-Harbour-2031!"
  private static let second = "Narrow-Lantern-2032?"

  /// Every step with its outcome, in order.
  func told() async throws -> [String] {
    let teller = Teller()
    let (phone, tablet) = (try device(), try device())
    await teller.step("first state") { () async throws(AuthError) in await phone.restored() }
    try await forgedReturns(tablet, teller)
    try await account(phone, tablet, teller)
    try await verification(phone, teller)
    try await password(phone, tablet, teller)
    try await email(phone, teller)
    try await end(phone, tablet, teller)
    return teller.lines
  }

  /// Takes down what comes of each step.
  private final class Teller {
    private(set) var lines: [String] = []

    func step<T>(_ name: String, _ body: () async throws(AuthError) -> T) async {
      do throws(AuthError) {
        lines.append("\(name): \(ClientStory.word(try await body()))")
      } catch {
        let inputs = Set(error.violations.map(\.input)).sorted()
        lines.append("\(name): \(error.code)" + (inputs.isEmpty ? "" : " \(inputs)"))
      }
    }
  }

  /// Addresses that the hosted pages did not make.
  private func forgedReturns(_ tablet: AuthClient, _ teller: Teller) async throws {
    let target = try #require(URL(string: "messai://signed-in"))
    for (name, change) in [
      ("a made-up code", ("code", "gh_hb_" + String(repeating: "A", count: 43))), ("no code", ("code", "x")),
      ("left", ("error", "access_denied")),
    ] {
      let flow = try await tablet.hostedSignIn(returnTo: target)
      let page = try #require(URLComponents(url: flow.url, resolvingAgainstBaseURL: false))
      let state = page.queryItems?.first { $0.name == "state" }?.value
      let issuer = String(flow.url.absoluteString.prefix { $0 != "?" }.dropLast("/ui/sign-in".count))
      let back = target.appending(
        queryItems: [("state", state), ("iss", issuer), change].map { URLQueryItem(name: $0, value: $1) })
      await teller.step(name) { () async throws(AuthError) in try await tablet.finish(at: back) }
      await teller.step("where that leads") { () async throws(AuthError) in tablet.state }
    }
  }

  private func account(_ phone: AuthClient, _ tablet: AuthClient, _ teller: Teller) async throws {
    await teller.step("sign-up without a password") { () async throws(AuthError) in
      try await phone.signUp(email: Self.email, password: "", profile: ["displayName": "Al"])
    }
    await teller.step("sign-up with a short password") { () async throws(AuthError) in
      try await phone.signUp(email: Self.email, password: "x", profile: ["displayName": "Al"])
    }
    await teller.step("sign-up") { () async throws(AuthError) in
      try await phone.signUp(email: Self.email, password: Self.first, profile: ["displayName": "Al"])
    }
    await teller.step("sign-up again") { () async throws(AuthError) in
      try await tablet.signUp(email: "AL@example.com", password: Self.first, profile: ["displayName": "Al"])
    }
    await teller.step("wrong password") { () async throws(AuthError) in
      try await tablet.signIn(email: Self.email, password: Self.second)
    }
    await teller.step("unknown address") { () async throws(AuthError) in
      try await tablet.signIn(email: "bo@example.com", password: Self.first)
    }
    await teller.step("second device") { () async throws(AuthError) in
      try await tablet.signIn(email: Self.email, password: Self.first)
    }
    await teller.step("profile") { () async throws(AuthError) in
      try await phone.updateProfile(["displayName": "Alma"]).user?["displayName"]?.string ?? "-"
    }
    let id = phone.state.user?.id ?? ""
    await teller.step("seen by others") { () async throws(AuthError) in
      try await tablet.user(id)["displayName"]?.string ?? "-"
    }
    await teller.step("unknown user") { () async throws(AuthError) in try await tablet.user("nowhere") }
    await teller.step("several users") { () async throws(AuthError) in try await tablet.users([id, "nowhere"]).count }
    await teller.step("offline") { () async throws(AuthError) in try await phone.setPresence(online: false) }
    await teller.step("seen offline") { () async throws(AuthError) in
      "\(try await tablet.user(id).presence?.isOnline as Any)"
    }
    await teller.step("push token") { () async throws(AuthError) in
      try await phone.setPushToken("token", platform: .fcm)
    }
    await teller.step("devices") { () async throws(AuthError) in try await phone.devices().map(\.isCurrent).count }
    await teller.step("unknown device") { () async throws(AuthError) in try await phone.end(device: "nowhere") }
  }

  private func password(_ phone: AuthClient, _ tablet: AuthClient, _ teller: Teller) async throws {
    await teller.step("proof that is wrong") { () async throws(AuthError) in
      try await phone.reauthenticate(.password(Self.second))
    }
    await teller.step("proof") { () async throws(AuthError) in try await phone.reauthenticate(.password(Self.first)) }
    await teller.step("session after the proof") { () async throws(AuthError) in
      _ = try await phone.accessToken(minTTL: .seconds(100_000))
      return phone.state
    }
    await teller.step("change with a wrong password") { () async throws(AuthError) in
      try await phone.changePassword(current: Self.second, new: Self.second)
    }
    await teller.step("change") { () async throws(AuthError) in
      try await phone.changePassword(current: Self.first, new: Self.second)
    }
    await teller.step("the other device") { () async throws(AuthError) in try await tablet.reload() }
    await teller.step("its state") { () async throws(AuthError) in tablet.state }
    // Mails of one moment have no order.
    await wait(60)
    await teller.step("reset") { () async throws(AuthError) in
      try await tablet.sendPasswordReset(to: Self.email) > .zero
    }
    let code = try await code(Self.email)
    await teller.step("reset with a wrong code") { () async throws(AuthError) in
      try await tablet.resetPassword(email: Self.email, code: code == "000000" ? "111111" : "000000", new: Self.first)
    }
    await teller.step("reset with the code") { () async throws(AuthError) in
      try await tablet.resetPassword(email: Self.email, code: code, new: Self.first)
    }
    await teller.step("reset with the code again") { () async throws(AuthError) in
      try await tablet.resetPassword(email: Self.email, code: code, new: Self.first)
    }
    await teller.step("the session after a reset") { () async throws(AuthError) in try await phone.reload() }
    await teller.step("sign-in again") { () async throws(AuthError) in
      try await phone.signIn(email: Self.email, password: Self.first)
    }
  }

  private func verification(_ phone: AuthClient, _ teller: Teller) async throws {
    await wait(120)
    await teller.step("mail") { () async throws(AuthError) in try await phone.sendEmailVerification() > .zero }
    await teller.step("mail again") { () async throws(AuthError) in try await phone.sendEmailVerification() }
    let code = try await code(Self.email)
    await teller.step("verified") { () async throws(AuthError) in
      try await phone.confirmEmail(code: code).user?.isEmailVerified == true
    }
    await teller.step("mail for nothing") { () async throws(AuthError) in try await phone.sendEmailVerification() }
  }

  private func email(_ phone: AuthClient, _ teller: Teller) async throws {
    await wait(120)
    await teller.step("another address") { () async throws(AuthError) in
      try await phone.changeEmail(to: "alma@example.com", proof: .password(Self.first)) > .zero
    }
    let other = try await self.code("alma@example.com")
    await teller.step("confirmed") { () async throws(AuthError) in
      try await phone.confirmEmailChange(email: "alma@example.com", code: other).user?.email ?? "-"
    }
    await teller.step("export") { () async throws(AuthError) in try await phone.export().isEmpty }
  }

  /// There and back, as a person does it.
  private func hosted(_ phone: AuthClient, _ tablet: AuthClient, _ teller: Teller) async throws {
    let target = try #require(URL(string: "messai://signed-in"))
    let page = try await tablet.hostedSignIn(returnTo: target)
    let left = try #require(try await pages(page.url, nil, ""))
    await teller.step("left the pages") { () async throws(AuthError) in try await tablet.finish(at: left) }
    let again = try await tablet.hostedSignIn(returnTo: target, screen: .signIn, promptsAgain: true)
    let back = try #require(try await pages(again.url, "alma@example.com", Self.first))
    let thief = try await phone.hostedSignIn(returnTo: target)
    let state = URLComponents(url: thief.url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }
    var stolen = try #require(URLComponents(url: back, resolvingAgainstBaseURL: false))
    stolen.queryItems = stolen.queryItems?.map { $0.name == "state" ? state ?? $0 : $0 }
    let address = try #require(stolen.url)
    await teller.step("another's code") { () async throws(AuthError) in try await phone.finish(at: address) }
    await teller.step("by the pages") { () async throws(AuthError) in try await tablet.finish(at: back) }
    await teller.step("the same address") { () async throws(AuthError) in try await tablet.finish(at: back) }
    await teller.step("refreshed") { () async throws(AuthError) in
      _ = try await tablet.accessToken(minTTL: .seconds(100_000))
      return tablet.state
    }
  }

  private func end(_ phone: AuthClient, _ tablet: AuthClient, _ teller: Teller) async throws {
    await teller.step("tablet") { () async throws(AuthError) in
      try await tablet.signIn(email: "alma@example.com", password: Self.first)
    }
    await teller.step("others") { () async throws(AuthError) in try await phone.signOut(.others) }
    await teller.step("tablet ended") { () async throws(AuthError) in try await tablet.reload() }
    await teller.step("everywhere") { () async throws(AuthError) in
      try await phone.signOut(.everywhere)
      return phone.state
    }
    await teller.step("a call without a session") { () async throws(AuthError) in try await phone.devices() }
    try await hosted(phone, tablet, teller)
    await teller.step("back") { () async throws(AuthError) in
      try await phone.signIn(email: "alma@example.com", password: Self.first)
    }
    await teller.step("deletion with a wrong password") { () async throws(AuthError) in
      try await phone.deleteAccount(proof: .password(Self.second))
    }
    await teller.step("deletion") { () async throws(AuthError) in
      try await phone.deleteAccount(proof: .password(Self.first))
      return phone.state
    }
    await teller.step("after it") { () async throws(AuthError) in
      try await phone.signIn(email: "alma@example.com", password: Self.first)
    }
  }

  /// A state by its name, and what a call answers otherwise.
  private static func word(_ value: Any) -> String {
    switch value {
    case AuthState.signedIn: "signed in"
    case AuthState.limited(_, let next): "limited \(next.map(\.need))"
    case AuthState.awaitingEmail: "awaiting email"
    case AuthState.signedOut(let reason): "signed out \(reason)"
    case is Void: "done"
    case let user as PublicProfile: "user \(user.profile.keys.sorted())"
    default: "\(value)"
    }
  }
}
