import GatehousePolicy

/// The keys of `attest`.
enum AttestKeys {
  static let attest = SettingTable<Attest>(
    "attest",
    [
      .map(
        "ios", called: "attest.ios", trust: true, required: true, ios.map { $0.within(\.ios) },
        "The app whose attestations count."),
      // Every door that demands it admits less.
      .words(
        "doors", \.doors, of: Attest.possible, count: 1...2, .moreMembersIsStricter, trust: true, required: true,
        "Doors that demand an attested app.",
        slips: { attest in
          attest.doors.map { door in
            var other = attest
            other.doors.removeAll { $0 == door }
            return ("without \(door.rawValue)", other)
          }
        }),
    ])

  private static let ios: [Setting<Attest.IOS>] = [
    .text("team", \.team, team, .unsure, trust: true, required: true, "Apple's identifier of the team."),
    .text("bundle", \.bundle, bundle, .unsure, trust: true, required: true, "The app's bundle identifier."),
    .choice(
      "environment", \.environment, .unsure, trust: true, required: true,
      "production for TestFlight and the App Store, development for builds of developers."),
  ]

  static let team = TextForm(
    "a team identifier: 10 of A-Z and 0-9", code: .badName, lengths: 10...10, pattern: "^[A-Z0-9]{10}$",
    accepts: { $0.utf8.allSatisfy { isCapital($0) || isDigit($0) } })

  static let bundle = TextForm(
    "a bundle identifier such as com.example.app: A-Z, a-z, 0-9, - and full stops", code: .badName, lengths: 1...155,
    pattern: "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$",
    accepts: { text in
      text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.allSatisfy { isCapital($0 & ~0x20) || isDigit($0) || $0 == UInt8(ascii: "-") }
      }
    })

  private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension PolicyReader {
  /// Which doors demand an attested app.
  func attest(_ entry: Node.Entry?) -> Attest? {
    guard let entry else { return nil }
    let silent = Attest(ios: Attest.IOS(team: "", bundle: "", environment: .production), doors: [])
    let read = AttestKeys.attest.read(entry.value, over: silent)
    return Attest(ios: read.ios, doors: read.doors, position: entry.position)
  }
}
