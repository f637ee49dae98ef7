import Foundation

/// That somebody proved, in this request, to be the owner of an account: by which method, and when. Features that
/// establish who somebody is make one; only `SessionOpening` turns it into a session, so that no position in the code,
/// but only a proof, signs anybody in.
package struct Proof: Sendable {
  /// How (RFC 8176).
  package enum Method: String, Sendable {
    case password = "pwd"
    /// By an identity provider; RFC 8176 has no word for it.
    case provider = "fed"
  }

  let tenant: TenantID
  let account: AccountID
  let method: Method
  let at: Date

  init(of account: AccountID, by method: Method, _ call: Call) {
    tenant = call.tenant.id
    self.account = account
    self.method = method
    at = call.now
  }
}
