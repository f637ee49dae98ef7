import GatehousePolicy
import GatehouseTesting

/// Values near the examples of a rule, where a wrong class would show.
extension SeededGenerator {
  mutating func value(near examples: [Witness.Value]) -> Witness.Value {
    var value = examples[Int.random(in: 0..<examples.count, using: &self)]
    for _ in 0..<Int.random(in: 0...3, using: &self) { value = changed(value, examples) }
    return value
  }

  private mutating func changed(_ value: Witness.Value, _ examples: [Witness.Value]) -> Witness.Value {
    switch value {
    case .email(let text): return .email(address(text, examples))
    case .password(var password):
      switch Int.random(in: 0..<7, using: &self) {
      case 0: password.strength = Int.random(in: 0...4, using: &self)
      case 1: password.lists.formSymmetricDifference([Bool.random(using: &self) ? "common" : "breached"])
      case 2: password.place = Bool.random(using: &self) ? nil : Int.random(in: 0...30, using: &self)
      case 3: password.age = max(0, password.age + Int64.random(in: -90_000...90_000, using: &self))
      case 4: password.contains.formSymmetricDifference([Bool.random(using: &self) ? "email" : "name"])
      default: password.text = changed(password.text)
      }
      return .password(password)
    case .field(.string(let text)):
      return .field(.string(Int.random(in: 0..<40, using: &self) == 0 ? self.text() : changed(text)))
    case .field(.integer(let number)):
      let step = Bool.random(using: &self) ? 1 : Int64.random(in: .min ... .max, using: &self)
      return .field(.integer(Bool.random(using: &self) ? number &+ step : number &- step))
    case .field:
      let others: [FieldValue] = [.null, true, 1, "x", "", " ", .unsupported("object")]
      return .field(others[Int.random(in: 0..<others.count, using: &self)])
    case .writer(let writer, _):
      let stored: [FieldValue] = [.null, "", "x", 0, false]
      return .writer(writer, stored: stored[Int.random(in: 0..<stored.count, using: &self)])
    case .taken(let isTaken): return .taken(!isTaken)
    case .key: return .key(Bool.random(using: &self) ? "f" : text())
    }
  }

  /// One character put in, taken out or replaced, or several repeated.
  private mutating func changed(_ text: String) -> String {
    let near = Array("aAzZ09 .-_@+%!?=#/:é漢😀\u{301}\u{308}ßİıςǅ\u{212A}\u{A0}".unicodeScalars)
    var scalars = Array(text.unicodeScalars)
    let place = Int.random(in: 0...scalars.count, using: &self)
    let scalar = near[Int.random(in: 0..<near.count, using: &self)]
    switch Int.random(in: 0..<6, using: &self) {
    case 0: scalars.insert(scalar, at: place)
    case 1 where place < scalars.count: scalars.remove(at: place)
    case 2 where place < scalars.count: scalars[place] = scalar
    case 3: scalars += scalars.suffix(Int.random(in: 0...3, using: &self))
    case 4: return Bool.random(using: &self) ? text.uppercased() : text.lowercased()
    default: scalars = Array(scalars.prefix(place))
    }
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// Another local part or domain of the examples, or a label more or less.
  private mutating func address(_ text: String, _ examples: [Witness.Value]) -> String {
    let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
    guard parts.count == 2, case .email(let other) = examples[Int.random(in: 0..<examples.count, using: &self)] else {
      return changed(text)
    }
    switch Int.random(in: 0..<5, using: &self) {
    case 0: return parts[0] + "@" + (other.split(separator: "@").last ?? "")
    case 1: return parts[0] + "@" + (["a", "mail", "x-y"].randomElement(using: &self) ?? "") + "." + parts[1]
    case 2: return parts[0] + "@" + parts[1].split(separator: ".").dropFirst().joined(separator: ".")
    case 3: return changed(parts[0]) + "@" + parts[1]
    default: return changed(text)
    }
  }
}
