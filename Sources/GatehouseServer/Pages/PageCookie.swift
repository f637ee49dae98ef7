import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The cookies of one tenant's pages. A tenant's name has no dot, so that no two tenants share a name.
enum PageCookie {
  case session, device
  /// A passkey was offered to the person at the browser.
  case offer

  func name(_ tenant: TenantName, isSecure: Bool) -> String {
    let name =
      switch self {
      case .session: "gh-\(tenant)"
      case .device: "gh.\(tenant).device"
      case .offer: "gh.\(tenant).offer"
      }
    return SetCookie.name(name, isSecure: isSecure)
  }

  func setting(_ value: String, age: Int?, _ tenant: TenantName, isSecure: Bool) -> SetCookie {
    SetCookie(name: name(tenant, isSecure: isSecure), value: value, age: age, isSecure: isSecure)
  }
}

/// All cookies of ours that a browser holds for a host. The tenants of a host share what a browser sends to it, so that
/// together they have a bound.
struct HostCookies {
  /// How many cookies of ours a browser keeps. HTTP/2 counts each as a field, of which a request has 64.
  static let most = 24
  /// The greatest size of name and value of one of them. A longer one was not set here.
  static let longest = 160

  /// A cookie that a request brought.
  private struct Held {
    let name: String
    /// Bytes of name and value.
    let size: Int
    let rank: Rank
  }

  /// The order in which cookies go where there are too many: what a former server set, then what spares a question,
  /// then what binds a way to a provider, then what keeps a person signed in.
  private enum Rank: Int, Comparable {
    case former, question, browser, person

    static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
  }

  /// Older ones first: browsers send them in the order in which they came (RFC 6265 section 5.4).
  private let held: [Held]
  private let isSecure: Bool

  init(_ request: Request, isSecure: Bool) { self.init(request.headers, isSecure: isSecure) }

  init(_ headers: Headers, isSecure: Bool) {
    self.isSecure = isSecure
    var names: Set<String> = []
    held = headers.values(of: "cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].drop { $0 == " " || $0 == "\t" })
      guard let rank = Self.rank(name, isSecure: isSecure), names.insert(name).inserted else { return nil }
      return Held(name: name, size: pair.utf8.count, rank: rank)
    }
  }

  /// Nil for a cookie that is none of ours, and for the key of the flows, which has one name and a bound of its own.
  private static func rank(_ name: String, isSecure: Bool) -> Rank? {
    let prefix = SetCookie.name("", isSecure: isSecure)
    guard name.hasPrefix(prefix) else { return nil }
    let plain = name.dropFirst(prefix.count)
    if plain.hasPrefix("gh-") { return .person }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "gh" else { return nil }
    return switch parts[2] {
    case "device": .person
    case "offer": .question
    case "browser": .browser
    default: .former
    }
  }

  /// The cookies that an answer removes when it sets these: the first ones beyond the bound, of other tenants as well.
  func crowdedOut(by set: [SetCookie]) -> [SetCookie] {
    let names = Set(set.map(\.name))
    let others = held.filter { !names.contains($0.name) }
    let coming = set.count { $0.age != 0 && Self.rank($0.name, isSecure: isSecure) != nil }
    // GUARD: cookies: so many of ours for a host
    let excess = others.count + coming - Self.most
    guard excess > 0 else { return [] }
    return sorted(others).prefix(excess).map { removal($0.name) }
  }

  private func sorted(_ cookies: [Held]) -> [Held] {
    cookies.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  /// The cookies that the answer to a head that is too large removes, so that the next request of the browser is
  /// smaller: what former servers set, what is longer than ours are, and what is beyond the bound. `tenant` is the one
  /// of the path: its cookies may be in the part that was not read.
  func removals(_ tenant: TenantName?) -> [SetCookie] {
    let isSmall = { (cookie: Held) in cookie.rank != .former && cookie.size <= Self.longest }
    let small = held.filter(isSmall)
    let excess = sorted(small).prefix(max(0, small.count - Self.most))
    var names = held.filter { !isSmall($0) }.map(\.name) + excess.map(\.name)
    names.append(SetCookie.name(FlowKey.name, isSecure: isSecure))
    if let tenant {
      let name = SetCookie.name("gh.\(tenant).\(Self.former)", isSecure: isSecure)
      if !names.contains(name) { names.append(name) }
    }
    return names.map(removal)
  }

  /// The last part of the name under which each tenant had flows in a cookie, which browsers keep for a day.
  private static let former = "flow"

  private func removal(_ name: String) -> SetCookie {
    SetCookie(name: name, value: "", age: 0, isSecure: isSecure)
  }
}
