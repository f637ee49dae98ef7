import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A tenant's own words on its pages and in its mails")
struct OwnWordsPageTests {
  private static let words = """
    messages:
      pages:
        sign_in: {heading: {en: "Saddle up for {app}"}, lead: {en: Rides <free> after dark.}, button: {en: Ride on}}
        verify_email_link: {heading: {en: One press and you ride}}
      mails:
        verify_email: {subject: {en: Your first ride}, lead: {en: "Welcome to {app}, Wildcat."}, button: {en: Ride}}

    """

  @Sendable private static func policy(_ app: App, _ text: String) -> String {
    guard app == .ride else { return text }
    return text.replacing("locales: [en]", with: "locales: [en, es]") + words
  }

  @Test("a page has the policy's words, escaped, and a reader of another language the server's")
  func page() async throws {
    try await ThreeApps.run(policy: Self.policy) { apps in
      let browser = PageBrowser(.ride, apps)
      try await browser.open("sign-in")
      let own = browser.text
      for part in ["<h1>Saddle up for DD\u{A0}Ride</h1>", "<p>Rides &lt;free&gt; after dark.</p>", ">Ride on</button>"]
      {
        #expect(own.replacing("&nbsp;", with: "\u{A0}").contains(part), "\(part): \(own)")
      }
      let spanish = PageBrowser(.ride, apps, language: "es")
      try await spanish.open("sign-in")
      #expect(spanish.text.contains("Inicia sesión en") && !spanish.text.contains("Rides"))
    }
  }

  @Test("a mail has the policy's words beside its code and link, and the page behind the link as well")
  func mail() async throws {
    try await ThreeApps.runWithMail(policy: Self.policy) { apps in
      try #require(try await apps.signUp(.ride).status == 201)
      let mail = try await apps.mail(to: App.ride.email())
      let code = try #require(mail.code)
      #expect(mail.subject == "\(code) · Your first ride")
      #expect(mail.text.contains("Welcome to DD Ride, Wildcat.") && mail.text.contains("\nRide:"))
      #expect(mail.text.contains("sent this mail to \(App.ride.email())"))
      #expect(try await LinkPage(opening: mail.link).page.text.contains("One press and you ride"))
    }
  }
}
