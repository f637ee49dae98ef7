import GatehousePrimitives
import Testing

@testable import GatehouseIdentity

/// Orders wait sealed in the outbox, where another release may read them.
@Suite("The stored form of a message")
struct MessageOrderTests {
  private static let old = #"{"kind":"verify_email","to":"ann@example.com","language":"en","brand":{"appName":"App"}}"#

  private static func order(to contact: Contact) -> MessageOrder {
    MessageOrder(kind: .verifyEmail, to: contact, language: "en", brand: MessageBrand(appName: "App"))
  }

  private static func text(_ order: MessageOrder) throws -> String {
    String(decoding: try JSONEncoding.encode(order), as: UTF8.self)
  }

  @Test("an order for an address is what releases before contacts wrote and read")
  func address() throws {
    #expect(try Self.text(Self.order(to: .email("ann@example.com"))) == Self.old)
  }

  @Test("an order that such a release wrote goes to its address")
  func before() throws {
    let order = try StrictDecoder.decode(MessageOrder.self, from: Array(Self.old.utf8))
    #expect(order.to == .email("ann@example.com"))
  }

  @Test("an order for a number names its kind, which such a release does not read, and comes back whole")
  func number() throws {
    let order = Self.order(to: .phone("+17855550123"))
    let text = try Self.text(order)
    #expect(text.contains(#""contact":"phone""#))
    #expect(try StrictDecoder.decode(MessageOrder.self, from: Array(text.utf8)) == order)
  }

  @Test("a description names no contact")
  func description() {
    let order = Self.order(to: .email("ann@example.com"))
    #expect(!"\(order) \(order.to)".contains("ann"))
  }
}
