import GatehousePolicy

/// Through which doors values really come in, as far as the policy itself opens or closes them.
extension Policy {
  /// Without `sign_in`, which brings in nothing new, and without the doors of providers (`password` is one) that the
  /// policy does not have.
  func entries(of target: RuleTarget) -> DoorSet {
    var doors = target.doors.subtracting(DoorSet([.signIn]))
    let others = providers.filter { !$0.name.utf8.elementsEqual("password".utf8) }
    if !others.contains(where: { $0.use == .signIn }) { doors.remove(DoorSet([.federatedSignUp])) }
    if !others.contains(where: { $0.use == .link }) { doors.remove(DoorSet([.link])) }
    let closed = target == .password ? DoorSet.password : DoorSet.passwordOnly
    doors.remove(
      DoorSet(closed.doors.filter { isClosed($0, withPassword: target == .password, withPasskey: true) }))
    return doors
  }

  /// The doors of a field; a field that only administrators write has their doors alone.
  func entries(of field: Field) -> DoorSet {
    let doors = entries(of: .field)
    guard field.write == .admin else { return doors }
    return doors.intersection(DoorSet([.adminCreate, .adminUpdate, .invite, .import]))
  }

  /// `sign_in`, where a rule on passwords only warns and stored people are not asked anyway.
  var measuredAtSignIn: DoorSet {
    let isMeasured =
      hasPassword
      && password.rules.contains {
        $0.enforcement.mode == .warn && ($0.existing ?? password.existing) == .atNextChange
      }
    return isMeasured ? DoorSet([.signIn]) : DoorSet()
  }
}
