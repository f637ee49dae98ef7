import GatehouseClient
import GatehouseClientTesting
import Testing

/// An app's own form, built as apps build one: with nothing but the public interface.
@MainActor
private final class NicknameModel: AuthModel {
  @Observed var nickname = ""
  @Observed private(set) var isSaved = false

  func submit() async -> Bool {
    let (client, nickname) = (client, nickname)
    isSaved = await work { () async throws(AuthError) in
      _ = try await client.updateProfile(["nickname": .string(nickname)])
    }
    return isSaved
  }
}

@Suite("Forms of the app's own")
@MainActor
struct OwnFormTests {
  @Test("a form of the app's own has the error, the sentence and the guard against a second tap")
  func form() async throws {
    let server = FakeServer()
    server.addAccount(email: "ada@example.com", password: "correct horse")
    let model = NicknameModel(AuthClient(server.configuration()))
    model.nickname = "Countess"
    #expect(await model.submit() == false)
    #expect(model.error?.code == .unauthenticated && model.message != nil && !model.isWorking)
    _ = try await model.client.signIn(email: "ada@example.com", password: "correct horse")
    #expect(await model.submit())
    #expect(model.isSaved && model.message == nil && model.client.state.user?["nickname"] == "Countess")
  }

  @Test("a nonce is new each time, and its hash is the one that the provider is handed")
  func nonce() {
    let nonce = SignInNonce()
    #expect(nonce.text != SignInNonce().text)
    #expect(nonce.text.count == 43 && nonce.sha256.count == 64 && nonce.sha256 != nonce.text)
    #expect(nonce.sha256.allSatisfy { $0.isHexDigit })
  }
}
