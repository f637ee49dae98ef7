import GatehousePolicy

extension PolicyReader {
  /// The passkeys of the tenant's people.
  func passkeys(_ entry: Node.Entry?, _ policy: Policy) -> Passkeys? {
    guard let entry else { return nil }
    var passkeys = PasskeyKeys.passkeys.read(entry.value, over: Passkeys(use: [], position: entry.position))
    passkeys.use = Passkeys.Use.allCases.filter(passkeys.use.contains)
    passkeys.upgrade = upgrade(entry, passkeys, policy.profile)
    checkAttestation(entry, passkeys)
    checkFormerParty(entry, passkeys)
    checkSignUp(entry, passkeys, policy)
    checkSites(entry.value["origins"])
    checkPackages(entry.value["apps"]?["android"])
    return passkeys
  }

  private func checkAttestation(_ entry: Node.Entry, _ passkeys: Passkeys) {
    guard passkeys.attestation != .direct else {
      guard passkeys.roots.isEmpty else { return }
      return sink.error(
        about: entry.range, code: .missingKey, "\"roots\" is missing in passkeys with attestation: direct",
        at: entry.value["attestation"]?.range ?? entry.keyRange,
        notes: [.init("without a certificate that vouches for it no passkey could be added")])
    }
    let keys = ["roots", "aaguids"].compactMap { entry.value.entry($0) }
    guard let key = keys.first, !sink.isUnclear(entry.value) else { return }
    sink.error(
      about: entry.value["attestation"]?.range, code: .keyDoesNotApply,
      "\(quoted(key.key)) has no meaning in passkeys without attestation: direct", at: key.keyRange,
      notes: [.init("write attestation: direct, or remove \(keys.map(\.key).joined(separator: " and "))")])
  }

  /// Browsers take related origins of five sites and may leave out the rest (WebAuthn Level 3, validation of related
  /// origins). Sites are told apart by the label before the last one.
  private func checkSites(_ origins: Node?) {
    let sites = (origins?.texts ?? []).compactMap { origin -> [UInt8]? in
      let labels = (WrittenURL(origin)?.host ?? "").utf8.split(separator: UInt8(ascii: "."))
      return labels.count > 1 ? Array(labels[labels.count - 2]) : nil
    }
    guard let origins, Set(sites).count > Self.mostSites else { return }
    sink.error(
      about: origins.range, code: .badCount,
      "\"origins\" in passkeys: expected \(Self.mostSites) sites at most, got \(Set(sites).count)", at: origins.range,
      notes: [.init("browsers may leave out related origins of further sites")])
  }

  private static let mostSites = 5

  private func checkPackages(_ apps: Node?) {
    var lines: [[UInt8]: Int] = [:]
    for node in (apps?.list ?? []).compactMap({ $0["package"] }) {
      guard let package = node.text else { continue }
      noteComparison()
      guard let line = lines[Array(package.utf8)] else {
        lines[Array(package.utf8)] = node.line
        continue
      }
      sink.error(
        .repeated, "\"android\" in passkeys.apps: \(quoted(package)) is listed twice", at: node.range,
        notes: [.init("it was first listed on line \(line); its sha256 takes several certificates", line: line)])
    }
  }

  /// Second factors and passkeys speak of the same credentials.
  func checkFactors(_ policy: Policy) {
    let (mfa, passkeys) = (root.entry("mfa"), root.entry("passkeys"))
    // An unknown section may be the one that is missing.
    guard mfa != nil && passkeys != nil || !sink.isUnclear(root) else { return }
    func disagree(_ message: String, at node: Node?, in entry: Node.Entry?, _ note: String) {
      guard let range = node?.range ?? entry?.keyRange else { return }
      sink.error(
        about: mfa?.range, passkeys?.range, code: .factorsDisagree, message, at: range, notes: [.init(note)])
    }
    let isNamed = policy.mfa?.factors.contains(.passkey) ?? false
    let isUsed = policy.uses(passkeysFor: .secondFactor)
    if isNamed, !isUsed {
      disagree(
        "mfa.factors names passkey, and no passkey is a second factor",
        at: mfa?.value["factors"]?.member(Factor.passkey.rawValue), in: mfa,
        passkeys == nil ? "write passkeys: {use: [second_factor]}" : "add second_factor to passkeys.use")
    }
    if isUsed, !isNamed {
      disagree(
        "passkeys.use has second_factor, and mfa.factors does not name passkey, so none would be asked for",
        at: passkeys?.value["use"]?.member(Passkeys.Use.secondFactor.rawValue), in: passkeys,
        mfa == nil ? "write mfa: {factors: [passkey]}, or remove second_factor" : "add passkey to mfa.factors")
    }
    for demand in mfa?.value["required_if"]?.list ?? [] {
      guard let level = demand["level"]?.word(AssuranceLevel.self),
        !Factor.allCases.contains(where: { policy.admits($0) && $0.reached >= level })
      else { continue }
      disagree(
        "level \(level.rawValue) is out of reach: no factor of mfa.factors reaches it", at: demand["level"], in: mfa,
        "add passkey to mfa.factors, and passkeys: {use: [second_factor]}")
    }
  }
}

extension Node {
  /// The member of a list of words that is this one.
  func member(_ word: String) -> Node? { list?.first { $0.text == word } }
}
