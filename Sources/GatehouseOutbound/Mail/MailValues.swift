package import GatehouseIdentity
import GatehousePrimitives

/// Why an order can not be rendered.
package enum MailRenderError: Error, Equatable, CustomStringConvertible {
  /// The kind asks the reader to do something, and the order has neither link nor code (or lacks the link it needs).
  case nothingToDo(MessageKind)
  /// The link is not an absolute http or https URL of printable ASCII.
  case link(MessageKind)
  /// The code is not 4 to 32 ASCII letters, digits and hyphens.
  case code(MessageKind)
  /// A template of the tenant left out the link or code that the order has.
  case notShown(MessageKind, file: String)

  package var description: String {
    switch self {
    case .nothingToDo(let kind): "mail \(kind.rawValue): neither a link nor a code to give"
    case .link(let kind): "mail \(kind.rawValue): the link is not an absolute http(s) URL"
    case .code(let kind): "mail \(kind.rawValue): the code is not made of letters and digits"
    case .notShown(let kind, let file):
      "mail \(kind.rawValue): \(file) shows neither the link nor the code it was given"
    }
  }
}

/// The values of the placeholders in one mail, made fit to be shown.
struct MailValues: Sendable {
  private var values: [MailPlaceholder: String] = [:]
  let colors: MailColors

  subscript(_ placeholder: MailPlaceholder) -> String? { values[placeholder] }

  /// Checks `order` and gathers its values; lengths of time are put in the words of `words`.
  init(_ order: MessageOrder, words: MailWords) throws(MailRenderError) {
    try Self.check(order)
    colors = MailColors(order.brand.primaryColor)
    values[.appName] = ShownText.line(order.brand.appName, max: 100) ?? "Gatehouse"
    values[.supportEmail] = order.brand.supportEmail.flatMap { ShownText.line($0, max: 254) }
    values[.name] = order.toName.flatMap(ShownText.userName)
    values[.email] = ShownText.line(DomainName.shown(inAddress: order.to.value), max: 254)
    values[.link] = order.link
    values[.code] = order.code
    values[.linkExpires] = order.link == nil ? nil : order.linkMinutes.map(words.duration)
    values[.codeExpires] = order.code == nil ? nil : order.codeMinutes.map(words.duration)
    values[.newEmail] = order.newEmail.flatMap { ShownText.line(DomainName.shown(inAddress: $0), max: 254) }
    values[.when] = order.when.flatMap { ShownText.line($0, max: 100) }
    values[.device] = order.device.flatMap(ShownText.deviceName)
    values[.place] = order.place.flatMap(ShownText.deviceName)
    values[.provider] = order.provider.flatMap { ShownText.line($0, max: 100) }
    values[.primaryColor] = colors.primary.text
    values[.onPrimaryColor] = colors.primary.onTop.text
    values[.termsURL] = order.brand.termsURL.flatMap { ShownText.line($0, max: 512) }
    values[.privacyURL] = order.brand.privacyURL.flatMap { ShownText.line($0, max: 512) }
  }

  private static func check(_ order: MessageOrder) throws(MailRenderError) {
    if let needs = order.kind.carries?.needs, !needs.isMet(link: order.link != nil, code: order.code != nil) {
      throw .nothingToDo(order.kind)
    }
    if let link = order.link?.utf8 {
      let absolute = link.starts(with: "https://".utf8) || link.starts(with: "http://".utf8)
      let plain = link.allSatisfy { (0x21...0x7e).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
      guard absolute, plain, link.count <= 2048 else { throw .link(order.kind) }
    }
    if let code = order.code?.utf8 {
      let plain = code.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
      guard plain, (4...32).contains(code.count) else { throw .code(order.kind) }
    }
  }
}
