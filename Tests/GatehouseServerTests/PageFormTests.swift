import GatehousePolicy
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("What a form says when it comes back")
struct PageFormTests {
  private let rules = Checklist(
    lines: [
      .init(rule: "password.min8", text: "At least 8 characters"), .init(rule: "password.digit", text: "A digit"),
    ],
    words: .english)

  private func screen() -> Screen {
    let fields = [
      FormField(name: "email", label: "Email", kind: .email),
      FormField(name: "password", label: "Password", kind: .password, checklist: rules),
    ]
    return Screen("Sign up", [.form(Form(fields: fields, button: "Create"))])
  }

  private func text(_ screen: Screen) -> String {
    screen.html(.init(token: "p", flow: "f", key: "k"), at: "sign-up", .english).text
  }

  private let broken = ["password.min8", "password.digit"].map { (rule: String) in
    FormProblem(field: "password", message: "Broken: \(rule).", rule: rule)
  }

  @Test("the summary is in the order of the fields, after what is wrong with no field")
  func order() {
    let problems = [
      broken[0], FormProblem(field: "email", message: "No address."), FormProblem(field: "gone", message: "Elsewhere."),
    ]
    let summary = screen().marked(problems, in: Typed(["email": ""])).summary
    #expect(summary.map(\.message) == ["Elsewhere.", "No address.", "Broken: password.min8."])
    #expect(summary.map(\.field) == [nil, "email", "password"])
  }

  @Test("several rules that the list marks are told in one sentence")
  func weak() {
    let marked = screen().marked(broken, in: Typed(["email": ""]))
    #expect(marked.summary.map(\.message) == [FormWords.english.weak])
    #expect(text(marked).matches(of: /class="unmet"/).count == 2)
  }

  @Test("what was typed comes back, but for passwords, which come back to their switch alone")
  func typed() {
    let typed = ["email": "pat@example.com", "password": "Kept-Nowhere-1"]
    let refused = text(screen().marked([], in: Typed(typed)))
    #expect(refused.contains("pat@example.com"))
    #expect(!refused.contains("Kept-Nowhere-1"))
    let shown = text(screen().marked([], in: Typed(typed.merging(["show": "1"]) { $1 })))
    #expect(shown.contains("pat@example.com"))
    #expect(shown.contains("Kept-Nowhere-1"))
  }

  @Test("what may be kept of a form is what was typed, without its secrets and its proofs")
  func open() {
    let hidden = Dictionary(uniqueKeysWithValues: Form.Hidden.names.map { ($0, "x") })
    let secrets = Dictionary(uniqueKeysWithValues: SecretField.allCases.map { ($0.rawValue, "x") })
    let typed = hidden.merging(secrets) { $1 }.merging(["email": "pat@example.com", "do": "other"]) { $1 }
    #expect(Typed(typed).open == ["email": "pat@example.com", "do": "other"])
  }

  @Test("one broken rule is told as itself, and marked alone")
  func one() {
    let marked = screen().marked([broken[1]], in: Typed(["email": ""]))
    #expect(marked.summary.map(\.message) == ["Broken: password.digit."])
    #expect(text(marked).contains(#"<li data-rule="password.digit" class="unmet">"#))
    #expect(text(marked).contains(#"<li data-rule="password.min8" class="met">"#))
  }

  @Test("a rule that is not in the list is told beside those that are")
  func unlisted() {
    let long = FormProblem(field: "password", message: "Too long.", rule: "password.max_length")
    let summary = screen().marked(broken + [long], in: Typed(["email": ""])).summary
    #expect(summary.map(\.message) == [FormWords.english.weak, "Too long."])
  }

  @Test("text of several lines comes back with all of them")
  func lines() {
    let field = FormField(name: "bio", label: "Bio", kind: .lines, value: "\n<b>\nlast")
    #expect(
      field.html(showsPasswords: false, .english).text.contains(
        "<textarea id=\"bio\" name=\"bio\" rows=\"4\" required>\n\n&lt;b&gt;\nlast</textarea>"))
  }

  @Test("a hint is left out where a problem says the same", arguments: ["Use an address", "Use an address."])
  func hint(_ problem: String) {
    var field = FormField(name: "email", label: "Email", kind: .email, hint: "Use an address")
    #expect(field.html(showsPasswords: false, .english).text.contains("email-hint"))
    field.problems = [problem]
    #expect(!field.html(showsPasswords: false, .english).text.contains("email-hint"))
    field.problems = ["Another"]
    #expect(field.html(showsPasswords: false, .english).text.contains("email-hint"))
  }

  @Test("what is asked of services has words in every language")
  func scopes() throws {
    for language in Language.allCases {
      #expect(Set(ScopeWords.english.keys) == Set(HostedWords.of(language).connect.scopes.keys), "\(language)")
    }
    let policy = try TestLists.policy("vibes")
    for scope in policy.matches(of: /\b(?:user|playlist)-[a-z]+-[a-z-]+/) {
      #expect(ScopeWords.english[String(scope.output)] != nil, "\(scope.output)")
    }
  }
}
