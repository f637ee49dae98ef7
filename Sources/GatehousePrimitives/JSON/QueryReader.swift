/// The reader of the query strings that people arrive with, from mails, apps and providers. A page names what it
/// reads. All other names are ignored in any form: click counters and mail programs add some, and RFC 6749 section 3.1
/// asks it of endpoints.
package enum QueryReader {
  /// The values under `names`, in the order in which they were written; none without a query.
  /// - Throws: a problem where one of them is given twice (RFC 6749 section 3.1) or is not well encoded, and for a
  ///   query beyond `limits`; never holds a value.
  package static func read(
    _ query: String?, _ names: Set<String>, limits: FormParser.Limits = FormParser.Limits()
  ) throws(JSONProblem) -> JSONObject {
    try read(Array((query ?? "").utf8), names, limits: limits)
  }

  /// The same of the bytes of a query or a form.
  package static func read(
    _ bytes: [UInt8], _ names: Set<String>, limits: FormParser.Limits = FormParser.Limits()
  ) throws(JSONProblem) -> JSONObject {
    guard bytes.count <= limits.size else {
      throw JSONProblem(pointer: "", reason: "larger than \(limits.size) bytes")
    }
    let fields = bytes.split(separator: UInt8(ascii: "&"), maxSplits: limits.fields)
    guard fields.count <= limits.fields else {
      throw JSONProblem(pointer: "", reason: "more than \(limits.fields) fields")
    }
    var object = JSONObject()
    for field in fields {
      // A link that was copied from the source of a mail separates its parameters with `&amp;`.
      let field = field.starts(with: escapedSeparator) ? field.dropFirst(escapedSeparator.count) : field
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")), let name = FormParser.text(field[..<equals]),
        names.contains(name)
      else { continue }
      let member = try FormParser.member(field)
      // GUARD: query: no name twice
      guard object[name] == nil else { throw FormParser.twice(name) }
      object[name] = member.value
    }
    return object
  }

  private static let escapedSeparator = Array("amp;".utf8)
}
