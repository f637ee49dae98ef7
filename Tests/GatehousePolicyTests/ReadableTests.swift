import GatehousePolicy
import Testing

@Suite("Values and characters as people read them")
struct ReadableTests {
  @Test(
    "a stored number of North America has its national form, and others stay as they are",
    arguments: [
      ("+17855550123", "(785) 555-0123"), ("+493012345678", "+493012345678"), ("+1785555012", "+1785555012"),
      ("+1785555012x", "+1785555012x"), ("", ""),
    ])
  func phones(_ stored: String, _ shown: String) { #expect(PhoneText.national(stored) == shown) }

  @Test("a national form is read as the number that it shows")
  func round() {
    #expect(PhoneText.unitedStates(PhoneText.national("+17855550123")) == "+17855550123")
  }

  private func sentence(_ set: String, _ language: String) -> String? {
    guard let set = Charset(set) else { return nil }
    let rule = Rule(id: "nick.charset", kind: .charset, target: .field, parameter: .characters(set))
    return Catalogue.texts(of: rule).text(in: [language])
  }

  @Test(
    "a set of characters is told in words",
    arguments: [
      ("a-zA-Z0-9_.", "Use only letters, numbers, . and _", "Usa solo letras, números, . y _"),
      ("A-Z", "Use only capital letters", "Usa solo letras mayúsculas"),
      ("0-9a-f", "Use only numbers and a–f", "Usa solo números y a–f"),
      ("a-z ", "Use only small letters and spaces", "Usa solo letras minúsculas y espacios"),
    ])
  func characters(_ set: String, _ english: String, _ spanish: String) {
    #expect(sentence(set, "en") == english && sentence(set, "es") == spanish)
  }

  @Test("a value has the policy's label, and what it says itself elsewhere")
  func values() {
    var field = Field(name: "team", type: .enum)
    field.valueLabels = ["member": ["en": "Teammate"]]
    #expect(field.readable("member").text(in: ["en"]) == "Teammate")
    #expect(field.readable("member").text(in: ["es"]) == "Miembro")
    #expect(field.readable("night_owl").text(in: ["en"]) == "Night owl")
  }
}
