package import Foundation
import GatehouseIdentity
package import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The pages of a policy without a server and a store: the screens of the server, for samples of people.
package struct PagePreview: Sendable {
  /// One page in one language and one light.
  package struct Page: Sendable, Equatable {
    /// Below `/ui`.
    package let path: String
    package let language: String
    package let isDark: Bool
    package let html: String

    /// `account-devices.en.dark.html`
    package var file: String {
      "\(path.replacing("/", with: "-")).\(language).\(isDark ? "dark" : "light").html"
    }
  }

  /// The result for a page.
  package enum Outcome: Sendable, Equatable {
    case shown([Page])
    /// The policy has no use for it.
    case unused(path: String)
  }

  private let policy: Policy
  private let now: Date
  private let email: String
  private let profile: [String: FieldValue]

  /// - Parameters:
  ///   - email: an address that the policy admits.
  ///   - profile: values that it admits.
  package init(_ policy: Policy, email: String, profile: [String: FieldValue], at now: Date) {
    (self.policy, self.email, self.profile, self.now) = (policy, email, profile, now)
  }

  /// Every page, in the order of the documentation.
  package func outcomes() async throws -> [Outcome] {
    var outcomes: [Outcome] = []
    for sample in PageSample.all {
      var pages: [Page] = []
      for (path, parameters) in sample.paths(policy) {
        for language in languages {
          for mode in modes {
            guard let html = try await html(sample, at: path, parameters, language.rawValue, mode) else { continue }
            pages.append(
              Page(path: path, language: language.rawValue, isDark: mode == .always, html: html))
          }
        }
      }
      outcomes.append(pages.isEmpty ? .unused(path: sample.page.path) : .shown(pages))
    }
    return outcomes
  }

  /// Those of the policy that pages are written in.
  private var languages: [Language] {
    let known = policy.app.locales.compactMap(Language.init(rawValue:))
    return known.isEmpty ? [.english] : known
  }

  private var modes: [Theme.DarkMode] {
    policy.theme.darkMode == .auto ? [.never, .always] : [policy.theme.darkMode]
  }

  /// Nil where the page has nothing to show.
  private func html(
    _ sample: PageSample, at path: String, _ parameters: PathParameters, _ language: String, _ mode: Theme.DarkMode
  ) async throws -> String? {
    let call = Call(
      tenant: try tenant(mode), requestID: "preview", address: nil, languages: [language], now: now,
      host: host?.description, root: String(repeating: "../", count: path.split(separator: "/").count))
    let person = person(sample.person, call)
    var flow = Flow(at: now)
    flow.language = language
    sample.flow(&flow, policy)
    let visit = try Visit(
      Self.request(path), at: path, parameters, call, reads(person), signedIn: person, flow: flow)
    let screen: Screen?
    do {
      guard sample.page.isThere(visit) else { return nil }
      screen = try await sample.page.screen(visit)
    } catch let refusal as Refusal where refusal.code == .notFound {
      return nil
    }
    guard let screen else { return nil }
    let setting = PageFrame.Setting(
      hidden: visit.hidden(.anyone), path: visit.relative(visit.path), targets: visit.targets)
    let answer = PageFrame(call).answer(screen, setting)
    return answer.body.map { Self.shown(String(decoding: $0.bytes, as: UTF8.self)) }
  }

  /// The page as the script of passkeys shows it.
  private static func shown(_ html: String) -> String {
    html.replacing(/(<form [^>]*data-passkey=[^>]*) hidden>/) { "\($0.output.1)>" }
      .replacing(" data-with-passkeys hidden", with: " data-with-passkeys")
      .replacing("<p data-without-passkeys>", with: "<p data-without-passkeys hidden>")
  }

  /// The tenant's own host, which it has for its passkeys.
  private var host: HostName? { policy.passkeys.flatMap { HostName($0.rpID ?? "auth.example.com") } }

  private static func request(_ path: String) throws -> Request {
    guard let request = Request(method: .get, target: "/ui/" + path, headers: Headers()) else {
      throw Refusal(.malformedRequest)
    }
    return request
  }

  // MARK: Samples

  private func tenant(_ mode: Theme.DarkMode) throws -> TenantSnapshot {
    var policy = policy
    policy.theme.darkMode = mode
    guard let name = TenantName(policy.tenant) else { throw Refusal(.malformedRequest) }
    let id = TenantID(UUID())
    let key = SigningKeys.Key(kid: "preview", pkcs8: try P256PrivateKey.generate().pkcs8())
    let now = now
    return TenantSnapshot(
      id: id, name: name, displayName: policy.app.name, enabled: true, policy: policy, limits: policy.limits,
      lookups: nil, revision: 1, policySince: now, digest: [],
      keys: SigningKeys(active: key, published: [key]),
      vault: Vault(
        tenant: id,
        keys: [Vault.Key(try SealingKey(version: 1, key: SecureRandom.bytes(32)), createdAt: now)],
        clock: Clock { now }),
      hosts: host.map { own in
        [TenantHost(host: own, proof: "", addedAt: now, allowedAt: now, expiresAt: now, verifiedAt: now)]
      } ?? [],
      publicURL: "https://auth.example.com")
  }

  private func person(_ kind: PageSample.Person, _ call: Call) -> SignedIn? {
    if case .stranger = kind { return nil }
    let id = UserID(UUID())
    let before = now.addingTimeInterval(-3600)
    var user = StoredUser(
      id: id, email: email, emailVerifiedAt: before, profile: profile, createdAt: before, updatedAt: before,
      passwordChangedAt: policy.hasPassword ? before : nil,
      links: policy.providers.filter { $0.name != "password" }.map {
        LinkedIdentity(provider: $0.name, scopes: $0.scopes, linkedAt: before)
      })
    switch kind {
    case .unproven: user.emailVerifiedAt = nil
    case .incomplete: user.profile = [:]
    case .unlinked: user.links = []
    case .stranger, .signedIn, .longSignedIn: break
    }
    let isLong = if case .longSignedIn = kind { true } else { false }
    let proof = Proof(method: .password, at: isLong ? before : now)
    let session = Session(
      id: SessionID(UUID()), user: id, createdAt: before, lastSeenAt: now,
      proofs: Proofs(tenant: call.tenant.id, user: id, first: proof, []), expiresAt: now.addingTimeInterval(86_400),
      idleExpiresAt: now.addingTimeInterval(86_400), deviceName: "Safari on Mac", client: .pages)
    return SignedIn(session: session, user: user)
  }

  private func reads(_ person: SignedIn?) -> PageReads {
    let (now, email) = (now, email)
    let (hasPassword, hasPasskeys) = (policy.hasPassword, policy.passkeys != nil)
    return PageReads(
      me: { call in
        guard let person else { throw Refusal(.unauthenticated) }
        return Me.answer(person.user, in: nil, .present(call.now), to: .`self`, call)
      },
      sessions: { _ in
        ["Safari on Mac", "Safari on iPhone", "Chrome on Android", "Safari on iPad"].enumerated().map { place, name in
          SessionRecord(
            id: UUID().text, device: Device(name: name), place: "Manhattan, US", createdAt: Timestamp(now),
            lastSeenAt: Timestamp(now.addingTimeInterval(-3600 * Double(place))), expiresAt: Timestamp(now),
            current: place == 0)
        }
      },
      leads: { provider, _ in provider.clientID != nil }, proves: { _, _, _ in true },
      freshWays: { _, _, _ in hasPassword ? [.password] : [.provider, .code] },
      factors: { call in
        let used = Timestamp(call.now.addingTimeInterval(-86_400))
        func sample(_ method: Proof.Method, _ name: String, synced: Bool? = nil) -> FactorRecord {
          FactorRecord(
            id: UUID().text, type: method.name, name: name, createdAt: Timestamp(now), lastUsedAt: used,
            synced: synced)
        }
        let passkeys = [sample(.passkey, "iPad", synced: true), sample(.passkey, "YubiKey", synced: false)]
        return ListFactorsEndpoint.Output(
          items: [sample(.totp, "iPhone")] + (hasPasskeys ? passkeys : []), recoveryCodes: RecoveryCodeCount(left: 8))
      },
      passkey: { _, _ in nil },
      proofCode: { _, call in MailedCode(sentAt: call.now, standing: .living) },
      addressCode: { _, call in MailedCode(sentAt: call.now, standing: .living) },
      link: { _, page, _ in
        let asks: OpenLink.Asks =
          switch page {
          case .undoEmail: .nothing
          case .verifyEmail, .confirmEmail: hasPassword ? .password : .nothing
          case .resetPassword: .newPassword(isFirst: false)
          }
        return OpenLink.Live(address: email, asks: asks)
      })
  }
}
