package import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// That an ID token was taken at a provider with `nonce: optional`. Without a nonce nothing but this keeps a token that
/// leaked from signing its owner in a second time.
package struct IDTokenUse: Sendable, Equatable {
  /// SHA-256 of what the provider signed: header and claims. The signature is left out, because one that is written
  /// another way may hold as well, and the token would pass for another one.
  package var hash: [UInt8]
  /// When the provider made the token.
  package var issuedAt: Date
  /// When the token is taken no more.
  package var expiresAt: Date
  /// Taken without a nonce: no other use, earlier or later, stands beside it. With one it may come again, as with
  /// `nonce: required`.
  package var isSingle: Bool

  package init(hash: [UInt8], issuedAt: Date, expiresAt: Date, isSingle: Bool) {
    self.hash = hash
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.isSingle = isSingle
  }

  /// The use of a token that was verified. `issuedAt` and `expiresAt`: its `iat` and `exp`, seconds since 1970.
  package init(of token: String, issuedAt: Int64, expiresAt: Int64, isSingle: Bool) {
    // GUARD: id token: another signature makes no other token
    let signed = token.utf8.lastIndex(of: UInt8(ascii: ".")).map { token.utf8[..<$0] } ?? token.utf8[...]
    self.init(
      hash: SHA256.digest(Array(signed)), issuedAt: Date(timeIntervalSince1970: Double(issuedAt)),
      expiresAt: Date(timeIntervalSince1970: Double(expiresAt + IDToken.leeway)),
      isSingle: isSingle)
  }
}

/// The user of an app's ID token, and the changes that are written with the effect of the token.
struct VerifiedIDToken {
  var user: ProviderUser
  /// See `IDToken.Taken`.
  var isActive: Bool?
  /// Nil where the policy asks for a nonce.
  var use: IDTokenUse?

  /// The write that takes the token. It belongs into the transaction of the effect: a request that is refused uses
  /// nothing up.
  var taking: [Change] { use.map { [.provider(.useIDToken($0))] } ?? [] }
}

extension ProviderExchange {
  /// The user of an ID token that an app got for itself. A request without a nonce is refused as malformed where the
  /// policy asks for one.
  ///
  /// `nonce: optional` has libraries in mind that make a nonce of their own and do not hand it out, such as
  /// GoogleSignIn 7.
  ///
  /// `freshSince`: when the person has to have signed in at a provider that says so, in seconds since 1970.
  func proven(
    idToken: String, nonce: String?, maximumAge: Int64 = IDToken.day, freshSince: Int64? = nil
  ) async throws -> VerifiedIDToken {
    guard takesIDTokens else { throw Refusal(.notFound) }
    // GUARD: id token: a nonce where the policy asks for one
    guard nonce != nil || provider.nonce == .optional else {
      throw Refusal.malformed("/nonce", "missing; provider \"\(provider.name)\" takes ID tokens with their nonce")
    }
    // GUARD: id token: without a nonce within ten minutes
    let age = nonce == nil ? min(maximumAge, IDToken.withoutNonce - IDToken.leeway) : maximumAge
    let taken = try await user(idToken: idToken, nonce: nonce, maximumAge: age, freshSince: freshSince)
    let use = IDTokenUse(
      of: idToken, issuedAt: taken.issuedAt, expiresAt: taken.expiresAt, isSingle: nonce == nil)
    return VerifiedIDToken(user: taken.user, isActive: taken.isActive, use: provider.nonce == .optional ? use : nil)
  }

  /// Runs what an ID token brings about. A token that was taken before is refused as any other that is not to be taken.
  func once<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch StoreError.refused(.idTokenIsUnused) {
      await noteRefused("used")
      throw Refusal(.providerTokenInvalid, note: "used")
    }
  }
}
