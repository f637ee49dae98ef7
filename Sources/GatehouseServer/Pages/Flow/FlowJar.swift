import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The flows of one browser: up to four, the newest last, so that several tabs go on side by side.
struct FlowJar: Sendable {
  private(set) var flows: [Flow] = []
  /// Whether the browser brought the cookie at all.
  let isThere: Bool

  private static let most = 4
  /// Bytes of the cookie's value: browsers keep 4,096 of name, value and attributes.
  private static let largest = 3_700
  /// Bytes beyond which the oldest flows go: a browser keeps one such cookie for each app, and sends all of one host.
  private static let usual = 2_000
  /// Seconds for which the cookie stays: a form of yesterday is told as old, not as one of a browser without cookies.
  private static let age = 86_400

  /// The flows of a request. What does not open is none of ours, and counts as no flow.
  init(_ request: Request, _ call: Call, isSecure: Bool) {
    guard let text = Cookies(request)[PageCookie.flow.name(call.tenant.name, isSecure: isSecure)] else {
      isThere = false
      return
    }
    isThere = true
    guard text.utf8.count <= Self.largest, let sealed = Base64URL.decode(text),
      let opened = try? call.tenant.vault.open(Array(sealed), for: .pageFlows).expose({
        try StrictDecoder.decode(Kept.self, from: $0)
      })
    else { return }
    flows = opened.flows
  }

  private struct Kept: Codable {
    var flows: [Flow]
  }

  func flow(_ id: String) -> Flow? { flows.first { $0.id.utf8.elementsEqual(id.utf8) } }

  /// Puts a flow last, in the place of its former state; the oldest go where there is no room.
  mutating func keep(_ flow: Flow) {
    flows.removeAll { $0.id == flow.id }
    flows.append(flow)
    flows = flows.suffix(Self.most)
  }

  mutating func drop(_ flow: Flow) { flows.removeAll { $0.id == flow.id } }

  func cookie(_ call: Call, isSecure: Bool) throws -> SetCookie {
    var kept = flows
    while true {
      let sealed = try call.tenant.vault.seal(try JSONEncoding.encode(Kept(flows: kept)), for: .pageFlows)
      let text = Base64URL.encode(sealed)
      if text.utf8.count <= Self.usual || kept.count <= 1 {
        return PageCookie.flow.setting(text, age: Self.age, call.tenant.name, isSecure: isSecure)
      }
      kept.removeFirst()
    }
  }
}

/// The cookies of the pages. A tenant's name has no dot, so that no two tenants share a name.
enum PageCookie {
  case session, flow, device

  func name(_ tenant: TenantName, isSecure: Bool) -> String {
    let name =
      switch self {
      case .session: "gh-\(tenant)"
      case .flow: "gh.\(tenant).flow"
      case .device: "gh.\(tenant).device"
      }
    return SetCookie.name(name, isSecure: isSecure)
  }

  func setting(_ value: String, age: Int, _ tenant: TenantName, isSecure: Bool) -> SetCookie {
    SetCookie(name: name(tenant, isSecure: isSecure), value: value, age: age, isSecure: isSecure)
  }
}
