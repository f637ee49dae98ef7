import Foundation
import GatehousePolicy
import GatehouseWire

/// Sign-ups with a passkey in the place of a password.
extension FakeWorld {
  mutating func startPasskeySignUp(_ input: StartPasskeySignUpEndpoint.Input, _ arrival: FakeArrival) throws
    -> StartPasskeySignUpEndpoint.Output
  {
    try demandPasskeySignUp()
    let user = id()
    let id = begin(.signUp, nil, nil, user: user, at: arrival.now)
    let email = input.email.flatMap { policy.normalisedEmail($0, using: FakeFacts()) }
    return StartPasskeySignUpEndpoint.Output(
      challengeID: id, publicKey: creation(of: user, named: email ?? policy.app.name, beside: [], id),
      expiresIn: FakePasskeyTicket.Purpose.signUp.seconds)
  }

  /// A form that is corrected comes with the passkey that was made for it: all tries have one challenge.
  mutating func signUp(_ input: CompletePasskeySignUpEndpoint.Input, _ arrival: FakeArrival) throws -> SignUpAnswer {
    try demandPasskeySignUp()
    let user = factors.tickets[input.challengeID]?.user
    _ = try reserveTry(.signUp, input.challengeID, nil, nil, at: arrival.now)
    guard let user else { throw FakeProblem("code_expired") }
    let facts = Facts(email: input.email, profile: input.profile ?? [:], writer: .user, bringsPasskey: true)
    let decision = try judge(.signUp, facts, at: arrival.now)
    let passkey = try made(
      input.credential, challenge(ofTry: 1, input.challengeID), named: input.name, at: arrival.now)
    var account = FakeUser(
      id: user, email: decision.normalised.email ?? address(input.email), password: nil,
      profile: decision.normalised.profile, lastSeen: arrival.now, createdAt: arrival.now, updatedAt: arrival.now)
    account.passkeys = [passkey]
    let answer = try enter(account, device: input.device, by: passkey.id, decision, arrival)
    factors.tickets[input.challengeID] = nil
    return answer
  }

  /// Refuses `not_found` where the policy has no sign-up by passkeys.
  private func demandPasskeySignUp() throws {
    guard policy.uses(passkeysFor: .signUp) else { throw FakeProblem("not_found") }
    try demandHost()
  }
}
