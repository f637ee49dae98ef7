import GatehouseIdentity
import GatehousePolicy
import Testing

@testable import GatehouseOutbound

@Suite("A tenant's own words in mails")
struct OwnMailWordsTests {
  /// All but an operator's test of the mail settings.
  private static let kinds = MessageKind.allCases.filter { $0 != .test }

  private func policy(_ kind: MessageKind) throws -> Policy {
    var policy = Policy(
      tenant: "acme", app: App(name: "Acme", locales: ["en", "es"]), identifiers: Identifiers(),
      password: PasswordPolicy(rules: []))
    let mail = try #require(Messages.Mail(rawValue: kind.rawValue))
    for part in TextPart.allCases {
      policy.messages.mails[mail, default: [:]][part] = ["en": "Own \(part.rawValue) <{app}>"]
    }
    return policy
  }

  private func mail(_ kind: MessageKind, _ language: String) throws -> (own: RenderedMail, ours: RenderedMail) {
    let policy = try policy(kind)
    let plain = MessageOrder.sample(kind, language: language, brand: MessageBrand(policy))
    var worded = plain
    worded.takeWords(of: policy)
    let mails = MailTemplates()
    return (try mails.render(worded, tenant: "acme"), try mails.render(plain, tenant: "acme"))
  }

  @Test("subject, heading and lead are the tenant's in both parts, escaped in HTML", arguments: kinds)
  func replaced(kind: MessageKind) throws {
    let own = try mail(kind, "en").own
    #expect(own.subject.hasSuffix("Own subject <Acme>"))
    for part in ["Own heading <Acme>", "Own lead <Acme>"] {
      #expect(own.text.contains(part), "\(part)")
      #expect(own.html.contains(part.replacing("<", with: "&lt;").replacing(">", with: "&gt;")), "\(part)")
    }
  }

  @Test("what the mail carries and tells is there all the same", arguments: kinds)
  func kept(kind: MessageKind) throws {
    let order = MessageOrder.sample(kind, language: "en", brand: kState)
    let own = try mail(kind, "en").own
    if let code = order.code { #expect(own.subject.hasPrefix(code) && own.text.contains(code)) }
    if let link = order.link { #expect(own.text.contains(link) && own.text.contains("Own button <Acme>")) }
    let told = [order.device, order.place, order.when, order.provider, order.newEmail].compactMap(\.self)
    let ours = try mail(kind, "en").ours
    for fact in told where ours.text.contains(fact) { #expect(own.text.contains(fact), "\(fact)") }
  }

  @Test("a mail in a language without own words has ours", arguments: kinds)
  func other(kind: MessageKind) throws {
    let (own, ours) = try mail(kind, "es")
    #expect(own == ours)
  }
}
