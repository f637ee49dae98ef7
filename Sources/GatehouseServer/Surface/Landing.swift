import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// Paths at which nothing is, for people: a browser says by its Accept field (RFC 9110 section 12.5.1) that it shows
/// HTML. Programs get the problem document.
extension Exchange {
  /// The answer to a refusal at a path that no entry has, or at one of the API.
  mutating func refusal(by error: any Error) -> Answer {
    guard isForPerson,
      record.route == RequestRecord.noRoute  // GUARD: landing: an operation of the API answers JSON
    else { return .problem(refused(by: error), self) }
    if Refusal(of: error).code == .notFound, let way = wayToPages { return .redirect(to: way) }
    return refusedPage(by: error)
  }

  /// Whether a browser opens the address for a person.
  private var isForPerson: Bool {
    guard request.method == .get || request.method == .head else { return false }
    return request.headers.values(of: "accept").joined(separator: ",").lowercased().split(separator: ",").contains {
      $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != ";" && $0 != " " } == "text/html"
    }
  }

  /// The relative way to the pages from the address of a tenant, or from the root of its own host.
  private var wayToPages: String? {
    guard tenant != nil, let parts = PathTemplate.segments(of: request.path) else { return nil }
    let isShared = parts.first?.elementsEqual("t".utf8) == true
    switch parts.count {
    case 1 where !isShared && parts[0].isEmpty: return "ui/"
    case 2 where isShared: return String(decoding: parts[1], as: UTF8.self) + "/ui/"
    case 3 where isShared && parts[2].isEmpty: return "ui/"
    default: return nil
    }
  }

  /// The relative way from an address with a slash at its end to the same one without, where `isThere` says that there
  /// is something; nil for every other address.
  func wayWithoutSlash(_ isThere: (PathSegments) -> Bool) -> String? {
    guard request.method == .get || request.method == .head, tenant != nil,
      var parts = PathTemplate.segments(of: request.path), parts.popLast()?.isEmpty == true, let last = parts.last
    else { return nil }
    // GUARD: landing: a slash leads to a page that is there
    guard isThere(parts.first?.elementsEqual("t".utf8) == true ? Array(parts.dropFirst(2)) : parts) else { return nil }
    return "../" + String(decoding: last, as: UTF8.self) + (request.query.map { "?" + $0 } ?? "")
  }
}
