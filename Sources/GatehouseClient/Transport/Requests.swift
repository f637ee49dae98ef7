import Foundation
import GatehouseWire

/// One call of the contract on its way: what it takes, and how it may be repeated.
struct Call<E: Endpoint>: Sendable {
  var input: E.Input
  /// Sent in `Authorization`.
  var token: String?
  /// Sent in `Idempotency-Key`: the server then does it once, however often it is asked.
  var key: String?
  /// Whether a call whose answer was lost is sent again.
  var mayRepeat: Bool
  /// At a door that may demand an attested app.
  var attest: AttestEffort?

  init(_ endpoint: E.Type, _ input: E.Input, token: String? = nil, key: String? = nil, mayRepeat: Bool? = nil) {
    self.input = input
    self.token = token
    self.key = key
    self.mayRepeat = mayRepeat ?? (key != nil || E.method == .get || E.method == .delete)
  }
}

/// Sends calls of the contract, and reads their answers. Anything but an answer of ours is `network`.
struct Requests: Sendable {
  let configuration: AuthConfiguration

  /// The time of a call, with all its repetitions.
  static let deadline = Duration.seconds(30)
  /// Longer waits than that are the person's decision.
  private static let longestWait = 5
  /// Pauses before a call is sent again.
  private static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]

  /// The answer's content. The call has until then, on the continuous clock; half a minute from now where nothing is
  /// said.
  func send<E: Endpoint>(_ call: Call<E>, until end: Duration? = nil) async throws(AuthError)
    -> Answer<E.Output>
  {
    let request = try request(call)
    let until = end ?? configuration.clock.uptime + Self.deadline
    var pauses = Self.pauses[...]
    var attest = call.attest
    while true {
      do throws(AuthError) {
        return try await attempt(request, E.self, &attest, until)
      } catch {
        guard let pause = pause(after: error, call, &pauses, &attest), configuration.clock.uptime + pause < until else {
          throw error
        }
        try await wait(pause)
      }
    }
  }

  /// The time to wait before the call is sent again; nil where it is not.
  private func pause<E: Endpoint>(
    after error: AuthError, _ call: Call<E>, _ pauses: inout ArraySlice<Duration>, _ attest: inout AttestEffort?
  ) -> Duration? {
    let asked = error.retryAfter.map { max($0, .milliseconds(100)) }
    switch error.code.retry.again {
    case .never: return nil
    case .ifSafe: return call.mayRepeat ? pauses.popFirst() : nil
    case .whenTold:
      guard let asked, asked <= .seconds(Self.longestWait), pauses.popFirst() != nil else { return nil }
      return asked
    // The server lets go of a request that it lost after a while, and does the next one under its key.
    case .underKey: return call.key == nil ? nil : asked
    case .attested: return attest?.repeats(after: error.code) == true ? .zero : nil
    }
  }

  /// One try: with an assertion of its own where the door demands one.
  private func attempt<E: Endpoint>(
    _ request: HTTPCall, _ endpoint: E.Type, _ attest: inout AttestEffort?, _ until: Duration
  ) async throws(AuthError) -> Answer<E.Output> {
    guard var effort = attest, effort.isDemanded, effort.desk.isSupported else {
      return try await once(request, E.self, until)
    }
    defer { attest = effort }
    return try await effort.desk.send(request, as: request.operation(E.path), &effort, until: until) {
      request async throws(AuthError) in
      try await once(request, E.self, until)
    }
  }

  private func wait(_ pause: Duration) async throws(AuthError) {
    do { try await configuration.clock.sleep(for: pause) } catch { throw .cancelled }
  }

  private func once<E: Endpoint>(_ request: HTTPCall, _ endpoint: E.Type, _ until: Duration) async throws(AuthError)
    -> Answer<E.Output>
  {
    let sentAt = configuration.clock.uptime
    let answer = try await exchange(request, "\(E.method.rawValue) \(E.path)", until)
    guard let content = try content(answer, E.Output.self) else { throw problem(answer) }
    return Answer(content: content, sentAt: sentAt, date: answer.date)
  }

  /// The raw answer of any status.
  func exchange(_ request: HTTPCall, _ name: String, _ until: Duration) async throws(AuthError) -> HTTPAnswer {
    let rest = until - configuration.clock.uptime
    // A process that was suspended on its way here sends nothing that it decided on before.
    // GUARD: client: nothing is sent after its deadline
    guard rest > .zero else {
      configuration.log(AuthLogEntry(event: name, outcome: "network late"))
      throw own(.network)
    }
    do {
      let answer = try await configuration.transport.send(request, deadline: rest)
      configuration.log(
        AuthLogEntry(event: name, outcome: "\(answer.status)", requestID: answer.headers["x-request-id"]))
      return answer
    } catch is CancellationError {
      throw .cancelled
    } catch {
      configuration.log(
        AuthLogEntry(event: name, outcome: "network \((error as? TransportError)?.reason ?? "other")"))
      throw own(.network)
    }
  }

  /// Nil for a refusal. Throws `network` for what is no answer of ours, such as the page of a captive portal.
  private func content<Output: Decodable>(_ answer: HTTPAnswer, _ type: Output.Type) throws(AuthError) -> Output? {
    // The server names each request that it answers; an empty answer without a name is that of a captive portal.
    if answer.status == 204 {
      // GUARD: client: an empty answer is the server's
      guard answer.headers["x-request-id"] != nil else { throw own(.network) }
      // Where this version has members, an earlier server had none.
      do { return try ContractJSON.decode(type, from: Data("{}".utf8)) } catch { throw own(.unknown) }
    }
    guard answer.isJSON else { throw own(.network) }
    guard (200..<300).contains(answer.status) else { return nil }
    do { return try ContractJSON.decode(type, from: answer.body) } catch { throw own(unreadable(answer)) }
  }

  /// The refusal that an answer is.
  func problem(_ answer: HTTPAnswer) -> AuthError {
    guard answer.headers["content-type"]?.hasPrefix("application/problem+json") == true,
      let problem = try? ContractJSON.decode(ProblemAnswer.self, from: answer.body)
    else { return own(answer.isJSON ? unreadable(answer) : .network) }
    return problem.error(configuration, answer)
  }

  /// The error for content that breaks the contract: JSON that was cut off counts as no answer of a server.
  private func unreadable(_ answer: HTTPAnswer) -> AuthError.Code {
    (try? JSONSerialization.jsonObject(with: answer.body)) == nil ? .network : .unknown
  }

  /// An error of the client's own.
  func own(_ code: AuthError.Code) -> AuthError {
    AuthError(
      code, message: configuration.sentences[code] ?? Sentences.text(code, languages: configuration.languages))
  }

  /// An error of a provider's own SDK.
  func own(_ code: AuthError.Code, of provider: String) -> AuthError {
    let sentence = Sentences.text(code, naming: provider, languages: configuration.languages)
    return AuthError(code, message: configuration.sentences[code] ?? sentence, provider: provider)
  }
}

/// An answer's content, and when it was asked for.
struct Answer<Content: Sendable>: Sendable {
  var content: Content
  /// On the continuous clock: times that the answer gives count from here at the earliest.
  var sentAt: Duration
  /// The server's clock, where it said.
  var date: Date?
}

extension HTTPAnswer {
  /// Whether the content is JSON, as every content of ours is.
  var isJSON: Bool {
    let type = headers["content-type"]?.lowercased() ?? ""
    return type.hasPrefix("application/json") || type.hasPrefix("application/problem+json")
  }

  /// The `Date` field (RFC 9110, section 5.6.7).
  var date: Date? {
    guard let text = headers["date"] else { return nil }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
