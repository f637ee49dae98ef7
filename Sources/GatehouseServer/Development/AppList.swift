import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// The first page of a development server: its apps, and what to try.
struct AppList {
  let tenants: [TenantSnapshot]
  /// Tenants that could not be loaded, by name.
  let unserved: [String: LoadFailure]
  /// Nil where the server watches no policy files.
  let files: Development.PolicyFiles?
  let now: Date

  /// The most tenants that are shown, and the most troubles.
  private static let mostTenants = 100
  private static let mostTroubles = 5

  private var shown: ArraySlice<TenantSnapshot> { tenants.prefix(Self.mostTenants) }

  var answer: Answer {
    let title = Self.title(tenants.count)
    let content: HTML = """
      <h1>\(title)</h1>
      \(HTML(troubles))
      \(tenants.isEmpty ? beginning : list)
      <div class="next">
      <p><a href="\(DevelopmentPages.mailPath)">Mail sent here</a></p>
      \(edit)
      </div>
      """
    return DevelopmentFrame.answer(title, colours: HTML(shown.enumerated().map(colours)), content)
  }

  /// `Three apps, one server`
  static func title(_ count: Int) -> String {
    let words = [
      "No app yet", "One app", "Two apps", "Three apps", "Four apps", "Five apps", "Six apps", "Seven apps",
      "Eight apps", "Nine apps", "Ten apps", "Eleven apps", "Twelve apps",
    ]
    return count == 0 ? words[0] : (count < words.count ? words[count] : "\(count) apps") + ", one server"
  }

  private var list: HTML {
    let more = tenants.count - shown.count
    let rest: HTML = more > 0 ? "<li><p>And \(String(more)) more: <code>gatehouse tenant list</code></p></li>" : ""
    return """
      <ul class="list">
      \(HTML(shown.enumerated().map(row)))
      \(rest)
      </ul>
      """
  }

  private func row(_ index: Int, _ tenant: TenantSnapshot) -> HTML {
    let name = tenant.policy.app.name
    let line = tenant.enabled ? PolicyLine.text(of: tenant.policy, at: now) : "Switched off"
    let root = "/t/\(tenant.name)"
    let links: HTML = """
      <div class="acts">
      <a class="button" href="\(root)/ui/sign-up" aria-label="Sign up to \(name)">Sign up</a>
      <a href="\(root)/ui/sign-in" aria-label="Sign in to \(name)">Sign in</a>
      <a href="\(root)/ui/account" aria-label="Account of \(name)">Account</a>
      <a href="\(root)\(PublicDocument.policy.rawValue)" aria-label="Policy of \(name)">Policy</a>
      </div>
      """
    return """
      <li class="tenant app-\(String(index))">
      <div class="who">
      \(mark(tenant))
      <div>
      <h2>\(name)</h2>
      <p class="soft">\(line)</p>
      </div>
      </div>
      \(tenant.enabled ? links : "")
      </li>
      """
  }

  /// The tenant's logo, else the first letter of its app's name. The logo of a disabled tenant is refused.
  private func mark(_ tenant: TenantSnapshot) -> HTML {
    let root = "/t/\(tenant.name)/"
    guard let address = tenant.address(of: .logo, root: root) else {
      return "<span class=\"mark\" aria-hidden=\"true\">\(tenant.policy.app.name.prefix(1).uppercased())</span>"
    }
    return Brand.Logo(address: address, dark: tenant.address(of: .logoDark, root: root))
      .html(on: .ofDevice, name: "", size: 40)
  }

  /// The colours of a tenant's theme, on the ground that the device asks for.
  private func colours(_ index: Int, _ tenant: TenantSnapshot) -> HTML {
    let style = PageStyle(theme: tenant.policy.theme)
    func rule(_ palette: PageStyle.Palette) -> HTML {
      let accents = style.accents(on: palette)
      return ".app-\(String(index)){--button:\(accents.button.text);--label:\(accents.label.text)}"
    }
    return "\(rule(.light))@media (prefers-color-scheme:dark){\(rule(.dark))}"
  }

  /// How to make the first app.
  private var beginning: HTML {
    guard let files else {
      return """
        <p>Write a policy, and make an app of it:</p>
        <pre>gatehouse policy init notes &gt; notes.yaml
        gatehouse tenant create notes --policy notes.yaml</pre>
        """
    }
    return """
      <p>Save a policy in the folder that the server watches, and reload:</p>
      <pre>gatehouse policy init notes &gt; \(files.path("notes.yaml"))</pre>
      """
  }

  /// The way to see a policy change.
  private var edit: HTML {
    if let files {
      let served = Set(shown.map { "\($0.name).yaml" })
      guard let name = files.names.first(where: served.contains) ?? files.names.first else { return "" }
      return "<p>Edit <code>\(files.path(name))</code> and reload.</p>"
    }
    guard let name = shown.first.map({ "\($0.name)" }) else { return "" }
    return """
      <p>Edit the text of <code>gatehouse policy show \(name)</code>, apply it with
      <code>gatehouse policy apply \(name) FILE</code>, and reload.</p>
      """
  }

  /// The faults of policy files and tenants. A person who edits a file sees here why the edit is not live.
  private var troubles: [HTML] {
    let lost = (files?.lost).map { why in
      Self.trouble("The folder \(files?.directory ?? "") cannot be read", why, run: nil)
    }
    let edits = (files?.troubles ?? []).map { trouble in
      Self.trouble(
        "\(trouble.name) is \(trouble.isRefused ? "refused" : "not live")", trouble.why, run: trouble.command)
    }
    let failures = unserved.sorted { $0.key < $1.key }.map { name, failure in
      Self.trouble("\(name) cannot be served", failure.reason, run: nil)
    }
    return Array(([lost].compactMap(\.self) + edits + failures).prefix(Self.mostTroubles))
  }

  private static func trouble(_ title: String, _ why: String, run command: String?) -> HTML {
    let advice: HTML = if let command { "<p><code>\(command)</code></p>" } else { "" }
    return """
      <div class="trouble">
      <h2>\(title)</h2>
      <p>\(why)</p>
      \(advice)
      </div>
      """
  }
}
