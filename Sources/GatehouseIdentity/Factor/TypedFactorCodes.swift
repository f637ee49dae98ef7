package import Foundation
import GatehousePolicy
package import GatehousePrimitives

extension TOTP {
  /// The step that a typed code is of: that of now, or the one before. Nil also for a text that holds no code.
  package static func matchingStep(_ typed: String, seed: Secret<[UInt8]>, at now: Date) -> Int64? {
    NumericCode(typed: typed).flatMap { matchingStep($0, seed: seed, at: now) }
  }
}

extension RecoveryCode {
  /// The code that a person typed or pasted: case, separators and look-alikes do not matter. Nil for what can be none.
  package init?(typed text: String) {
    guard let characters = TypedText.characters(ofCode: text) else { return nil }
    self.init(characters: characters)
  }
}
