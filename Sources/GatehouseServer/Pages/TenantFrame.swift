import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The frame of a tenant's pages, made of its policy, its logo and the languages of the caller.
extension PageFrame {
  init(_ tenant: TenantSnapshot, _ words: FrameWords, root: String) {
    let app = tenant.policy.app
    // Not of a tenant that is disabled: its files are refused like everything of it.
    let logo = tenant.enabled ? tenant.logo : nil
    self.init(
      brand: Brand(
        name: app.name, style: PageStyle(theme: tenant.policy.theme),
        logo: logo.map { "\(root)\(TenantSnapshot.assetsPath.dropFirst())/\($0.fileName)" }, support: app.supportEmail,
        languages: app.locales),
      words: words, root: root)
  }

  /// In the language of a caller.
  init(_ call: Call) { self.init(call.tenant, HostedWords.of(call.language).frame, root: call.root) }
}

extension PageStyle {
  init(theme: Theme) {
    let ground: Ground =
      switch theme.darkMode {
      case .auto: .ofDevice
      case .always: .dark
      case .never: .light
      }
    self.init(colour: Colour(theme.primary), ground: ground)
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
    let known = PageLanguage.allCases.map(\.rawValue)
    let words = HostedWords.of(Languages.choose(from: known, preferring: languages))
    let (title, text) = words.errors.page(code, reference: reference)
    return PageDocument(
      language: words.language, title: "\(words.frame.troubleMark): \(title)", style: PageStyle(),
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
  /// The origins of its pages: at its own host, and at the host of all tenants.
  var origins: WelcomeOrigins { WelcomeOrigins(own: [issuer, sharedIssuer]) }
}
