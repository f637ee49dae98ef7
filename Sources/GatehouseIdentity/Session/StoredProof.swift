import Foundation
package import GatehousePrimitives

/// The one form in which a proof is stored: in the row of a session, and in a sign-in that waits.
extension Proof {
  /// A JSON object, with the time in microseconds since 1970. Members without a value are left out.
  package var stored: JSONValue {
    var entry: JSONObject = [
      "method": .string(method.name), "at": .integer(Int64((at.timeIntervalSince1970 * 1_000_000).rounded())),
    ]
    if let factor { entry["factor"] = .string(factor.text) }
    if isUserVerified { entry["user_verified"] = .bool(true) }
    if let isActive { entry["active"] = .bool(isActive) }
    return .object(entry)
  }

  /// Returns nil for a value without a method and a time.
  package init?(stored entry: JSONValue) {
    guard let method = entry["method"]?.string, let at = entry["at"]?.integer else { return nil }
    self.init(
      method: Proof.Method(name: method), factor: entry["factor"]?.string.flatMap(UUID.init(uuidString:)),
      at: Date(timeIntervalSince1970: Double(at) / 1_000_000), isUserVerified: entry["user_verified"] == .bool(true),
      isActive: entry["active"].map { $0 == .bool(true) })
  }
}
