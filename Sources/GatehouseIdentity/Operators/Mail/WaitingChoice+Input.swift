import Foundation
import GatehouseAdminWire
import GatehouseWire

extension WaitingChoice {
  init(_ input: WaitingMailsReference) throws {
    self.init(
      ids: try input.ids.map { ids in
        try ids.enumerated().map { place, text in
          guard let id = UUID(uuidString: text) else {
            throw Refusal.malformed("/ids/\(place)", "is not the id of a mail")
          }
          return id
        }
      },
      kind: try input.kind.map { try SampleMail.kind($0) })
  }

  /// The details of a change in the audit log.
  var details: [String: String] { kind.map { ["kind": $0.rawValue] } ?? [:] }
}
