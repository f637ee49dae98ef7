import GatehousePostgres
import GatehouseServer

/// The database's counts as metrics.
enum DatabaseGauges {
  static func of(_ statistics: DatabaseStatistics) -> [Metrics.Gauge] {
    Mirror(reflecting: statistics).children.compactMap { child in
      guard let name = child.label, let value = child.value as? Int else { return nil }
      return Metrics.Gauge("gatehouse_database_" + snake(name), value)
    }
  }

  private static func snake(_ name: String) -> String {
    name.reduce(into: "") { text, character in
      if character.isUppercase { text += "_" }
      text += character.lowercased()
    }
  }
}
