import GatehousePolicy

extension PageLanguage {
  init(_ language: Language) {
    self.init(tag: language.rawValue, name: language.name, isMirrored: language.direction == .rightToLeft)
  }

  static let english = PageLanguage(Language.english)
  static let spanish = PageLanguage(Language.spanish)
  static let german = PageLanguage(Language.german)
  static let arabic = PageLanguage(Language.arabic)
}
