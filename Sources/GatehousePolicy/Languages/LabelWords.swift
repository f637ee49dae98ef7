/// The identifiers that apps use most often, as people read them. Keys are in small letters; in English the identifier
/// itself says the words.
enum LabelWords {
  typealias Row = @Sendable (_ english: String) -> Spoken

  /// Names of fields.
  static let fields: [String: Row] = [
    "name": { Spoken($0, "Nombre", "Name", "الاسم") },
    "fullname": { Spoken($0, "Nombre completo", "Vollständiger Name", "الاسم الكامل") },
    "firstname": { Spoken($0, "Nombre", "Vorname", "الاسم الأول") },
    "lastname": { Spoken($0, "Apellidos", "Nachname", "اسم العائلة") },
    "displayname": { Spoken($0, "Nombre visible", "Anzeigename", "الاسم المعروض") },
    "username": { Spoken($0, "Nombre de usuario", "Benutzername", "اسم المستخدم") },
    "nickname": { Spoken($0, "Apodo", "Spitzname", "اللقب") },
    "phone": { Spoken($0, "Teléfono", "Telefon", "الهاتف") },
    "phonenumber": { Spoken($0, "Número de teléfono", "Telefonnummer", "رقم الهاتف") },
    "photourl": { Spoken($0, "URL de la foto", "URL des Fotos", "رابط الصورة") },
    "avatarurl": { Spoken($0, "URL del avatar", "URL des Avatars", "رابط الصورة الرمزية") },
    "birthday": { Spoken($0, "Fecha de nacimiento", "Geburtsdatum", "تاريخ الميلاد") },
    "birthdate": { Spoken($0, "Fecha de nacimiento", "Geburtsdatum", "تاريخ الميلاد") },
    "country": { Spoken($0, "País", "Land", "البلد") },
    "city": { Spoken($0, "Ciudad", "Stadt", "المدينة") },
    "language": { Spoken($0, "Idioma", "Sprache", "اللغة") },
    "website": { Spoken($0, "Sitio web", "Website", "الموقع الإلكتروني") },
    "bio": { Spoken($0, "Biografía", "Über mich", "نبذة") },
    "role": { Spoken($0, "Rol", "Rolle", "الدور") },
  ]

  /// Values of lists.
  static let values: [String: Row] = [
    "admin": { Spoken($0, "Administrador", "Administrator", "مدير") },
    "member": { Spoken($0, "Miembro", "Mitglied", "عضو") },
    "owner": { Spoken($0, "Propietario", "Eigentümer", "مالك") },
    "moderator": { Spoken($0, "Moderador", "Moderator", "مشرف") },
    "guest": { Spoken($0, "Invitado", "Gast", "ضيف") },
    "user": { Spoken($0, "Usuario", "Benutzer", "مستخدم") },
    "editor": { Spoken($0, "Editor", "Redakteur", "محرر") },
    "yes": { Spoken($0, "Sí", "Ja", "نعم") },
    "no": { Spoken($0, "No", "Nein", "لا") },
    "other": { Spoken($0, "Otro", "Andere", "آخر") },
    "none": { Spoken($0, "Ninguno", "Keine", "لا شيء") },
  ]
}
