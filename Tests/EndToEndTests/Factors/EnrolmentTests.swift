import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Adding an authenticator app")
struct EnrolmentTests {
  @Test("T106 the seed of 160 bits is one in the secret, the address and the QR code, and nothing is added yet")
  func start() async throws {
    try await FactorScene.run { scene in
      let begun = try await scene.start(scene.up.accessToken)
      #expect(begun.status == 200 && begun.json["expires_in"] == .integer(600), "\(begun.text)")
      let (secret, uri) = (begun.json["secret"]?.string ?? "", begun.json["uri"]?.string ?? "")
      #expect(secret.count == 32)
      #expect(uri.hasPrefix("otpauth://totp/messAI:") && uri.contains("secret=\(secret)"), "\(uri)")
      #expect(uri.contains("issuer=messAI"), "\(uri)")
      #expect(try begun.json["qr_svg"]?.string == QRCode.svg(of: uri))
      #expect(begun.headers["cache-control"] == "no-store")
      let listed = try await scene.factors(scene.up.accessToken)
      #expect(listed.factorIDs.isEmpty && listed.codesLeft == 0)
      #expect(try await scene.signIn().status == 200)
    }
  }

  @Test("the first code adds it, with ten recovery codes")
  func confirm() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol(name: "  Pat's\tphone ")
      #expect(phone.recoveryCodes.count == 10 && Set(phone.recoveryCodes).count == 10)
      for code in phone.recoveryCodes {
        #expect(code.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}/) != nil, "\(code)")
      }
      let listed = try await scene.factors(phone.token)
      #expect(listed.factorIDs == [phone.id] && listed.codesLeft == 10)
      let item = listed["items"]?.array?.first
      #expect(item?["type"] == .string("totp") && item?["name"] == .string("Pat's phone"), "\(listed)")
      #expect(item?["created_at"] != nil && item?["last_used_at"] != nil)
      #expect(try await scene.stored().factors == ["totp", "recovery_code"])
    }
  }

  @Test("recovery codes come with the first app, and with no other")
  func second() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      #expect(tablet.recoveryCodes.isEmpty)
      let listed = try await scene.factors(tablet.token)
      #expect(listed.factorIDs == [phone.id, tablet.id] && listed.codesLeft == 10)
    }
  }

  @Test("a code is taken as people type it", arguments: ["123 456", "123-456", "１２３４５６", "١٢٣٤٥٦"])
  func typed(shape: String) async throws {
    try await FactorScene.run { scene in
      let begun = try await scene.start(scene.up.accessToken)
      var digits = scene.code(try begun.seed())[...]
      let zero = shape.unicodeScalars.first.map { $0.value - 1 } ?? 0
      let typed = String(
        String.UnicodeScalarView(
          shape.unicodeScalars.compactMap { scalar in
            guard scalar.properties.numericType != nil else { return scalar }
            return digits.popFirst()?.wholeNumberValue.flatMap { Unicode.Scalar(zero + UInt32($0)) }
          }))
      let done = try await scene.confirm(begun.enrolment, typed, scene.up.accessToken)
      #expect(done.status == 200, "\(typed) \(done.text)")
    }
  }

  @Test("a wrong code adds nothing, and the right one may follow")
  func wrong() async throws {
    try await FactorScene.run { scene in
      let token = scene.up.accessToken
      let begun = try await scene.start(token)
      let seed = try begun.seed()
      for guess in [scene.code(seed, step: 1), scene.code(seed, step: -2), "12345", "", "abcdef"] {
        let refused = try await scene.confirm(begun.enrolment, guess, token)
        #expect(refused.code == "code_invalid", "\(guess) \(refused.text)")
      }
      #expect(try await scene.stored().factors == [])
      #expect(try await scene.confirm(begun.enrolment, scene.code(seed), token).status == 200)
    }
  }

  @Test("after ten tries an enrolment is over")
  func tries() async throws {
    try await FactorScene.run { scene in
      let token = scene.up.accessToken
      let begun = try await scene.start(token)
      for _ in 0..<10 {
        #expect(try await scene.confirm(begun.enrolment, "12345", token).code == "code_invalid")
      }
      let late = try await scene.confirm(begun.enrolment, scene.code(try begun.seed()), token)
      #expect(late.code == "code_expired", "\(late.text)")
    }
  }

  @Test("an enrolment waits for ten minutes", arguments: [599, 600])
  func time(seconds: Int) async throws {
    try await FactorScene.run { scene in
      let begun = try await scene.start(scene.up.accessToken)
      scene.clock.advance(seconds: Double(seconds))
      let done = try await scene.confirm(begun.enrolment, scene.code(try begun.seed()), scene.up.accessToken)
      #expect(done.code == (seconds < 600 ? nil : "code_expired"), "\(done.text)")
    }
  }

  @Test("one enrolment adds one app, also of many requests at once")
  func once() async throws {
    try await FactorScene.run { scene in
      let begun = try await scene.start(scene.up.accessToken)
      let code = scene.code(try begun.seed())
      let answers = try await atOnce(8) { _ in
        try await scene.confirm(begun.enrolment, code, scene.up.accessToken)
      }
      let done = answers.filter { $0.status == 200 }
      try #require(done.count == 1, "\(answers.map(\.text))")
      let token = done[0].json["session"]?.accessToken ?? ""
      #expect(try await scene.factors(token).factorIDs.count == 1)
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.ticket WHERE purpose = 'add_totp'") == 0)
      #expect(try await scene.confirm(begun.enrolment, code, token).code == "code_expired")
    }
  }

  @Test("a sixth app is refused")
  func five() async throws {
    try await FactorScene.run { scene in
      var phone = try await scene.enrol()
      for _ in 0..<4 { phone = try await scene.enrol(phone.session["access_token"]?.string) }
      let sixth = try await scene.start(phone.token)
      #expect(sixth.status == 409 && sixth.code == "conflict", "\(sixth.text)")
      #expect(try await scene.remove(phone, phone.token).status == 204)
      #expect(try await scene.start(phone.token).status == 200)
    }
  }
}
