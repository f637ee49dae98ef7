@testable import gatehouse
import Testing

@Suite("What operators can not do")
struct SecretVerbTests {
  @Test("T018 no verb takes or shows a password: an operator can begin a reset, and its owner alone ends it")
  func passwords() throws {
    for command in Commands.all {
      let names = command.flags.map(\.name) + command.arguments.map { $0.name.lowercased() }
      #expect(names.allSatisfy { !$0.contains("password") }, "\(command.name)")
      // The only secrets that are typed are those of an app, such as a provider's, and the push token of a device.
      #expect(!command.takesSecret || ["secret", "push"].contains(command.noun), "\(command.name)")
    }
    #expect(Commands.all.contains { $0.name == "user send-reset" })
  }
}
