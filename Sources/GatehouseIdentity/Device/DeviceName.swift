import GatehouseWire

/// The name of a device whose app gives it none.
package enum DeviceName {
  /// `Safari on iPhone`, `Chrome on Windows`, from a User-Agent field (RFC 9110 section 10.1.5). The result has only
  /// words of this file, never text of the field; nil where nothing is recognised.
  package static func derived(from userAgent: String?) -> String? {
    guard let userAgent else { return nil }
    let text = Array(userAgent.utf8.prefix(1024))
    func has(_ word: String) -> Bool { text.firstRange(of: Array(word.utf8)) != nil }
    let program = programs.first { has($0.sign) }?.name
    let system = systems.first { has($0.sign) }?.name
    return switch (program, system) {
    case (let program?, let system?): "\(program) on \(system)"
    case (let one?, nil), (nil, let one?): one
    case (nil, nil): nil
    }
  }

  /// The name that the client gives itself, as one line of at most `longest` code points, or the one that its
  /// User-Agent field shows.
  static func of(_ device: Device?, _ call: Call) -> String? {
    device?.name.flatMap(shown) ?? derived(from: call.userAgent)
  }

  /// The given name of a device as it is stored; nil where nothing of it can be seen.
  package static func shown(_ given: String) -> String? { Decoration.line(given, longest: longest) }

  /// Code points.
  package static let longest = 100

  // The first sign that is found counts: browsers name those that they want to be taken for as well.
  private static let programs: [(sign: String, name: String)] = [
    ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"), ("CFNetwork/", "App"), ("okhttp/", "App"), ("Dalvik/", "App"), ("curl/", "curl"),
  ]

  private static let systems: [(sign: String, name: String)] = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("okhttp/", "Android"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Darwin/", "Apple device"), ("Linux", "Linux"),
  ]
}
