/// The sections of a file by what `policy test --mutate` does with them, in the order of the language.
package struct MutationScope: Sendable, Equatable {
  /// Something in them was loosened.
  package private(set) var changed: [String] = []
  /// No test can notice a change of them; `policy diff` judges it.
  package private(set) var unseen: [String] = []
  /// Tests could notice a change, and nothing in them can be loosened.
  package private(set) var tight: [String] = []

  package init(_ file: PolicyFile, _ results: [MutantResult]) {
    let mutated = Set(results.map(\.mutant.section))
    for key in PolicyKeys.file.keys where key.isSection && file.document.root?.entry(key.name) != nil {
      if mutated.contains(key.name) {
        changed.append(key.name)
      } else if key.holdsTried {
        tight.append(key.name)
      } else {
        unseen.append(key.name)
      }
    }
  }
}

extension Key {
  fileprivate var isSection: Bool {
    switch direction {
    case .keys, .decided: true
    default: false
    }
  }

  /// Whether it or a key below it is changed by `policy test --mutate`.
  fileprivate var holdsTried: Bool { isTried || shape.holdsTried }
}

extension Shape {
  fileprivate var holdsTried: Bool {
    switch self {
    case .map(let map): map.keys.contains(where: \.holdsTried)
    case .dictionary(let dictionary): dictionary.value.holdsTried
    case .list(let member, _): member.holdsTried
    case .either(let shapes): shapes.contains(where: \.holdsTried)
    default: false
    }
  }
}
