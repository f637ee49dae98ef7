import Foundation
package import GatehouseClient

/// The commands of the apps.
extension ExampleApp {
  static func everyApp(_ profile: KeyValuePairs<String, String>) -> [Command] {
    access(profile) + browser + email + account + factors
  }

  private static func access(_ profile: KeyValuePairs<String, String>) -> [Command] {
    let fields = profile.map { " --\($0.key) …" }.joined()
    return [
      Command("sign-up --email …\(fields)", "makes an account") { terminal, arguments in
        var values: Profile = [:]
        for (option, field) in profile { values[field] = arguments[option].map(ProfileValue.string) }
        let email = try arguments.required("email")
        let password = try terminal.password(arguments)
        terminal.show(try await terminal.client.signUp(email: email, password: password, profile: values))
      },
      Command("sign-in --email … [--code … | --recovery …] [--remember]", "signs in") { terminal, arguments in
        terminal.show(try await signIn(terminal, arguments))
      },
      Command("status", "where the person stands, without a network") { terminal, _ in
        terminal.show(await terminal.client.restored())
      },
      Command("whoami", "where the person stands, as the server says") { terminal, _ in
        terminal.show(try await terminal.client.reload())
      },
      Command("watch [--every SECONDS]", "each state as it comes, until it is interrupted") { terminal, arguments in
        try await watch(terminal, every: arguments["every"].flatMap { Int($0) } ?? 5)
      },
      Command("sign-out [--others | --everywhere]", "signs out") { terminal, arguments in
        if arguments.has("others") {
          try await terminal.client.signOut(.others)
        } else if arguments.has("everywhere") {
          try await terminal.client.signOut(.everywhere)
        } else {
          await terminal.client.signOut()
        }
        terminal.show(terminal.client.state)
        // Here it is done; the server is told now if it can be reached, and otherwise at the next start.
        if !arguments.has("others"), !arguments.has("everywhere") {
          await terminal.log.wait(for: "POST /v1/sign-out", atMost: .seconds(2))
        }
      },
    ]
  }

  /// Follows the states. Meanwhile it asks the server again and again, as an app does that comes to the front: an
  /// address that was confirmed in a browser, or a session that was ended elsewhere, shows by itself.
  private static func watch(_ terminal: Terminal, every seconds: Int) async throws {
    let client = terminal.client
    let asking = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(max(1, seconds)))
        if client.state.user != nil { _ = try? await client.reload() }
      }
    }
    defer { asking.cancel() }
    for await state in client.states where state != .restoring { terminal.show(state) }
  }

  /// By the server's own pages: the browser opens the app with the address that `finish` takes.
  private static let browser: [Command] = [
    Command("hosted [--screen sign-up] [--email …]", "begins on the server's own pages: the page to open") {
      terminal, arguments in
      guard let back = URL(string: "\(terminal.app.scheme)://signed-in"),
        let screen = HostedScreen(rawValue: arguments["screen"] ?? "sign-in")
      else { throw UsageError("--screen is sign-in or sign-up.") }
      let flow = try await terminal.client.hostedSignIn(returnTo: back, screen: screen, loginHint: arguments["email"])
      terminal.say(flow.url.absoluteString)
    },
    Command("finish URL", "the address that a page came back with") { terminal, arguments in
      guard let address = URL(string: try arguments.word(0, "The address")) else {
        throw UsageError("This is not an address.")
      }
      terminal.show(try await terminal.client.finish(at: address))
    },
  ]

  private static let email: [Command] = [
    Command("verify CODE", "confirms the address with the code of the mail") { terminal, arguments in
      let code = try arguments.word(0, "The code")
      terminal.show(try await terminal.client.confirmEmail(code: code, email: arguments["email"]))
    },
    Command("resend", "sends the mail again") { terminal, arguments in
      let wait = try await terminal.client.sendEmailVerification(to: arguments["email"])
      terminal.say("Sent. The next one can be sent in \(Terminal.seconds(wait)).")
    },
    Command("forgot EMAIL", "sends a mail for a new password") { terminal, arguments in
      let wait = try await terminal.client.sendPasswordReset(to: try arguments.word(0, "The address"))
      terminal.say("If there is an account, a mail is on its way. Another one in \(Terminal.seconds(wait)).")
    },
    Command("reset EMAIL CODE", "sets a new password with the code of the mail") { terminal, arguments in
      let (email, code) = (try arguments.word(0, "The address"), try arguments.word(1, "The code"))
      let password = try terminal.password(arguments, prompt: "New password")
      try await terminal.client.resetPassword(email: email, code: code, new: password)
      terminal.say("The password is set. Sign in with it.")
    },
    Command("change-email EMAIL", "asks for another address") { terminal, arguments in
      let password = try terminal.password(arguments)
      _ = try await terminal.client.changeEmail(to: try arguments.word(0, "The address"), proof: .password(password))
      terminal.say("A mail is on its way to the new address.")
    },
    Command("confirm-email EMAIL CODE", "confirms another address with the code of its mail") { terminal, arguments in
      let (email, code) = (try arguments.word(0, "The address"), try arguments.word(1, "The code"))
      terminal.show(try await terminal.client.confirmEmailChange(email: email, code: code))
    },
  ]

  private static let account: [Command] = [
    Command("change-password", "changes the password") { terminal, arguments in
      let current = try terminal.password(arguments, prompt: "Current password")
      let new = try terminal.password(arguments, option: "new", prompt: "New password")
      try await terminal.client.changePassword(current: current, new: new)
      terminal.say("The password is changed. Other devices are signed out.")
    },
    Command("profile [FIELD=VALUE …]", "shows the record, after changes") { terminal, arguments in
      let words = try arguments.fields()
      let fields = words.isEmpty ? [] : try await terminal.client.policy().fields
      let changes = words.map { name, text in
        (name, text.map { text in fields.first { $0.name == name }?.value(of: text) ?? .string(text) } ?? .null)
      }
      let state =
        changes.isEmpty
        ? try await terminal.client.reload()
        : try await terminal.client.updateProfile(Profile(changes) { _, last in last })
      guard let user = state.user else { return terminal.show(state) }
      terminal.say("email: \(user.email ?? "–")\(user.isEmailVerified ? "" : " (not verified)")")
      for (name, value) in user.profile.sorted(by: { $0.key < $1.key }) { terminal.say("\(name): \(text(value))") }
      terminal.say("since: \(Terminal.day(user.createdAt))")
    },
    Command("devices", "where the person is signed in") { terminal, _ in
      for device in try await terminal.client.devices() {
        let place = device.place.map { ", \($0)" } ?? ""
        terminal.say("\(device.id)  \(device.name ?? "no name")\(place)\(device.isCurrent ? " (this one)" : "")")
      }
    },
    Command("end DEVICE", "signs another device out") { terminal, arguments in
      try await terminal.client.end(device: try arguments.word(0, "The device"))
      terminal.say("Signed out there.")
    },
    Command("export", "everything that the server keeps about the person, as JSON") { terminal, _ in
      terminal.say(String(decoding: try await terminal.client.export(), as: UTF8.self))
    },
    Command("delete", "deletes the account") { terminal, arguments in
      let password = try terminal.password(arguments)
      try await terminal.client.deleteAccount(proof: .password(password))
      terminal.show(terminal.client.state)
    },
  ]

  private static func text(_ value: ProfileValue) -> String {
    switch value {
    case .null: "–"
    case .boolean(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .string(let text): text
    }
  }
}

extension SignedOutReason {
  /// For the sign-in screen; nil where the person knows it.
  package var sentence: String? {
    switch self {
    case .never, .byUser: nil
    case .expired: "Session expired. Please sign in again"
    case .revoked: "You were signed out from elsewhere. Please sign in again."
    case .disabled: "This account is disabled."
    case .deleted: "The account is deleted."
    case .elsewhere: "You signed out in another window."
    case .confirmed: "The address is confirmed. Please sign in."
    }
  }
}

/// `Signed out.`, and why.
package func signedOut(_ words: String, _ reason: SignedOutReason) -> String {
  [words, reason.sentence].compactMap { $0 }.joined(separator: " ")
}
