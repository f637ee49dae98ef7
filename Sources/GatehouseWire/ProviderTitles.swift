package import GatehousePolicy

extension ErrorCode {
  /// The text of a refusal that a provider is the reason of, with the provider as people call it; nil for every other
  /// code.
  package func title(naming provider: String) -> Spoken? {
    switch self {
    case .providerNotLinked:
      Spoken(
        "Please connect your \(provider) account", "Conecta tu cuenta de \(provider)",
        "Verbinden Sie Ihr Konto bei \(provider)", "اربط حسابك في \(provider.isolated)")
    case .providerLinkBroken:
      Spoken(
        "Please connect your \(provider) account again", "Vuelve a conectar tu cuenta de \(provider)",
        "Verbinden Sie Ihr Konto bei \(provider) erneut", "اربط حسابك في \(provider.isolated) من جديد")
    case .providerScopesMissing:
      Spoken(
        "Some permissions are missing at \(provider).", "Faltan permisos en \(provider).",
        "Bei \(provider) fehlen Berechtigungen.", "بعض الأذونات ناقصة في \(provider.isolated).")
    case .providerError:
      Spoken(
        "\(provider) gave an error.", "\(provider) dio un error.", "\(provider) hat einen Fehler gemeldet.",
        "أبلغت خدمة \(provider.isolated) عن خطأ.")
    case .providerUnavailable:
      Spoken(
        "\(provider) is unavailable right now.", "\(provider) no está disponible en este momento.",
        "\(provider) ist gerade nicht erreichbar.", "خدمة \(provider.isolated) غير متاحة الآن.")
    case .providerTokenInvalid:
      Spoken(
        "\(provider) did not confirm who you are.", "\(provider) no confirmó quién eres.",
        "\(provider) hat Ihre Identität nicht bestätigt.", "لم تؤكد خدمة \(provider.isolated) هويتك.")
    case .providerDenied:
      Spoken(
        "You did not allow this at \(provider).", "No lo permitiste en \(provider).",
        "Sie haben das bei \(provider) nicht erlaubt.", "لم تسمح بذلك في \(provider.isolated).")
    case .providerAccountTaken:
      Spoken(
        "This \(provider) account is connected to another user.",
        "Esta cuenta de \(provider) está conectada con otra persona.",
        "Dieses Konto bei \(provider) ist mit einer anderen Person verbunden.",
        "هذا الحساب في \(provider.isolated) مرتبط بمستخدم آخر.")
    default: nil
    }
  }
}
