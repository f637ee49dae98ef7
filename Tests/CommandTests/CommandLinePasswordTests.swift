import Foundation
import GatehouseOutbound
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Passwords on the command line")
struct CommandLinePasswordTests {
  private func problems(_ flag: String, _ url: String) -> [String] {
    do {
      _ = try Parser(commands: Commands.all, nouns: Commands.nouns).parse(["serve", "--\(flag)", url])
      return []
    } catch {
      return error.messages
    }
  }

  @Test(
    "T144 a URL with one is refused, and what to use instead is said",
    arguments: [
      ("smtp-url", "smtp://u:hunter2@h", "GATEHOUSE_SMTP_URL"),
      ("smtp-url", "smtps://u:hunter2@h:465", "GATEHOUSE_SMTP_URL"),
      ("database", "postgres://u:hunter2@h/d", "GATEHOUSE_DATABASE_URL"),
      ("database", "postgresql://h/d?user=u&password=hunter2", "GATEHOUSE_DATABASE_URL"),
      ("database", "postgresql://h/d?p%61ssword=hunter2", "GATEHOUSE_DATABASE_URL"),
      ("database", "postgresql://h/d?sslpassword=hunter2", "GATEHOUSE_DATABASE_URL"),
    ])
  func refused(flag: String, url: String, variable: String) {
    #expect(
      problems(flag, url) == [
        "--\(flag): each user of this machine can read a password in a command line; use \(variable) or \(variable)_FILE"
      ])
  }

  @Test(
    "T144 a URL without one is taken",
    arguments: [
      ("smtp-url", "smtp://u@h?password_file=/run/secrets/smtp"), ("smtp-url", "smtp://h:2525"),
      ("database", "postgres://u@h:5432/d?sslmode=verify-full"),
    ])
  func taken(flag: String, url: String) {
    #expect(problems(flag, url) == [])
  }

  @Test("T144 help and docs/operations.md name every option of the mail server's URL")
  func options() throws {
    let page = try String(contentsOf: ConfigTests.root.appending(path: "docs/operations.md"), encoding: .utf8)
    let help = try HelpText(commands: Commands.all, nouns: Commands.nouns).text(for: ["serve"])
    for name in SMTPSettings.optionNames {
      #expect(page.contains("| `\(name)` |"), "\(name)")
      #expect(help.contains("\(name)="), "\(name)")
    }
  }
}
