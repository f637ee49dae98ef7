import Foundation
import GatehouseClient

/// The commands about second factors.
extension ExampleApp {
  static let factors: [Command] = [
    Command("factors", "the second factors, and how many recovery codes are left") { terminal, _ in
      let factors = try await terminal.client.factors()
      for factor in factors.items {
        terminal.say("\(factor.id)  \(factor.name ?? factor.kind.rawValue), since \(Terminal.day(factor.createdAt))")
      }
      terminal.say("recovery codes: \(factors.recoveryCodesLeft)")
    },
    Command("add-app [--name …]", "adds an authenticator app") { terminal, arguments in
      let enrolment = try await terminal.client.startTOTP(name: arguments["name"])
      terminal.say("Key: \(enrolment.secret)")
      terminal.say(enrolment.uri.absoluteString)
      let code = try terminal.password(arguments, option: "code", prompt: "Six digits of the app")
      let added = try await terminal.client.confirmTOTP(enrolment, code: code)
      terminal.say("Added.")
      for code in added.recoveryCodes { terminal.say(code) }
    },
    Command("remove-factor ID", "removes a second factor") { terminal, arguments in
      try await terminal.client.removeFactor(try arguments.word(0, "The factor"))
      terminal.say("Removed.")
    },
    Command("recovery-codes", "makes new recovery codes") { terminal, _ in
      for code in try await terminal.client.makeRecoveryCodes() { terminal.say(code) }
    },
    Command("prove [--recovery …]", "proves again who the person is, by a second factor") { terminal, arguments in
      if let code = arguments["recovery"] {
        try await terminal.client.reauthenticate(.recoveryCode(code))
      } else {
        let code = try terminal.password(arguments, option: "code", prompt: "Six digits of the app")
        try await terminal.client.reauthenticate(.totp(code))
      }
      terminal.say("Proven.")
    },
  ]

  /// A sign-in, with its second step where the server asks for one.
  static func signIn(_ terminal: Terminal, _ arguments: Arguments) async throws -> AuthState {
    let email = try arguments.required("email")
    let password = try terminal.password(arguments)
    do throws(AuthError) {
      return try await terminal.client.signIn(email: email, password: password)
    } catch {
      guard let challenge = error.challenge else { throw error }
      let remembers = arguments.has("remember")
      if let code = arguments["recovery"] {
        return try await terminal.client.verifyMFA(challenge, recoveryCode: code, rememberDevice: remembers)
      }
      let code = try terminal.password(arguments, option: "code", prompt: "Six digits of your authenticator app")
      return try await terminal.client.verifyMFA(challenge, totp: code, rememberDevice: remembers)
    }
  }
}
