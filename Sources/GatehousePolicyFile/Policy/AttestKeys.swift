import GatehousePolicy

/// The keys of `attest`.
enum AttestKeys {
  static let attest = MapShape(
    "attest",
    [
      Key("ios", trust: true, .map(ios), required: true, "The app whose attestations count."),
      Key(
        "doors", trust: true, .list(.choice(Attest.possible.map(\.rawValue)), count: 1...2), required: true,
        "Doors that demand an attested app."),
    ])

  static let ios = MapShape(
    "attest.ios",
    [
      Key("team", trust: true, .text(team), required: true, "Apple's identifier of the team."),
      Key("bundle", trust: true, .text(bundle), required: true, "The app's bundle identifier."),
      Key(
        "environment", trust: true, .choice(Attest.Environment.allCases.map(\.rawValue)), required: true,
        "production for TestFlight and the App Store, development for builds of developers."),
    ])

  private static let team = TextForm(
    "a team identifier: 10 of A-Z and 0-9", code: .badName, lengths: 10...10, pattern: "^[A-Z0-9]{10}$",
    accepts: { $0.utf8.allSatisfy { isCapital($0) || isDigit($0) } })

  private static let bundle = TextForm(
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
    let node = entry.value
    let ios = Attest.IOS(
      team: node["ios"]?["team"]?.text ?? "", bundle: node["ios"]?["bundle"]?.text ?? "",
      environment: node["ios"]?["environment"]?.word() ?? .production)
    let doors = (node["doors"]?.list ?? []).compactMap { $0.word(Door.self) }
    return Attest(ios: ios, doors: doors, position: entry.position)
  }
}
