/// One family of figures as Prometheus reads it: a name, what it means, and its values by label.
package struct Figure: Sendable {
  /// Whether the figure only grows, or stands where it stands.
  package enum Kind: String, Sendable { case counter, gauge }

  /// One value with its labels.
  package struct Sample: Sendable {
    package var labels: [(name: String, value: String)]
    package var value: Int
    /// How many of the digits of `value` stand behind the point.
    package var decimals: Int

    package init(_ value: Int, decimals: Int = 0, labels: [(name: String, value: String)] = []) {
      self.labels = labels
      self.value = value
      self.decimals = decimals
    }

    /// The value as Prometheus reads it.
    package var text: String {
      guard decimals > 0 else { return String(value) }
      let digits = String(value.magnitude)
      let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
      return (value < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
  }

  package let name: String
  package let kind: Kind
  package let help: String
  package let samples: [Sample]

  private init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// Something that only grows while the process lives; `_total` is added to its name.
  package static func counter(_ name: String, _ help: String, _ samples: [Sample]) -> Figure {
    Figure(name + "_total", .counter, help, samples)
  }

  package static func counter(_ name: String, _ help: String, _ value: Int) -> Figure {
    counter(name, help, [Sample(value)])
  }

  /// Something that goes up and down.
  package static func gauge(_ name: String, _ help: String, _ samples: [Sample]) -> Figure {
    Figure(name, .gauge, help, samples)
  }

  package static func gauge(_ name: String, _ help: String, _ value: Int) -> Figure {
    gauge(name, help, [Sample(value)])
  }
}
