import Foundation
import GatehouseIdentity
import Testing

@Suite("What ends mailed codes")
struct CodeEndingTests {
  @Test("T181 no weaker proof ends a code that stands on a stronger one", arguments: CodeEnding.allCases)
  func strength(ending: CodeEnding) {
    let stronger = ending.ends.filter { $0.terms.proof > ending.proof }
    #expect(stronger == [])
  }

  @Test("T181 a new password by the one before ends no way back by mail")
  func change() {
    #expect(CodeEnding.passwordChanged.ends == [.changeEmail])
  }

  @Test("T181 a reset ends every code of the account but the ways back to addresses that it left")
  func reset() {
    let left = CodePurpose.allCases.filter { !CodeEnding.passwordReset.ends.contains($0) }
    #expect(left == [.undoEmailChange, .completeSignUp])
  }

  @Test("an account that is taken back keeps no code")
  func reclaimed() {
    #expect(CodeEnding.accountReclaimed.ends == CodePurpose.allCases)
  }

  @Test("T181 a code that a stranger asks for takes the place of no newest one", arguments: CodePurpose.allCases)
  func insertion(purpose: CodePurpose) {
    let askable: Set<CodePurpose> = [.verifyEmail, .resetPassword, .completeSignUp]
    let living = purpose.terms.livingForAnyone ?? .max
    #expect(living > 1 || !askable.contains(purpose))
  }

  @Test("T185 half of a budget is told once in its window, and what has run out is no level")
  func watch() {
    let watch = BudgetWatch(most: 1)
    let now = Date(timeIntervalSince1970: 1000)
    let tenant = TenantID(UUID())
    func level(_ used: Int, of name: String = "mail_per_tenant", _ end: Double) -> BudgetWatch.Level {
      BudgetWatch.Level(
        tenant: tenant, name: name, used: used, most: 10, endsAt: Date(timeIntervalSince1970: end))
    }
    watch.note(level(4, 2000), at: now)
    watch.note(level(5, 2000), at: now)
    watch.note(level(6, of: "code_per_tenant", 2000), at: now)  // beyond what is remembered
    #expect(watch.levels(at: now) == [level(5, 2000)])
    #expect(watch.levels(at: Date(timeIntervalSince1970: 2000)) == [])
  }
}
