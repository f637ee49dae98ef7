import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Removing a second factor")
struct FactorRemovalTests {
  private func lives(_ session: JSONValue, _ scene: FactorScene) async throws -> Bool {
    try await scene.apps.me(FactorScene.app, session.accessToken).status == 200
  }

  @Test("other sessions that it alone lifted end, and no others")
  func lifted() async throws {
    try await FactorScene.run { scene in
      let plain = try await scene.signIn().json
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      let byPhone = try await scene.enter(phone)
      let byTablet = try await scene.enter(tablet)
      let byCode = try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0]).json
      scene.nextStep()
      let byBoth = try await scene.enter(phone)
      let more = try await scene.prove(#"{"recovery_code":"\#(phone.recoveryCodes[1])"}"#, byBoth.accessToken)
      #expect(more.status == 200, "\(more.text)")
      #expect(try await scene.remove(phone, byTablet.accessToken).status == 204)
      #expect(try await !lives(byPhone, scene))
      #expect(try await scene.apps.refresh(FactorScene.app, byPhone.refreshToken).code == "session_revoked")
      for session in [plain, byTablet, byCode, more.json] { #expect(try await lives(session, scene)) }
      #expect(
        try await scene.count("SELECT count(*) FROM gatehouse.session WHERE end_reason = 'factor_removed'") == 1)
    }
  }

  @Test("its own session goes on, and the codes of the app are wrong from then on")
  func own() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      #expect(try await scene.remove(phone, tablet.token).status == 204)
      #expect(try await scene.factors(tablet.token).factorIDs == [tablet.id])
      scene.nextStep()
      let challenge = try await scene.challenge()
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_invalid")
      #expect(try await scene.verify(challenge, totp: scene.code(tablet)).status == 200)
      #expect(try await scene.remove(phone, tablet.token).code == "not_found")
    }
  }

  @Test("the last one takes the recovery codes with it, and the password alone signs in again")
  func last() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      #expect(try await scene.remove(phone, phone.token).status == 204)
      let listed = try await scene.factors(phone.token)
      #expect(listed.factorIDs.isEmpty && listed.codesLeft == 0)
      #expect(try await scene.stored().factors == [])
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.recovery_code") == 0)
      #expect(try await scene.signIn().status == 200)
      let next = try await scene.enrol(try await scene.signIn().json.accessToken)
      #expect(next.recoveryCodes.count == 10 && Set(next.recoveryCodes).isDisjoint(with: phone.recoveryCodes))
    }
  }

  @Test("a recovery code removes an app that is lost")
  func lost() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 86_400)
      let entered = try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0]).json
      #expect(try await scene.remove(phone, entered.accessToken).status == 204)
      #expect(try await scene.enrol(entered.accessToken).recoveryCodes.count == 10)
    }
  }

  @Test("M10 the operator's reset takes factors, codes, remembered devices and sessions, and tells it")
  func byOperator() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let entered = try await scene.enter(phone, device: scene.up.device, remember: true)
      let mails = try await scene.apps.server.mailCount(to: scene.email)
      try await Operator.resetFactors(FactorScene.app, on: scene.apps)
      for session in [phone.session, entered] { #expect(try await !lives(session, scene)) }
      #expect(try await scene.stored().factors == [])
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.recovery_code") == 0)
      #expect(try await scene.count("SELECT count(*) FROM gatehouse.device WHERE trusted_at IS NOT NULL") == 0)
      #expect(try await scene.apps.server.mailCount(to: scene.email) == mails + 1)
      #expect(try await scene.rows(.factorsReset).map { $0.details["reason"] } == ["came to the desk"])
      #expect(try await scene.signIn().status == 200)
    }
  }
}
