package import Foundation
package import GatehousePrimitives
import GatehouseWire

/// An exported audit log: one JSON object a line. The first names the tenant and the key that signs heads; then come
/// the links with their rows; the last line holds the signed head, or the extract of a copy that was made for a cut.
/// Any reader can check it without the database.
package enum AuditFile {
  package static let kind = "gatehouse.audit"

  /// The first line.
  package struct Opening: Sendable {
    package var tenantName: String
    package var tenant: UUID
    package var key: P256PublicKey
    /// The export begins behind this link, whose hash is `previous`.
    package var after: Int64
    package var previous: [UInt8]
    /// The signed cut that says why nothing is before it.
    package var cut: String?

    package init(
      tenantName: String, tenant: UUID, key: P256PublicKey, after: Int64, previous: [UInt8], cut: String? = nil
    ) {
      self.cut = cut
      self.tenantName = tenantName
      self.tenant = tenant
      self.key = key
      self.after = after
      self.previous = previous
    }

    /// The key's thumbprint (RFC 7638), which a reader compares with an operator's record of it.
    package var fingerprint: String { PublicJWK.thumbprint(key) }
  }

  package static func line(_ opening: Opening) -> [UInt8] {
    var object: JSONObject = [
      "kind": .string(kind), "version": .integer(1), "tenant": .string(opening.tenantName),
      "tenant_id": .string(opening.tenant.text), "after": .integer(opening.after),
      "previous": .string(Base64URL.encode(opening.previous)),
      "key": .object([
        "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64URL.encode(opening.key.x)),
        "y": .string(Base64URL.encode(opening.key.y)), "kid": .string(opening.fingerprint),
      ]),
    ]
    if let cut = opening.cut { object["cut"] = .string(cut) }
    return JSONValue.object(object).bytes
  }

  package static func line(_ link: AuditLink, _ row: TrailRow) -> [UInt8] {
    let details = (try? JSONParser.parse(row.erasable.details, limits: .stored)) ?? .null
    let object: JSONObject = [
      "seq": .integer(link.seq), "id": .string(row.id.text), "at": .string(Microseconds.text(row.at)),
      "event": .string(row.event), "outcome": AuditEvent(rawValue: row.event).map { .string($0.outcome) } ?? .null,
      "actor": .string(row.actor), "account": text(row.user?.text), "session": text(row.session?.text),
      "revision": row.revision.map { .integer(Int64($0)) } ?? .null, "request_id": text(row.erasable.requestID),
      "address": text(row.erasable.address), "details": details, "sealed_at": .string(Microseconds.text(link.sealedAt)),
      "salt": text(link.salt.map(Base64URL.encode)), "commitment": .string(Base64URL.encode(link.commitment)),
      "hash": .string(Base64URL.encode(link.hash)),
    ]
    return JSONValue.object(object).bytes
  }

  package static func line(head token: String) -> [UInt8] { JSONValue.object(["head": .string(token)]).bytes }

  package static func line(extract token: String) -> [UInt8] {
    JSONValue.object(["extract": .string(token)]).bytes
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

  /// One line as it was read.
  package enum Line: Sendable {
    case opening(Opening)
    case row(LinkedRow)
    case head(String)
    case extract(String)
  }

  /// The content of a line; nil for a line of anything else.
  package static func read(_ line: [UInt8]) -> Line? {
    guard let value = try? JSONParser.parse(line, limits: .stored) else { return nil }
    if let token = value["head"]?.string { return .head(token) }
    if let token = value["extract"]?.string { return .extract(token) }
    if value["kind"] != nil { return opening(value).map { .opening($0) } }
    return row(value).map { .row($0) }
  }

  private static func opening(_ value: JSONValue) -> Opening? {
    guard value["kind"]?.string == kind, value["version"]?.integer == 1, let name = value["tenant"]?.string,
      let tenant = value["tenant_id"]?.string.flatMap(UUID.init(text:)), let after = value["after"]?.integer,
      after >= 0, let previous = bytes(value["previous"], 32), let x = bytes(value["key"]?["x"], 32),
      let y = bytes(value["key"]?["y"], 32), let key = try? P256PublicKey(x: x, y: y),
      value["key"]?["kty"]?.string == "EC", value["key"]?["crv"]?.string == "P-256",
      value["key"]?["kid"]?.string?.utf8.elementsEqual(PublicJWK.thumbprint(key).utf8) == true
    else { return nil }
    return Opening(
      tenantName: name, tenant: tenant, key: key, after: after, previous: previous, cut: value["cut"]?.string)
  }

  private static func row(_ value: JSONValue) -> LinkedRow? {
    guard let seq = value["seq"]?.integer, let id = value["id"]?.string.flatMap(UUID.init(text:)),
      let at = value["at"]?.string.flatMap(Microseconds.read), let event = value["event"]?.string,
      let actor = value["actor"]?.string, let details = value["details"],
      let sealedAt = value["sealed_at"]?.string.flatMap(Microseconds.read),
      let commitment = bytes(value["commitment"], 32), let hash = bytes(value["hash"], 32)
    else { return nil }
    let row = TrailRow(
      id: id, at: at, event: event, actor: actor, user: value["account"]?.string.flatMap(UUID.init(text:)),
      session: value["session"]?.string.flatMap(UUID.init(text:)),
      revision: value["revision"]?.integer.map { Int32(clamping: $0) },
      erasable: TrailRow.Erasable(
        requestID: value["request_id"]?.string, address: value["address"]?.string,
        details: details.canonical.bytes))
    let link = AuditLink(
      seq: seq, row: id, sealedAt: sealedAt, salt: bytes(value["salt"], 32), commitment: commitment, hash: hash)
    return LinkedRow(link: link, row: row)
  }

  private static func bytes(_ value: JSONValue?, _ count: Int) -> [UInt8]? {
    guard let found = value?.string.flatMap(Base64URL.decode), found.count == count else { return nil }
    return found
  }
}

/// Times of the audit log as text: RFC 3339 in UTC with six digits behind the second.
enum Microseconds {
  static func text(_ value: Int64) -> String {
    let (seconds, rest) = split(value)
    let digits = String(rest)
    return Timestamp(seconds: seconds).description.dropLast() + "." + String(repeating: "0", count: 6 - digits.count)
      + digits + "Z"
  }

  static func read(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 27, bytes[19] == 0x2E, bytes[26] == 0x5A,
      bytes[20..<26].allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Timestamp(String(decoding: bytes[..<19], as: UTF8.self) + "Z")?.seconds
    else { return nil }
    // Years have four digits: far from an overflow.
    return seconds * 1_000_000 + bytes[20..<26].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  private static func split(_ value: Int64) -> (Int64, Int64) {
    var (seconds, rest) = value.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
    return (seconds, rest)
  }
}
