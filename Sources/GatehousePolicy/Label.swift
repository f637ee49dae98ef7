/// The names that people read.
public enum Label {
  /// An identifier as people read it: `phoneNumber` is "Phone number", `photoURL` "Photo URL", `chapter_id` "Chapter
  /// ID".
  public static func readable(_ identifier: String) -> String {
    let words = words(of: Array(identifier.unicodeScalars)).enumerated().map { index, word -> String in
      let lower = word.lowercased()
      if lower == "id" || lower == "url" { return lower.uppercased() }
      if word.unicodeScalars.count > 1, word == word.uppercased(), word != lower { return word }
      return index == 0 ? lower.prefix(1).uppercased() + lower.dropFirst() : lower
    }
    return words.isEmpty ? identifier : words.joined(separator: " ")
  }

  /// A word ends before a capital that follows a small letter or begins another word, and at each separator.
  private static func words(of scalars: [Unicode.Scalar]) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func isCapital(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isUppercase }
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    for (index, scalar) in scalars.enumerated() {
      guard scalar != "_", scalar != "-", scalar != " " else {
        end()
        continue
      }
      if isCapital(scalar), let last = word.last {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        if !isCapital(last) || next.map(\.properties.isLowercase) == true { end() }
      }
      word.append(scalar)
    }
    end()
    return words
  }

  /// The name that people know a provider by: "Spotify" for `spotify`.
  public static func provider(_ name: String) -> String {
    name == "github" ? "GitHub" : name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension Label {
  /// A field that no policy gives a label, by language.
  static func field(_ name: String) -> Texts {
    var texts: Texts = ["en": readable(name)]
    texts.byLanguage["es"] = spanish[name.lowercased()]
    return texts
  }

  /// A value of a list that no policy gives a label, by language.
  package static func value(_ value: String) -> Texts {
    var texts: Texts = ["en": readable(value)]
    texts.byLanguage["es"] = spanishValues[value.lowercased()]
    return texts
  }

  /// The values that apps give their lists most often, in small letters.
  private static let spanishValues = [
    "admin": "Administrador", "member": "Miembro", "owner": "Propietario", "moderator": "Moderador",
    "guest": "Invitado",
    "user": "Usuario", "editor": "Editor", "yes": "Sí", "no": "No", "other": "Otro", "none": "Ninguno",
  ]

  /// The names that apps give their fields most often, in small letters.
  private static let spanish = [
    "name": "Nombre", "fullname": "Nombre completo", "firstname": "Nombre", "lastname": "Apellidos",
    "displayname": "Nombre visible", "username": "Nombre de usuario", "nickname": "Apodo", "phone": "Teléfono",
    "phonenumber": "Número de teléfono", "photourl": "URL de la foto", "avatarurl": "URL del avatar",
    "birthday": "Fecha de nacimiento", "birthdate": "Fecha de nacimiento", "country": "País", "city": "Ciudad",
    "language": "Idioma", "website": "Sitio web", "bio": "Biografía", "role": "Rol",
  ]
}

extension Field {
  /// The field as people read it: the policy's `label`, and in other languages what its identifier says.
  public var readable: Texts {
    Texts(Label.field(name).byLanguage.merging(label?.byLanguage ?? [:]) { $1 })
  }

  /// A value as people read it: the policy's label, and in other languages what the value itself says.
  public func readable(_ value: String) -> Texts {
    Texts(Label.value(value).byLanguage.merging(valueLabels[value]?.byLanguage ?? [:]) { $1 })
  }

  /// The field as a person reads it who understands these languages, best first.
  public func title(in languages: [String]) -> String { readable.text(in: languages) ?? name }
}
