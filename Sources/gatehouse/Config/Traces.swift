import GatehouseOutbound

/// Header fields of requests to one server.
struct FieldList: Sendable {
  let fields: [(name: String, value: String)]

  /// `name=value`, separated by commas. Nil for another shape, and for fields that no request can have.
  init?(_ text: String) {
    var fields: [(name: String, value: String)] = []
    for part in text.split(separator: ",") {
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let name = part[..<equals].filter { $0 != " " }.lowercased()
      let value = String(part[part.index(after: equals)...].drop { $0 == " " })
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName), !value.isEmpty,
        value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
      else { return nil }
      fields.append((name, value))
    }
    guard !fields.isEmpty, fields.count <= 8 else { return nil }
    self.fields = fields
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
  }
}

extension Kind where Value == FieldList {
  static let fields = Kind(
    placeholder: "FIELDS", expects: "name=value, and more of them behind commas, at most 8", parse: { FieldList($0) },
    show: { $0.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ",") })
}

extension Kind where Value == Double {
  /// A share of all.
  static let share = Kind(
    placeholder: "SHARE", expects: "a number from 0 to 1, such as 0.1",
    parse: { text in
      guard text.utf8.count <= 20, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
        let share = Double(text), (0...1).contains(share)
      else { return nil }
      return share
    }, show: { $0 == $0.rounded() ? String(Int($0)) : String($0) })
}

extension Config {
  /// Where traces go, as the settings have it.
  static func traces(_ reader: inout ConfigReader) -> TraceExporter.Settings? {
    let (endpoint, headers) = (reader.value(Settings.tracesEndpoint), reader.value(Settings.tracesHeaders))
    let (share, service) = (reader.value(Settings.tracesSample), reader.value(Settings.tracesServiceName))
    guard let endpoint else {
      if headers != nil { reader.refuse(Settings.tracesHeaders, "needs traces.endpoint") }
      return nil
    }
    do throws(OutboundURL.Problem) {
      _ = try OutboundURL(endpoint, addresses: .everywhere)
    } catch {
      reader.refuse(Settings.tracesEndpoint, "is no address that the server calls: https, or http on this machine")
    }
    return TraceExporter.Settings(
      endpoint: endpoint, headers: headers?.fields ?? [], share: share, service: service, version: Gatehouse.version)
  }
}
