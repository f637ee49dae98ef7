import GatehousePolicy
import GatehouseWire

extension AuthPolicy.Field {
  /// A field of the public policy. A server before a member says nothing there: then the policy's other words decide.
  init(_ field: PublicPolicy.Field, _ policy: PublicPolicy) {
    let isWritable = field.write != "admin"
    self.init(
      name: field.name, label: field.label ?? AuthPolicy.words(of: field.name), type: field.type,
      isRequired: field.required,
      choices: field.values ?? [], labels: field.labels ?? [:],
      defaultValue: field.defaultValue.map(ProfileValue.init), isWritable: isWritable,
      isAskedAtSignUp: field.atSignUp ?? (isWritable && field.required), isMultiline: field.multiline ?? false,
      region: field.region)
    for rule in policy.rules where rule.pointer == Pointer.profile(field.name) && rule.enforce == "enforce" {
      if case .integer(let bound)? = rule.params["min"] { minimum = Int(exactly: bound) }
      if case .integer(let bound)? = rule.params["max"] { maximum = Int(exactly: bound) }
    }
  }
}

extension AuthPolicy.Field {
  /// The text of a `phone` as people of its region write numbers, also of one that is still being typed:
  /// `(785) 555-0123` in the United States and Canada. Any other text is returned as it is. Fit for every key: the
  /// caret stands at the end of a number that grows or shrinks there.
  public func formatted(_ typed: String) -> String {
    guard type == "phone", region == "US" || region == "CA",
      typed.utf8.allSatisfy({ (48...57).contains($0) || "+ ()-.".utf8.contains($0) })
    else { return typed }
    let isForeign = typed.contains("+") && !typed.filter { $0 != " " && $0 != "(" }.hasPrefix("+1")
    var digits = typed.filter(\.isNumber)[...]
    var country = ""
    if typed.contains("+") || digits.count == 11, digits.first == "1" {
      digits = digits.dropFirst()
      country = typed.contains("+") ? "+1 " : "1 "
    }
    // An area code never begins with 0 or 1.
    guard !isForeign, (4...10).contains(digits.count), let first = digits.first, first >= "2" else { return typed }
    let (area, rest) = (digits.prefix(3), digits.dropFirst(3))
    let number = rest.count <= 3 ? "\(rest)" : "\(rest.prefix(3))-\(rest.dropFirst(3))"
    return "\(country)(\(area)) \(number)"
  }
}
