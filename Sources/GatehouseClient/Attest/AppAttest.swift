public import Foundation

/// The proof that requests come from a genuine copy of the app (Apple's App Attest), at the doors whose policy demands
/// one.
///
/// Requests at other doors are sent as ever. The key of this installation is made and registered when it is first
/// needed; its name is kept in the configuration's store.
public struct AppAttest: Sendable {
  /// The keys of the device.
  public var keys: any AttestKeys

  /// The service of the device (`DCAppAttestService`), unless other keys are given. A system without that service
  /// supports no attestation.
  public init(keys: (any AttestKeys)? = nil) {
    #if canImport(DeviceCheck)
      self.keys = keys ?? DeviceAttestKeys()
    #else
      self.keys = keys ?? NoAttestKeys()
    #endif
  }
}

/// Keys that a device makes for one installation of an app, and that Apple attests.
public protocol AttestKeys: Sendable {
  /// Whether this device has such keys. A device without them sends its requests without a proof.
  var isSupported: Bool { get }

  /// Makes a key. Returns its name: the SHA-256 of its public key in Base64.
  func makeKey() async throws(AttestKeyError) -> String

  /// Has a new key attested, once. The attestation is about the hash.
  func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data

  /// Signs the hash by an attested key. The counter in each assertion is greater than the one before.
  func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data
}

/// The reason for which a device's key did not attest.
public enum AttestKeyError: Error, Sendable, Hashable {
  /// The device has no such keys.
  case unsupported
  /// The key is none of this installation: the app was installed anew, or the device restored.
  case keyInvalid
  /// Apple's servers gave no answer. The same key is tried again later.
  case unavailable
  /// The system failed.
  case failed
}

/// A system without App Attest.
struct NoAttestKeys: AttestKeys {
  var isSupported: Bool { false }
  func makeKey() async throws(AttestKeyError) -> String { throw .unsupported }
  func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data { throw .unsupported }
  func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data { throw .unsupported }
}
