/// Whether something is on that gives much on few processors and costs more than it gives on many.
enum TuningSwitch: String, Sendable, CaseIterable {
  /// On below `manyProcessors`.
  case auto
  case on, off

  /// From so many processors on `auto` is off.
  static let manyProcessors = 4

  /// Whether the tuning is on, on a machine of so many processors.
  func isOn(processors: Int) -> Bool {
    switch self {
    case .auto: processors < TuningSwitch.manyProcessors
    case .on: true
    case .off: false
    }
  }
}
