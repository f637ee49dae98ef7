import GatehouseIdentity
import GatehousePolicyFile

/// The doctor's finding about the floor: whether there is one, and whether it is the configured one.
enum FloorFinding {
  static func of(_ services: Services, isDevelopment: Bool) -> Finding? {
    let (now, configured) = (services.floor.now, services.choices.now.configuredFloor)
    if now.number == 0, let configured {
      return .good("floor", "\(configured.name): the next start of a server puts it in force")
    }
    if let trouble = services.floor.trouble(configured: configured) {
      return .failure("floor", trouble.sentence, trouble.advice)
    }
    if let floor = now.floor { return .good("floor", "revision \(now.number), from \(floor.name)") }
    guard !isDevelopment else { return nil }
    return .warning(
      "floor", "there is none: nothing bounds a tenant's policy",
      "gatehouse floor apply FILE; config/floor.yaml beside the sources is one to begin with")
  }
}
