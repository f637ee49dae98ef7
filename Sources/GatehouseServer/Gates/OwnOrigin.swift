import GatehouseIdentity
import GatehousePrimitives

extension TenantSnapshot {
  /// Whether a page of this tenant has the origin that a request names: at its own host, or at the host of all tenants.
  func isOrigin(_ field: String) -> Bool {
    guard let origin = WebOrigin(field) else { return false }
    return [issuer, sharedIssuer].contains { WebOrigin(of: $0) == origin }
  }
}

extension WebOrigin {
  /// The origin of a web address.
  init?(of address: String) {
    guard let mark = address.firstRange(of: "://") else { return nil }
    let end = address[mark.upperBound...].firstIndex(of: "/") ?? address.endIndex
    self.init(String(address[..<end]))
  }
}
