import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("C21 The model of a sign-up with a passkey")
@MainActor
struct PasskeySignUpModelTests {
  private let scene = PasskeyStage { policy in
    policy.signsUpWithPasskeys = true
    policy.policy.profile.fields = [Field(name: "name", type: .string, atSignUp: true)]
  }

  private func form() async throws -> (form: SignUpModel, manager: FakePasskeyManager) {
    let (client, manager) = scene.device()
    let form = SignUpModel(client)
    await form.load()
    #expect(form.takesPasskeys)
    return (form, manager)
  }

  @Test("the system asks for address, name and passkey at once")
  func oneQuestion() async throws {
    let (form, manager) = try await form()
    manager.account = ("bob@example.com", "Bob")
    #expect(await form.submitWithPasskey())
    #expect(form.client.state.user?.email == "bob@example.com" && manager.questions == 1)
    #expect(form.client.state.user?.profile["name"] == "Bob")
  }

  @Test("a system without that question asks for the passkey, and the form for the rest")
  func ownForm() async throws {
    let (form, manager) = try await form()
    #expect(await form.submitWithPasskey() == false)
    #expect(form.fieldErrors["email"] != nil && form.fieldErrors["password"] == nil && manager.passkeys.isEmpty)
    form.email = "bob@example.com"
    #expect(await form.submitWithPasskey())
    #expect(form.client.hasSession && manager.passkeys.count == 1)
  }

  @Test("what was typed counts, and the system is not asked for it")
  func typed() async throws {
    let (form, manager) = try await form()
    (manager.account, form.email) = (("eve@example.com", nil), "bob@example.com")
    #expect(await form.submitWithPasskey())
    #expect(form.client.state.user?.email == "bob@example.com")
  }

  @Test("an address that is refused stands in the form, and the next try has the same passkey")
  func refused() async throws {
    scene.server.addAccount(email: "ada@example.com", password: nil)
    let (form, manager) = try await form()
    manager.account = ("ada@example.com", "Ada")
    #expect(await form.submitWithPasskey() == false)
    #expect(form.error?.code == .accountExists && form.email == "ada@example.com")
    form.email = "bob@example.com"
    #expect(await form.submitWithPasskey())
    #expect(manager.passkeys.count == 1 && form.client.state.user?.email == "bob@example.com")
  }

  @Test("a question that was closed makes no account and says nothing")
  func closed() async throws {
    let (form, manager) = try await form()
    (manager.account, manager.closesQuestions) = (("bob@example.com", nil), true)
    #expect(await form.submitWithPasskey() == false)
    #expect(form.message == nil && form.email.isEmpty && scene.server.accountCount == 0)
  }

  @Test("a policy without such a sign-up shows no way to it")
  func none() async throws {
    scene.server.policy.signsUpWithPasskeys = false
    let form = SignUpModel(scene.device().client)
    await form.load()
    #expect(!form.takesPasskeys)
  }

  @Test("where people have no passwords the form has no input for one")
  func noPasswords() async throws {
    scene.server.policy.policy.providers = []
    let (form, _) = try await form()
    #expect(form.policy?.hasPasswords == false && form.inputs == ["name", "email"])
    form.email = "bob@example.com"
    #expect(await form.submitWithPasskey())
  }
}
