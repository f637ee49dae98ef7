import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The frame of a tenant's pages, made of its policy, its logo and the languages of the caller.
extension PageFrame {
  init(_ tenant: TenantSnapshot, _ words: FrameWords, root: String) {
    self.init(
      brand: Brand(tenant.policy) { tenant.address(of: $0, root: root) }, words: words, root: root,
      rules: ProviderBrand.rules(of: tenant.policy), own: OwnWords(tenant.policy, in: words.language.tag).words)
  }

  /// In the language of a caller.
  init(_ call: Call) { self.init(call.tenant, HostedWords.of(call.language).frame, root: call.root) }
}

extension TenantSnapshot {
  /// The address of a picture on a page from which `root` leads to the tenant's own path. A tenant that is disabled has
  /// none: its files are refused like everything of it.
  func address(of use: PictureUse, root: String) -> String? {
    guard enabled, let picture = pictures[use] else { return nil }
    return "\(root)\(Self.assetsPath.dropFirst())/\(picture.fileName)"
  }
}

extension Brand {
  /// - Parameter picture: the address of the picture for a use.
  init(_ policy: Policy, picture: (PictureUse) -> String?) {
    let theme = policy.theme
    self.init(
      name: policy.app.name, style: PageStyle(theme: theme, picture: picture(.ground)),
      logo: picture(.logo).map { Logo(address: $0, dark: picture(.logoDark), isWordmark: theme.wordmark) },
      isCentered: theme.logoPlace == .center, support: policy.app.supportEmail, terms: theme.termsURL,
      privacy: theme.privacyURL,
      languages: policy.app.locales.compactMap(Language.init(rawValue:)).map { PageLanguage($0) })
  }
}

extension PageFont {
  init(_ font: Theme.Font) {
    self =
      switch font {
      case .system: .system
      case .serif: .serif
      case .rounded: .rounded
      case .mono: .mono
      }
  }
}

extension PageStyle {
  /// - Parameter picture: the address of the picture behind the card, where there is one.
  init(theme: Theme, picture: String? = nil) {
    let ground: Ground =
      switch theme.darkMode {
      case .auto: .ofDevice
      case .always: .dark
      case .never: .light
      }
    self.init(colour: Colour(theme.primary), ground: ground)
    radius = Int(theme.radius)
    logoSize = Int(theme.logoSize)
    font = PageFont(theme.font)
    behind =
      switch theme.ground {
      case .plain: .plain
      case .tint: .tint
      case .picture: picture.map(Behind.picture) ?? .tint
      }
  }
}

extension Screen {
  /// Why something was refused, with the way back to the app.
  static func refusal(
    _ code: ErrorCode, _ told: (title: String, text: String?), of app: App, _ words: HostedWords
  ) -> Screen {
    let told = code == .tenantDisabled ? (title: words.errors.unavailable(app.name), text: told.text) : told
    // Later, and not in the app, where there are too many requests or the app is switched off.
    let isForTheApp = code.status < 429 && code != .tenantDisabled
    return Screen(
      told.title, trouble: code.status,
      (told.text.map { [Pieces.text($0)] } ?? []) + (isForTheApp ? Pieces.wayToApp(app, words) : []))
  }

  /// That something is done, with the way on; by default to the app.
  static func done(_ title: String, _ text: String, way: [Piece]? = nil, of app: App, _ words: HostedWords) -> Screen {
    Screen(title, isDone: true, [Pieces.text(text)] + (way ?? Pieces.wayToApp(app, words)))
  }
}

extension Pieces {
  /// Where apps name no way to open them, there is none.
  static func wayToApp(_ app: App, _ words: HostedWords) -> [Screen.Piece] {
    app.openApp.map { [button(words.endings.open(app.name), $0)] } ?? []
  }
}

extension Exchange {
  /// The lines of a page about an error code and the name of the request.
  typealias Told = (HostedWords, ErrorCode, String) -> (title: String, text: String?)

  /// A page that says why not: a person looks at it. Where the tenant is unknown it looks like no app's.
  mutating func refusedPage(by error: any Error, _ told: Told = { $0.errors.page($1, reference: $2) }) -> Answer {
    let refusal = refused(by: error)
    guard let tenant else { return PageDocument.refusal(refusal.code, languages, reference: id) }
    let words = HostedWords.of(Languages.choose(from: tenant.policy.app.locales, preferring: languages))
    var page = PageFrame(tenant, words.frame, root: root).answer(
      .refusal(refusal.code, told(words, refusal.code, id), of: tenant.policy.app, words))
    // For as long as the API says.
    if let wait = Answer.problem(refusal, self).headers.single("retry-after") { page.headers.set("Retry-After", wait) }
    return page
  }
}

extension PageDocument {
  /// A refusal that is of no app.
  static func refusal(_ code: ErrorCode, _ languages: [String], reference: String) -> Answer {
    let words = HostedWords.of(Language(bestOf: languages))
    let (title, text) = words.errors.page(code, reference: reference)
    return PageDocument(
      language: words.frame.language, title: "\(words.frame.troubleMark): \(title)", style: PageStyle(),
      body: """
        <main>
        <h1>\(title)</h1>
        <p>\(text ?? "")</p>
        </main>
        """, sources: "img-src data:; form-action 'none';"
    ).answer(status: code.status)
  }
}

extension TenantSnapshot {
  /// The origins of its pages: at its own hosts, and at the host of all tenants.
  var origins: WelcomeOrigins { WelcomeOrigins(own: issuers) }
}
