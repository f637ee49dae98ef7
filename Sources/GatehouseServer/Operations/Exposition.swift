/// The text form that Prometheus reads (exposition format 0.0.4). The text of every label and help line is escaped.
struct Exposition {
  private(set) var text = ""

  /// A family; nothing where it has no samples.
  mutating func add(_ figure: Figure) {
    guard !figure.samples.isEmpty else { return }
    head(figure.name, figure.kind.rawValue, figure.help)
    for sample in figure.samples { line(figure.name, sample.labels, sample.text) }
  }

  /// How long something took, as counts below bounds. The last of `buckets` counts what was above every bound.
  mutating func add(histogram name: String, _ help: String, bounds: [Int], buckets: [Int], microseconds: Int) {
    head(name, "histogram", help)
    var total = 0
    for (bound, count) in zip(bounds, buckets) {
      total += count
      line(name + "_bucket", [("le", Exposition.seconds(bound))], String(total))
    }
    total += buckets.last ?? 0
    line(name + "_bucket", [("le", "+Inf")], String(total))
    line(name + "_sum", [], Exposition.seconds(microseconds))
    line(name + "_count", [], String(total))
  }

  /// How long things took, as sum and count of each.
  mutating func add(summary name: String, _ help: String, label: String, _ values: [(String, Int, microseconds: Int)]) {
    guard !values.isEmpty else { return }
    head(name, "summary", help)
    for (value, count, microseconds) in values {
      line(name + "_sum", [(label, value)], Exposition.seconds(microseconds))
      line(name + "_count", [(label, value)], String(count))
    }
  }

  private mutating func head(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(Exposition.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
    text += name
    if !labels.isEmpty {
      text +=
        "{"
        + labels.map { "\($0.name)=\"\(Exposition.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        + "}"
    }
    text += " \(value)\n"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func seconds(_ microseconds: Int) -> String {
    let (whole, part) = max(0, microseconds).quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(part + 1_000_000).dropFirst()
    let needed = digits.lastIndex { $0 != "0" }.map { digits[...$0] } ?? "0"
    return "\(whole).\(needed)"
  }
}
