import Foundation
import GatehouseWire

extension Requests {
  /// The HTTP request of a call: members that the path names go there, of GET the others into the query, and of every
  /// other method into the body.
  func request<E: Endpoint>(_ call: Call<E>) throws(AuthError) -> HTTPCall {
    do {
      let body = try ContractJSON.encode(call.input)
      var members = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
      let path = try path(E.path, &members)
      var address = configuration.base + path
      var headers = headers(call.token, call.key)
      var content: Data?
      if E.method == .get {
        let query = members.sorted { $0.key < $1.key }.map { name, value in
          "\(QueryWords.escaped(name))=\(QueryWords.escaped("\(value)"))"
        }
        if !query.isEmpty { address += "?" + query.joined(separator: "&") }
      } else if !(members.isEmpty && E.method == .delete) {
        headers["Content-Type"] = "application/json"
        content = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
      }
      guard let url = URL(string: address) else { throw own(.unknown) }
      return HTTPCall(url: url, method: E.method.rawValue, headers: headers, body: content)
    } catch let error as AuthError {
      throw error
    } catch {
      throw own(.unknown)
    }
  }

  func headers(_ token: String?, _ key: String?) -> [String: String] {
    var headers = ["Accept": "application/json", "Accept-Language": languages]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    if let key { headers["Idempotency-Key"] = key }
    return headers
  }

  /// The person's languages in order.
  private var languages: String {
    let wanted = QueryWords.languages(configuration.languages)
    return wanted.isEmpty ? "en" : wanted.enumerated().map { "\($1);q=\(Double(10 - $0) / 10)" }.joined(separator: ", ")
  }

  /// Throws `notFound` for a name that would lead elsewhere: an empty one, and those that mean a folder (RFC 3986,
  /// section 5.2.4).
  private func path(_ template: String, _ members: inout [String: Any]) throws(AuthError) -> String {
    var segments: [String] = []
    for segment in template.split(separator: "/", omittingEmptySubsequences: false) {
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
        segments.append(String(segment))
        continue
      }
      let name = members.removeValue(forKey: String(segment.dropFirst().dropLast())) as? String ?? ""
      // GUARD: client: a name is no way to another path
      guard !["", ".", ".."].contains(name) else { throw own(.notFound) }
      segments.append(QueryWords.escaped(name))
    }
    return segments.joined(separator: "/")
  }
}
