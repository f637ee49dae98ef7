import GatehouseClient
import Testing

@Suite("C13 What only a client can say")
struct SentencesTests {
  @Test("a network error has the apps' sentence")
  func network() { #expect(AuthError(.network).message == "Network error. Please check your connection.") }
}
