import GatehousePolicy

extension Mutants {
  /// Each demand deleted or at a later stage, of other people, or of a lower level; a longer grace.
  mutating func mfa() {
    guard let mfa = policy.mfa else { return }
    slips(MFAKeys.mfa.all, at: ["mfa"], of: mfa) { $0.mfa = $1 }
    for (index, demand) in mfa.requiredIf.enumerated() where demand.enforcement.mode != .off {
      let line = demand.position.line
      add(demand.id, "deleted", line: line) { $0.mfa?.requiredIf.remove(at: index) }
      for (stage, change) in demand.enforcement.loosened {
        add(demand.id, change, line: line) { $0.mfa?.requiredIf[index].enforcement = stage }
      }
      if demand.level > .aal2 {
        add(demand.id, "level \(demand.level.rawValue) → aal2", line: line) { $0.mfa?.requiredIf[index].level = .aal2 }
      }
      for (place, condition) in demand.when.enumerated() {
        for other in policy.profile.field(condition.field)?.known ?? [] where other != condition.value {
          let change = "\(condition.field): \(condition.value.shown) → \(other.shown)"
          add(demand.id, change, line: line) {
            $0.mfa?.requiredIf[index].when[place] = Admins.Condition(field: condition.field, value: other)
          }
        }
      }
    }
  }
}
