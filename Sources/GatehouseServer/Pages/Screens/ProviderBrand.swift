import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// The looks of a provider's buttons, as its brand guide states them. Guides forbid redrawn marks, so the mark is the
/// file that the operator set, and a button without one has words alone.
struct ProviderBrand: Sendable {
  /// The colours of one button.
  struct Paint: Sendable {
    let ground, edge, text: Colour
  }

  /// The name that policies give it.
  let name: String
  let white, black: Paint
  /// Nil where the guide knows none: the white one is shown.
  var neutral: Paint?

  /// Google Sign-In, Sign in with Apple, Spotify's design guidelines, GitHub's logo guide. A black button has an edge,
  /// so that it is seen on dark ground.
  static let all = [
    ProviderBrand(
      name: "google", white: Paint(ground: 0xFFFFFF, edge: 0x747775, text: 0x1F1F1F),
      black: Paint(ground: 0x131314, edge: 0x8E918F, text: 0xE3E3E3),
      neutral: Paint(ground: 0xF2F2F2, edge: 0x747775, text: 0x1F1F1F)),
    ProviderBrand(
      name: "apple", white: Paint(ground: 0xFFFFFF, edge: 0x000000, text: 0x000000),
      black: Paint(ground: 0x000000, edge: 0x8E918F, text: 0xFFFFFF)),
    ProviderBrand(
      name: "spotify", white: Paint(ground: 0xFFFFFF, edge: 0x727272, text: 0x121212),
      black: Paint(ground: 0x121212, edge: 0x8E918F, text: 0xFFFFFF)),
    ProviderBrand(
      name: "github", white: Paint(ground: 0xFFFFFF, edge: 0x59636E, text: 0x1F2328),
      black: Paint(ground: 0x1F2328, edge: 0x8E918F, text: 0xFFFFFF),
      neutral: Paint(ground: 0xF6F8FA, edge: 0x59636E, text: 0x1F2328)),
  ]

  func paint(_ buttons: Theme.ProviderButtons) -> Paint {
    switch buttons {
    case .white: white
    case .black: black
    case .neutral: neutral ?? white
    }
  }

  /// The rules of the style sheet for the providers of a policy that have a guide.
  static func rules(of policy: Policy) -> HTML {
    let names = Set(policy.providers.map(\.name))
    return HTML(
      all.filter { names.contains($0.name) }.map { brand in
        let paint = brand.paint(policy.theme.providerButtons)
        return """
          .\(brand.name)>[type=submit]:not(.toggle):not(.first){background:\(paint.ground.text);border-color:\(paint.edge.text);color:\(paint.text.text)}
          """
      })
  }
}

extension Form {
  /// The form of a button that leads to a provider, with the provider's looks and the mark that the operator set.
  func leading(to provider: String, _ visit: Visit) -> Form {
    var form = self
    form.brand = ProviderBrand.all.first { $0.name == provider }?.name
    form.picture = visit.call.tenant.address(of: .provider(provider), root: visit.call.root)
    return form
  }
}
