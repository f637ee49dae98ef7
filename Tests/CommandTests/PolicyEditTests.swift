import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Edits of a policy by several operators")
struct PolicyEditTests {
  private static func policy(_ tenant: String, length: Int = 8, more: String = "") -> String {
    """
    schema: gatehouse/policy.v1
    tenant: \(tenant)
    app: {name: Acme, locales: [en]}
    identifiers: {sign_in_with: [email], email: {allowed_domains: [ksu.edu]}}
    password: {rules: [{id: length, min_length: \(length)}]}
    \(more)
    """
  }

  private func run(_ body: (ServedApp) async throws -> Void) async throws {
    let texts = ["acme": Self.policy("acme"), "zeta": Self.policy("zeta")]
    try await ServedApp.run(policies: texts) { _, _, app in
      for name in texts.keys {
        _ = try await eventually { try app.run("tenant", "show", name).exit == 0 }
      }
      try await body(app)
    }
  }

  @Test("a file that policy show printed is applied while its revision is live, and refused once another one is")
  func taken() async throws {
    try await run { app in
      let shown = try app.run("policy", "show", "acme").output
      #expect(shown.hasSuffix("# gatehouse: revision 1 of acme\n"))
      try app.write(shown.replacing("Acme", with: "Acme A"), to: "a.yaml")
      try app.write(shown.replacing("min_length: 8", with: "min_length: 9"), to: "b.yaml")
      let first = try app.run("policy", "apply", "acme", "a.yaml")
      #expect(first.exit == 0, "\(first.errors)")
      let late = try app.run("policy", "apply", "acme", "b.yaml")
      #expect(
        late.exit == 5 && late.errors.contains("b.yaml was taken from revision 1, and 2 is live"), "\(late.errors)")
      let mine = try String(contentsOf: app.directory.appending(path: "a.yaml"), encoding: .utf8)
      #expect(mine.hasSuffix("# gatehouse: revision 2 of acme\n"))
      #expect(
        try app.run("policy", "show", "acme", "--exact").output == Self.policy("acme").replacing("Acme", with: "Acme A")
      )
    }
  }

  @Test("an apply without the line says which changes of lately it takes back")
  func takesBack() async throws {
    try await run { app in
      try app.write(Self.policy("acme", length: 9), to: "b.yaml")
      #expect(try app.run("policy", "apply", "acme", "b.yaml").exit == 0)
      try app.write(Self.policy("acme").replacing("Acme", with: "Acme A"), to: "a.yaml")
      let applied = try app.run("policy", "apply", "acme", "a.yaml", "--allow", "password.length")
      #expect(applied.exit == 0, "\(applied.errors)")
      #expect(applied.errors.contains("note: takes back what revision 2 changed (uid"), "\(applied.errors)")
      #expect(applied.errors.contains(": password.length"), "\(applied.errors)")
      // Negative control: the same name again takes nothing back.
      try app.write(Self.policy("acme").replacing("Acme", with: "Acme B"), to: "a.yaml")
      let next = try app.run("policy", "apply", "acme", "a.yaml")
      #expect(next.exit == 0 && !next.errors.contains("takes back"), "\(next.errors)")
    }
  }

  @Test("a change that cannot be compared is not called weaker, and its hint is a command that works")
  func incomparable() async throws {
    try await run { app in
      let field = "profile: {fields: {unit: {type: string, required: true}}}\n"
      try app.write(Self.policy("acme", more: field), to: "acme.yaml")
      let refused = try app.run("policy", "apply", "acme", "acme.yaml")
      #expect(!refused.errors.contains("weaker"), "\(refused.errors)")
      let hint = try #require(refused.errors.components(separatedBy: "see: gatehouse ").dropFirst().first)
      let words = hint.split(whereSeparator: \.isWhitespace).map(String.init)
      let done = try Binary.run(words, in: app.directory, environment: app.environment)
      #expect(refused.exit != 0 && done.exit == 0, "\(hint) \(done.errors)")
    }
  }

  @Test("several tenants' texts name each finding with its tenant, and one flag allows it for that one alone")
  func batch() async throws {
    try await run { app in
      let folder = app.directory.appending(path: "edited")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["acme", "zeta"] {
        try app.write(Self.policy(name).replacing("[ksu.edu]", with: "[ksu.edu, k.edu]"), to: "edited/\(name).yaml")
      }
      let refused = try app.run("policy", "apply", "--files", "edited")
      let flags = "--allow acme:email.allowed_domains --allow zeta:email.allowed_domains"
      #expect(refused.errors.contains("the same command with \(flags)"), "\(refused.errors)")
      let half = try app.run("policy", "apply", "--files", "edited", "--allow", "acme:email.allowed_domains")
      #expect(half.exit != 0 && half.errors.contains("with --allow zeta:email.allowed_domains"), "\(half.errors)")
      let all = try app.run("policy", "apply", "--files", "edited", "--allow", "email.allowed_domains")
      #expect(all.exit == 0, "\(all.errors)")
    }
  }
}
