import GatehouseIdentity
import Glibc

/// The person at a command line: the user of the operating system, and the person behind that user.
enum Person {
  static let stated = Flag(
    "as", Kind.statedName, "the name to keep beside the user or token as the author; stated, not proven")

  /// The operator who runs this command.
  static func operatorHere(_ invocation: Invocation) -> Operator {
    Operator(atCommandLine: name(invocation.surroundings), stated: invocation[stated].flatMap(StatedName.init))
  }

  /// `uid 0 (anna by sudo)`: the process's user, and the person behind it.
  ///
  /// The login's user is the kernel's: it stays the same through `su` and `sudo`. The environment alone tells the
  /// variables of `sudo`, so that they add to it and never take its place.
  static func name(_ surroundings: Surroundings) -> String {
    let user = surroundings.userID
    var persons: [String] = []
    let sudo = sudoer(surroundings)
    let login = surroundings.loginUserID.flatMap { $0 == user ? nil : named($0, surroundings) }
    if let login, login != sudo { persons.append("\(login) by login") }
    if let sudo { persons.append("\(sudo) by sudo") }
    if persons.isEmpty, user != 0, let own = surroundings.accountName(user) { persons.append(own) }
    return "uid \(user)" + (persons.isEmpty ? "" : " (\(persons.joined(separator: ", ")))")
  }

  /// The user who called `sudo`, as it says.
  private static func sudoer(_ surroundings: Surroundings) -> String? {
    if let name = surroundings["SUDO_USER"],
      isAccountName(name)  // GUARD: person: a name of the environment has only the letters of names
    {
      return name
    }
    return surroundings["SUDO_UID"].flatMap { UInt32($0) }.map { "uid \($0)" }
  }

  private static func named(_ user: UInt32, _ surroundings: Surroundings) -> String {
    surroundings.accountName(user) ?? "uid \(user)"
  }

  /// Whether a text is like the names of accounts, those of directories included: `anna`, `anna@example.com`,
  /// `EXAMPLE\\anna`.
  static func isAccountName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "._-@+$\\".utf8.contains(byte)
        }
      }
  }
}

extension Kind where Value == String {
  /// A name that a person gives as their own.
  static let statedName = Kind(
    placeholder: "NAME", expects: StatedName.expects, parse: { StatedName($0)?.text }, show: { $0 })
}

extension Surroundings {
  /// The user who logged in, as the kernel keeps it over `su` and `sudo`; nil where there was no login.
  static var loginUserIDOfThisProcess: UInt32? {
    guard let file = fopen("/proc/self/loginuid", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self).prefix { $0.isNumber }
    // The greatest number stands for none.
    return UInt32(text).flatMap { $0 == .max ? nil : $0 }
  }

  /// The name of a user of this machine.
  static func accountNameHere(_ user: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil, let bytes = entry.pw_name else {
      return nil
    }
    // SAFETY: pw_name lies in `buffer`, which lives until the text is copied.
    let name = String(cString: bytes)
    return Person.isAccountName(name) ? name : nil
  }
}
