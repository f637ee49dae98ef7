import Foundation
import GatehouseClient
import GatehouseWire

/// A request as the handlers see it.
struct FakeArrival {
  var now: Date
  var token: String?
  var key: String?
  var languages: [String]
  var headers: [String: String]
}

/// An answer before it has a date.
struct FakeReply: Sendable {
  var status: Int
  var body = Data()
  var type = "application/json"
  var headers: [String: String] = [:]
}

/// A row of the routes: what a request is decoded to, and who answers it.
struct FakeRoute: Sendable {
  let method: String
  let template: [Substring]
  let run: @Sendable (inout FakeWorld, Data, FakeArrival) throws -> FakeReply
  /// Whether `Idempotency-Key` is kept with the answer.
  var isKeyed = false

  init<E: Endpoint>(
    _ endpoint: E.Type, isKeyed: Bool = false,
    _ body: @escaping @Sendable (inout FakeWorld, E.Input, FakeArrival) throws -> E.Output
  ) {
    method = E.method.rawValue
    template = E.path.split(separator: "/")
    self.isKeyed = isKeyed
    run = { world, content, arrival in
      let input = try Self.decode(E.Input.self, from: content)
      let output = try body(&world, input, arrival)
      guard E.hasBody else { return FakeReply(status: 204) }
      return FakeReply(status: E.status(of: output), body: try world.encode(output))
    }
  }

  /// Decodes, and refuses members that the contract does not have.
  private static func decode<Input: Codable>(_ type: Input.Type, from content: Data) throws -> Input {
    guard let input = try? ContractJSON.decode(type, from: content),
      let given = try? JSONSerialization.jsonObject(with: content) as? [String: Any],
      let known = try? JSONSerialization.jsonObject(with: try ContractJSON.encode(input)) as? [String: Any],
      given.allSatisfy({ $0.value is NSNull || known[$0.key] != nil })
    else { throw FakeProblem("malformed_request") }
    return input
  }

  /// The members that the path gives; nil where it is another route's.
  func match(_ segments: [Substring]) -> [String: String]? {
    guard segments.count == template.count else { return nil }
    var members: [String: String] = [:]
    for (segment, name) in zip(segments, template) {
      if name.hasPrefix("{") {
        members[String(name.dropFirst().dropLast())] = segment.removingPercentEncoding ?? String(segment)
      } else if name != segment {
        return nil
      }
    }
    return members
  }
}

extension FakeWorld {
  /// Answers a request, and remembers that it came.
  mutating func serve(_ call: HTTPCall, at now: Date) -> HTTPAnswer {
    let headers = Dictionary(
      call.headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    self.now = now
    let languages = headers["accept-language"]?.split(separator: ",").map { String($0.prefix(2)) } ?? []
    let token = headers["authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
    let arrival = FakeArrival(
      now: now, token: token, key: headers["idempotency-key"], languages: languages, headers: headers)
    let path = pathBelowTenant(call.url)
    var members: Set<String> = []
    let answer: HTTPAnswer
    do {
      let reply = try route(call, path, arrival, &members)
      answer = self.answer(reply, at: now)
    } catch {
      answer = self.answer(error as? FakeProblem ?? FakeProblem("internal"), at: now, languages: languages)
    }
    let route = "\(call.method) /\(path.joined(separator: "/"))"
    requests = (requests + [FakeRequest(route: route, key: arrival.key, members: members, status: answer.status)])
      .suffix(10_000)
    return answer
  }

  /// The path's segments behind `/t/{tenant}`, still percent-encoded.
  private func pathBelowTenant(_ url: URL) -> [Substring] {
    let path = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? url.path
    let segments = path.split(separator: "/")
    return Array(segments[(segments.firstIndex(of: "v1") ?? 0)...].map { Substring($0) })
  }

  private mutating func route(
    _ call: HTTPCall, _ path: [Substring], _ arrival: FakeArrival, _ names: inout Set<String>
  ) throws -> FakeReply {
    if path == ["v1", "policy"], call.method == "GET" { return try policy(arrival) }
    if path == ["v1", "me", "export"], call.method == "GET" { return try export(arrival) }
    for route in Self.routes where route.method == call.method {
      guard var members = route.match(path) else { continue }
      try demandAttestation(call, path, route, arrival)
      for item in URLComponents(url: call.url, resolvingAgainstBaseURL: false)?.queryItems ?? [] {
        members[item.name] = item.value
      }
      let content = try content(call, members, &names)
      guard route.isKeyed, let key = arrival.key else {
        if case .killed = work { throw FakeProblem("internal") }
        return try route.run(&self, content, arrival)
      }
      return try once("\(path.joined(separator: "/")) \(key)", content, arrival.now) { world in
        try route.run(&world, content, arrival)
      }
    }
    throw FakeProblem("not_found")
  }

  /// Body, path and query as one object.
  private func content(_ call: HTTPCall, _ members: [String: String], _ names: inout Set<String>) throws -> Data {
    var object: [String: Any] = [:]
    if let body = call.body {
      guard let given = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
        throw FakeProblem("malformed_request")
      }
      object = given
    }
    names = Set(object.keys)
    object.merge(members) { _, own in own }
    return try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
  }

  /// A keyed request is done once; another request under its key is refused, and so is the same one while the first is
  /// under way. Refusals are not kept.
  private mutating func once(
    _ name: String, _ content: Data, _ now: Date, _ perform: (inout Self) throws -> FakeReply
  ) throws -> FakeReply {
    if let until = busy[name], now < until { throw FakeProblem("conflict", retryAfter: 1) }
    if let kept = kept[name] {
      guard kept.body == content else { throw FakeProblem("idempotency_conflict") }
      return kept.answer
    }
    switch work {
    case nil: break
    case .killed:
      busy[name] = now.addingTimeInterval(FakeWork.lease)
      throw FakeProblem("internal")
    case .lasting(let time): busy[name] = now.addingTimeInterval(time / .seconds(1))
    }
    let answer = try perform(&self)
    kept[name] = (content, answer)
    return answer
  }

  /// JSON, with the members of a later version.
  func encode(_ output: some Encodable) throws -> Data {
    let body = try ContractJSON.encode(output)
    guard !settings.laterMembers.isEmpty else { return body }
    return try JSONSerialization.data(withJSONObject: later(try JSONSerialization.jsonObject(with: body)))
  }

  private func later(_ value: Any) -> Any {
    if let items = value as? [Any] { return items.map(later) }
    guard let object = value as? [String: Any] else { return value }
    return object.mapValues(later).merging(settings.laterMembers) { own, _ in own }
  }

  private mutating func answer(_ reply: FakeReply, at now: Date) -> HTTPAnswer {
    var headers = reply.headers
    if !reply.body.isEmpty { headers["content-type"] = reply.type }
    headers["x-request-id"] = "request-\(number())"
    if let error = settings.dateError { headers["date"] = Self.date(now.addingTimeInterval(error)) }
    return HTTPAnswer(status: reply.status, headers: headers, body: reply.body)
  }

  /// A refusal as an answer.
  mutating func answer(_ problem: FakeProblem, at now: Date, languages: [String]) -> HTTPAnswer {
    var reply = problem.reply(languages, policy)
    if !settings.laterMembers.isEmpty, let body = try? JSONSerialization.jsonObject(with: reply.body),
      let data = try? JSONSerialization.data(withJSONObject: later(body))
    {
      reply.body = data
    }
    return answer(reply, at: now)
  }

  /// The form of `Date` (RFC 9110, section 5.6.7).
  private static func date(_ moment: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: moment)
  }
}
