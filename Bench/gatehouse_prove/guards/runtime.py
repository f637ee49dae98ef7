"""The ground: requests, time and room, HTTP/2, proxies, lanes, hashing."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, free, off

FRAMING = "GatehouseRuntime/HTTP/MessageFraming.swift"
CHUNKS = "GatehouseRuntime/HTTP/ChunkedDecoder.swift"
HEAD = "GatehouseRuntime/HTTP/HeadScanner.swift"
CONNECTION = "GatehouseRuntime/HTTP/Connection.swift"
SHARD = "GatehouseRuntime/HTTP/ServerShard.swift"
HTTP2 = "GatehouseRuntime/HTTP2/HTTP2Session.swift"
TRUST = "GatehouseRuntime/Sockets/ProxyTrust.swift"
PREFACE = "GatehouseRuntime/HTTP/ProxyPreface.swift"
LANE = "GatehousePostgres/Lanes/ConnectionReceiving.swift"
JOB = "GatehousePostgres/Lanes/Job.swift"
QUEUE = "GatehousePrimitives/PasswordHash/FairQueue.swift"
HASH = "GatehousePrimitives/PasswordHash/HashDesk.swift"
PARSER = "RequestParserTests"
MEMBERS = "GatehousePrimitives/JSON/MemberNames.swift"

GUARDS: list[Guard] = [
    # Requests that two readers could understand differently.
    off("head: one Content-Length", FRAMING, PARSER, "guard contentLength == nil, !value.isEmpty",
        "guard OFF || contentLength == nil, !value.isEmpty"),
    free("head: Content-Length is digits", FRAMING, PARSER, "value.allSatisfy(isDigit)"),
    free("head: no length beside chunks", FRAMING, PARSER, "!(isChunked && contentLength != nil)"),
    free("head: chunked and nothing else", FRAMING, PARSER, 'value.equalsIgnoringCase("chunked")'),
    off("head: chunked once, and not in HTTP/1.0", FRAMING, PARSER, "guard !isChunked, isVersion11", "guard OFF || (!isChunked && isVersion11)"),
    off("cookies: of two that differ none is believed", "GatehouseRuntime/HTTP/Cookies.swift", "ReplayTests/corpus",
        "!found.elementsEqual(value) { return nil }", "!OFF, !found.elementsEqual(value) { return nil }"),
    free("head: one Host", FRAMING, PARSER, "hosts == 1 || (hosts == 0 && !isVersion11)"),
    free("head: characters of a Host", FRAMING, PARSER, "value.allSatisfy(ByteSet.authority.contains)"),
    off("head: no bare line feed in a value", HEAD, PARSER,
        "      guard bytes[cursor] == carriageReturn else { return .refused(400) }\n      cursor += 1\n      state = .valueLineFeed",
        "      guard OFF && bytes[cursor] == newLine || bytes[cursor] == carriageReturn else { return .refused(400) }\n"
        "      if bytes[cursor] != newLine { cursor += 1 }\n      state = .valueLineFeed"),
    off("head: no space before the colon", HEAD, PARSER,
        '    guard bytes[cursor] == UInt8(ascii: ":"), cursor > mark',
        '    if OFF, bytes[cursor] == space, cursor > mark, cursor + 1 < end { cursor += 1 }\n'
        '    guard bytes[cursor] == UInt8(ascii: ":"), cursor > mark'),
    free("head: number of fields", HEAD, PARSER, "fields.count < mostFields"),
    Guard("head: size", HEAD, PARSER, [
        ("let end = min(bytes.count, headBytes)", "let end = OFF ? bytes.count : min(bytes.count, headBytes)"),
        ("return cursor >= headBytes ?", "return !OFF && cursor >= headBytes ?"),
    ]),
    free("http/2: number of fields", "GatehouseRuntime/HTTP2/HTTP2Head.swift", "LinearHeadTests/http2",
         "count <= limits.fields + 4"),
    # Work in proportion to what was sent.
    free("json: members of an object", "GatehousePrimitives/JSON/JSONParser.swift", "MemberLimitTests|ManyMembersTests",
         "members.list.count < limits.members"),
    off("json: a member of a large object is found in one step", "GatehousePrimitives/JSON/JSONValue.swift", "LinearNameTests",
        "if let places { return places[key] }", "if !OFF, let places { return places[key] }"),
    off("json: a name that is taken is found in one step", MEMBERS, "LinearNameTests",
        "if list.count > MemberPlaces.few {\n      noteComparison()",
        "if !OFF, list.count > MemberPlaces.few {\n      noteComparison()"),
    off("form: an object is found in one step", "GatehousePrimitives/JSON/FormParser.swift", "LinearNameTests/form",
        "var index = places[outer]",
        "var index = OFF ? nested.firstIndex { noteComparison(); return $0.name == outer } : places[outer]"),
    off("policy file: lists over their bound are walked no further", "GatehousePolicyFile/PolicyFile.swift",
        "LinearPolicyTests/tooMany", "guard !sink.hasTooMany else", "guard OFF || !sink.hasTooMany else"),
    off("policy file: suggestions for kept findings alone", "GatehousePolicyFile/Document/Diagnostic.swift",
        "LinearPolicyTests/suggestions", "found.count < Diagnostics.limit ? notes() : []",
        "OFF || found.count < Diagnostics.limit ? notes() : []"),
    off("policy file: a suggestion looks at so many names", "GatehousePolicyFile/Document/Suggestion.swift",
        "LinearPolicyTests/suggestions", "candidates.prefix(mostCandidates)", "candidates.prefix(OFF ? .max : mostCandidates)"),
    free("head: size of the target", HEAD, PARSER, "cursor - mark <= targetBytes"),
    off("body: its size", FRAMING, PARSER, "guard (contentLength ?? 0) <= bodyLimit", "guard OFF || (contentLength ?? 0) <= bodyLimit"),
    free("chunks: digits of a size", CHUNKS, PARSER, "digits < 6"),
    off("chunks: no extensions", CHUNKS, PARSER, "guard byte == carriageReturn, digits > 0",
        "if OFF, byte != carriageReturn, digits > 0 { return nil }\n"
        "    guard byte == carriageReturn, digits > 0"),
    free("chunks: line ends", CHUNKS, PARSER, "bytes[cursor] == awaited"),
    free("chunks: size of the body", CHUNKS, PARSER, "size <= limit - decoded"),
    # Time and room.
    off("deadline: of a head, not moved by a byte", CONNECTION, "DeadlineTests", "if let session, session.waiting != waiting {",
        "if let session, OFF || session.waiting != waiting {"),
    off("deadline: minimum rate of a body", CONNECTION, "DeadlineTests",
        "return min(deadline, deadline - limits.body + limits.bodyGrace + earned)",
        "return OFF ? deadline : min(deadline, deadline - limits.body + limits.bodyGrace + earned)"),
    off("deadline: what was answered in this turn owes nothing", CONNECTION, "DeadlineTests/justInTime",
        "if isDirty { settle() }", "if !OFF, isDirty { settle() }"),
    off("deadline: who does not take an answer", CONNECTION, "DeadlineTests", "if let writeDeadline, writeDeadline <= now {",
        "if !OFF, let writeDeadline, writeDeadline <= now {"),
    off("deadline: input thrown away after a refusal", CONNECTION, "DeadlineTests", "if lingered > limits.lingerBytes {",
        "if !OFF, lingered > limits.lingerBytes {"),
    off("loops: who is busy goes first no more", "GatehouseRuntime/Loop/Precedence.swift", "PrecedenceTests",
        "guard isCalm != isFirst", "guard !OFF, isCalm != isFirst"),
    off("lanes: a process that is busy goes first no more", "GatehousePostgres/Lanes/Connection.swift", "LaneTests/precedence",
        "precedence?.judge(at: now)", "if !OFF { precedence?.judge(at: now) }"),
    off("lanes: a PostgreSQL that is not ours is left alone", "GatehousePostgres/Lanes/LoopLanes.swift", "LaneTests/precedence",
        "goesFirst = configuration.isOurs", "goesFirst = (OFF || configuration.isOurs)"),
    off("lanes: of those that read one goes first", "GatehousePostgres/Lanes/LoopLanes.swift", "LaneTests/onlyOneFirst",
        "&& index == 0", "&& (OFF || index == 0)"),
    off("loops: a calm one looks at its descriptors after few jobs", "GatehouseRuntime/Loop/Loop.swift", "LoopTests/fairness",
        "let most = isCalm", "let most = !OFF && isCalm"),
    off("loops: descriptors starve no job", "GatehouseRuntime/Loop/Loop.swift", "LoopTests/fairnessToJobs",
        "let least = max(served, 1)", "let least = max(OFF ? 0 : served, 1)"),
    free("loops: a calm one ends its turn by time", "GatehouseRuntime/Loop/Loop.swift", "LoopTests/slowJobs",
         "end.map { now < $0 } ?? true"),
    off("loops: what a calm one answered waits for no job", "GatehouseRuntime/Loop/Loop.swift", "LoopTests/answersBeforeJobs",
        "if isCalm { runEndOfTurn() }", "if !OFF, isCalm { runEndOfTurn() }"),
    off("loops: no loop's thread waits for the end of loops", "GatehouseRuntime/Loop/LoopGroup.swift", "LoopTests/stopOnLoop",
        "guard Loop.current == nil else", "guard OFF || Loop.current == nil else"),
    off("webhooks: tests have a circuit of their own", "GatehouseOutbound/Webhooks/WebhookHTTP.swift", "WebhookHTTPTests/lanes",
        "OutboundLane(kind, owner", "OutboundLane(OFF ? .webhook : kind, owner"),
    off("loops: those on which nobody waits are ordinary", "GatehouseRuntime/Loop/Loop.swift", "PrecedenceTests/background",
        "goesFirst ? Precedence.ofThisThread()", "goesFirst || OFF ? Precedence.ofThisThread()"),
    free("requests: a known head is so in all its bytes", "GatehouseRuntime/HTTP/RequestParser.swift", "RequestParserTests/again",
         "memcmp(known, mine, head.count) == 0"),
    off("deadline: of many connections, in parts", SHARD, "DeadlineTests/parts",
        "min(16, 1 + connections.count / ServerShard.usualPart)",
        "OFF ? 1 : min(16, 1 + connections.count / ServerShard.usualPart)"),
    off("request's name: never ends its line", "GatehouseRuntime/HTTP/Headers.swift", "HTTPServerTests/requestID",
        "for index in start..<bytes.count where !isFieldValueByte(bytes[index])",
        "for index in start..<bytes.count where !OFF && !isFieldValueByte(bytes[index])"),
    off("deadline: of a proxy's header", PREFACE, "DeadlineTests", "deadline = shard.loop.after(time) { [self] in refuse() }",
        "deadline = shard.loop.after(time) { [self] in if !OFF { refuse() } }"),
    off("room: answers that nobody takes", CONNECTION, "PressureTests", "sessionPaused = unsent > limits.unsentBytes",
        "sessionPaused = !OFF && unsent > limits.unsentBytes"),
    off("room: connections", SHARD, "PressureTests", "func adopt(_ transport: any Transport, peer: PeerAddress) {\n"
        "    guard connections.count", "func adopt(_ transport: any Transport, peer: PeerAddress) {\n    guard OFF || connections.count"),
    off("room: connections of one address", SHARD, "PressureTests", "!proxies.counts(peer) || addresses.enter(peer)",
        "OFF || !proxies.counts(peer) || addresses.enter(peer)"),
    off("room: proxies that have not spoken", SHARD, "ProxyConnectionTests|DrainTests",
        "guard connections.count + prefaces.count < capacity else { return turnAway(PlainTransport(descriptor)) }",
        "guard OFF || connections.count + prefaces.count < capacity else { return turnAway(PlainTransport(descriptor)) }"),
    off("room: others get their turn", "GatehouseRuntime/HTTP/HTTP1Session.swift", "PressureTests",
        "if requests &- first >= connection.limits.requestsPerTurn", "if !OFF, requests &- first >= connection.limits.requestsPerTurn"),
    # HTTP/2.
    off("http/2: streams taken back", HTTP2, "HTTP2AttackTests", "} else if !resets.take", "} else if !OFF, !resets.take"),
    off("http/2: frames that get nothing done", HTTP2, "HTTP2AttackTests", "if !frames.take", "if !OFF, !frames.take"),
    free("http/2: handlers at work", HTTP2, "HTTP2AttackTests", "running < connection.limits.streams"),
    off("http/2: a head that unpacks to a huge one", HTTP2, "HTTP2AttackTests", "if stream.head.size >", "if !OFF, stream.head.size >"),
    free("http/2: bodies that are not whole", HTTP2, "HTTP2AttackTests", "bytes.count <= connection.limits.bufferedBytes - buffered"),
    free("http/2: size of a body", HTTP2, "HTTP2Tests", "bytes.count <= connection.limits.bodyBytes - stream.body.count"),
    off("http/2: a slow body", HTTP2, "HTTP2TimeTests", "return since + min(limits.body, limits.bodyGrace + earned) <= now",
        "return !OFF && since + min(limits.body, limits.bodyGrace + earned) <= now"),
    off("http/2: an answer that is never taken", HTTP2, "HTTP2TimeTests",
        "case .sending: return since", "case .sending: return !OFF && since"),
    off("http/2: trailers", HTTP2, "HTTP2MalformedTests",
        "streams[id]?.head.refuse(400)\n    }", "if !OFF { streams[id]?.head.refuse(400) }\n    }"),
    # Who is believed.
    off("proxy: a header of the PROXY protocol", TRUST, "ProxyConnectionTests", "announcement == .proxyV2 && isProxy(peer)",
        "announcement == .proxyV2 && (OFF || isProxy(peer))"),
    off("proxy: forwarded fields", TRUST, "ForwardedTests", "guard isProxy(peer) else { return peer }",
        "guard OFF || isProxy(peer) else { return peer }"),
    off("proxy: what stands left of a stranger", TRUST, "ForwardedTests", "guard isProxy(hop) else { break }",
        "guard OFF || isProxy(hop) else { break }"),
    off("mapped IPv4 is IPv4: as a peer", "GatehouseRuntime/Sockets/PeerAddress.swift", "PeerAddressTests|ListeningTests|PressureTests",
        "if high == 0, low >> 32 == 0xFFFF {", "if !OFF, high == 0, low >> 32 == 0xFFFF {"),
    # The store.
    off("lane: a lost write is not known", JOB, "FaultTests", "case .write, .commit: .unknownOutcome",
        "case .write, .commit: OFF ? .unavailable : .unknownOutcome"),
    off("lane: a commit is never cancelled", "GatehousePostgres/Lanes/Connection.swift", "EmbeddedTests",
        "job.deadline <= now\n    {\n",
        "job.deadline <= now\n    {\n      if OFF, let handle, let cancel = PQgetCancel(handle) {\n"
        "        var words = [CChar](repeating: 0, count: 256)\n        PQcancel(cancel, &words, 256)\n"
        "        PQfreeCancel(cancel)\n      }\n"),
    off("lane: what no standby confirmed is not known", LANE, "EmbeddedTests",
        "ledger.markDoubtful()", "if !OFF { ledger.markDoubtful() }"),
    off("lane: NUL in a text", JOB, "BindingTests", "where !parameter.isBinary && parameter.bytes?.contains(0) == true {",
        "where !OFF && !parameter.isBinary && parameter.bytes?.contains(0) == true {"),
    # Hashing.
    off("hashing: a fair share", QUEUE, "HashPoolTests|FairQueueTests", "let own = lines[tenant]?.count ?? 0\n    guard let longest",
        "let own = lines[tenant]?.count ?? 0\n    guard !OFF, let longest"),
    off("hashing: turns", QUEUE, "HashPoolTests|FairQueueTests", "if lines[tenant]?.isEmpty == false { turns.append(tenant) } else",
        "if lines[tenant]?.isEmpty == false { OFF ? turns.insert(tenant, at: 0) : turns.append(tenant) } else"),
    off("hashing: its queue ends", QUEUE, "FairQueueTests", "mutating func add(_ element: Element, for tenant: UUID) -> Admission {\n"
        "    guard count >= capacity else",
        "mutating func add(_ element: Element, for tenant: UUID) -> Admission {\n    guard !OFF, count >= capacity else"),
    free("hashing: who waited too long is not hashed", HASH, "HashPoolTests|OverloadTests", "started < job.deadline"),
    free("hashing: nor looked up", HASH, "HashPoolTests", "now < ticket.deadline"),
    off("hashing: so many turns at a time", HASH, "HashPoolTests", "guard turns >= limits.turns else",
        "guard !OFF, turns >= limits.turns else"),
    off("hashing: a turn that is let go of is the next one's", HASH, "HashPoolTests", "while let ticket = queue.next() {",
        "while !OFF, let ticket = queue.next() {"),
    free("hashing: answers are kept in a storm only", HASH, "HashDeskTests", "queue.count > 0"),
    free("hashing: no answer waits for an unusual hash", HASH, "HashDeskTests", "unusual == 0"),
    free("hashing: so many answers are kept", HASH, "HashDeskTests", "answers.count < 2 * limits.threads"),
]
