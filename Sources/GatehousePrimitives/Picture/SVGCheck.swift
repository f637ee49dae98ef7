/// The check of an SVG: what may be in it is listed, everything else is refused. A browser shows it within a page by
/// `<img>`, where it runs nothing and fetches nothing; its address, opened alone, forbids the same.
struct SVGCheck {
  /// The most elements inside one another.
  static let mostDepth = 32
  static let namespace = "http://www.w3.org/2000/svg"

  /// The elements that may be there. None of them runs code, holds another kind of document, moves, leads elsewhere or
  /// shows what is not in the file.
  static let elements: Set<String> = [
    "svg", "g", "defs", "symbol", "use", "title", "desc", "style", "path", "rect", "circle", "ellipse", "line",
    "polyline", "polygon", "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "filter",
    "feBlend", "feColorMatrix", "feComposite", "feDropShadow", "feFlood", "feGaussianBlur", "feMerge",
    "feMergeNode", "feOffset",
  ]

  /// The remedy for an element that is well known and not allowed.
  private static let advice: [String: String] = [
    "script": "remove it: a logo runs no code", "foreignObject": "remove it: a logo holds no other page",
    "iframe": "remove it: a logo holds no other page", "a": "remove it, and keep what is inside: a logo leads nowhere",
    "pattern": "draw the shapes where they stand: a pattern may repeat them without end",
    "image": "trace the picture in it, or take a PNG of the whole logo", "animate": "remove it: a logo does not move",
    "animateMotion": "remove it: a logo does not move", "animateTransform": "remove it: a logo does not move",
    "set": "remove it: a logo does not move", "metadata": "remove it, or export the drawing as an optimised SVG",
  ]

  private var reader: SVGReader
  private var references = SVGReferences()
  private var cost = SVGCost()
  /// The open elements.
  private var open: [String] = []
  /// The prefixes that the root element declares.
  private var prefixes: Set<Substring> = ["xml"]
  /// The text between the tags of the open element `style`.
  private var sheet: [UInt8] = []
  private var isDone = false

  static func check(_ bytes: [UInt8]) throws(PictureProblem) {
    var check = SVGCheck(reader: try SVGReader(bytes))
    try check.run()
  }

  private init(reader: SVGReader) { self.reader = reader }

  private mutating func run() throws(PictureProblem) {
    while let token = try reader.next() {
      switch token {
      case .open(let element): try enter(element)
      case .close(let name, let at): try leave(name, at)
      case .text(let text, let at):
        if open.isEmpty, !text.allSatisfy(SVGReader.isBlank) { throw reader.problem("text stands outside of svg", at) }
        if open.last == "style" { sheet += text }
        references.add(weight: SVGCost.weight(of: text.count))
      }
    }
    guard open.isEmpty else { throw reader.problem("\(open.last ?? "svg") does not end", reader.bytes.count) }
    guard isDone else { throw reader.problem("there is no element svg", reader.bytes.count) }
    if let place = references.sheetMisuse {
      // GUARD: picture: a style sheet uses no parts
      throw reader.problem(
        "a style sheet refers to this, and may refer to gradients alone", place,
        do: "export the drawing with presentation attributes instead of a style sheet")
    }
    if let place = references.excess {
      // GUARD: picture: a drawing is bounded however often its parts are used
      throw reader.problem(
        "its parts use one another too often, or draw too much: \(SVGReferences.mostDrawn) drawn elements are allowed; "
          + "64 bytes of outline or text count as one, and a blur as 600", place,
        do: "draw the shapes where they stand instead of using them by reference, and blur fewer of them")
    }
  }

  private mutating func enter(_ element: SVGReader.Element) throws(PictureProblem) {
    let isRoot = open.isEmpty
    guard !isRoot || (!isDone && element.name == "svg") else {
      throw reader.problem(isDone ? "a second root element is not allowed" : "the root element is not svg", element.at)
    }
    // GUARD: picture: elements that are listed
    guard Self.elements.contains(element.name) else {
      throw reader.problem(
        "the element <\(element.name)> is not allowed", element.at,
        do: Self.advice[element.name]
          ?? "export the drawing as a plain or optimised SVG: shapes, text, gradients, masks")
    }
    guard open.count < Self.mostDepth else {
      throw reader.problem("more than \(Self.mostDepth) elements inside one another are not allowed", element.at)
    }
    if isRoot { try root(element) }
    references.enter(element.name, id: element.value("id"), weight: SVGCost.weight(of: element), at: element.at)
    if let problem = cost.problem(in: element) { throw reader.problem(problem.reason, problem.at, do: problem.advice) }
    for attribute in element.attributes { try judge(attribute, isRoot: isRoot) }
    if element.isEmpty {
      references.leave()
      isDone = isRoot
    } else {
      open.append(element.name)
    }
  }

  private mutating func leave(_ name: String, _ at: Int) throws(PictureProblem) {
    guard open.popLast() == name else { throw reader.problem("\(name) ends here and did not begin", at) }
    references.leave()
    isDone = open.isEmpty
    guard name == "style" else { return }
    let problem = SVGStyle.problem(in: sheet) { references.addOfSheet($0) }
    if let problem { throw reader.problem(problem.reason, at, do: problem.advice) }
    sheet = []
  }

  /// The root element names the language and, as `viewBox`, the extent of the drawing, without which it is not scaled.
  private mutating func root(_ element: SVGReader.Element) throws(PictureProblem) {
    guard element.value("xmlns").map({ $0.elementsEqual(Self.namespace.utf8) }) == true else {
      throw reader.problem(
        "svg has no xmlns=\"\(Self.namespace)\"", element.at, do: "add it: no browser shows it without")
    }
    let box = (element.value("viewBox") ?? []).split { SVGReader.isBlank($0) || $0 == UInt8(ascii: ",") }
      .map { Double(String(decoding: $0, as: UTF8.self)) ?? .nan }
    guard box.count == 4, box.allSatisfy(\.isFinite), box[2] > 0, box[3] > 0 else {
      throw reader.problem(
        "svg has no viewBox of four numbers", element.at, do: #"add it, as viewBox="0 0 WIDTH HEIGHT": it scales by it"#
      )
    }
    cost.side = max(box[2], box[3])
    for attribute in element.attributes where attribute.prefix == "xmlns" {
      prefixes.insert(attribute.name.dropFirst("xmlns:".count))
    }
  }

  private mutating func judge(_ attribute: SVGReader.Attribute, isRoot: Bool) throws(PictureProblem) {
    let (name, local) = (attribute.name, attribute.local)
    func refused(_ reason: String, do advice: String = "remove it") -> PictureProblem {
      reader.problem(reason, attribute.at, do: advice)
    }
    if attribute.prefix == "xmlns" {
      guard isRoot, !attribute.value.isEmpty, !["xml", "xmlns"].contains(local) else {
        throw refused("\(name) is allowed at the element svg alone")
      }
      return
    }
    guard name != "xmlns" || attribute.value.elementsEqual(Self.namespace.utf8) else {
      throw refused("another language than SVG is not allowed inside")
    }
    guard attribute.prefix.map(prefixes.contains) ?? true else {
      throw refused("the prefix of \(name) is not declared")
    }
    // GUARD: picture: no event handlers
    guard !local.hasPrefix("on") else { throw refused("\(name) is not allowed: a logo runs no code") }
    // GUARD: picture: the base of references
    guard local != "base" else { throw refused("\(name) is not allowed: it leads references elsewhere") }
    if local == "href" || local == "src" {
      // GUARD: picture: references within the file
      guard let id = SVGStyle.fragment(attribute.value) else {
        throw refused(
          "\(name) may only refer to an id of the file, as #id",
          do: "put what it refers to into the file, under an id of letters, digits, _, - and .")
      }
      references.add(id)
      return
    }
    guard Self.isStyle(attribute) else { return }
    // GUARD: picture: no dashes as an attribute
    guard name != "stroke-dasharray" || attribute.value.elementsEqual("none".utf8) else {
      throw refused("stroke-dasharray: \(SVGStyle.dashes.reason)", do: SVGStyle.dashes.advice)
    }
    if let problem = SVGStyle.problem(in: attribute.value, { references.add($0) }) {
      throw refused("\(name): \(problem.reason)", do: problem.advice)
    }
  }

  /// Whether an attribute may be read as CSS: it is no name and no text for readers, and belongs to no other language.
  private static func isStyle(_ attribute: SVGReader.Attribute) -> Bool {
    attribute.prefix == nil && !["xmlns", "id", "class"].contains(attribute.name)
      && !attribute.name.hasPrefix("aria-") && !attribute.name.hasPrefix("data-")
  }
}
