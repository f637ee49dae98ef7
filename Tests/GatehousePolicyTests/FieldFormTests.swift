import GatehousePolicy
import Testing

@Suite("A field in a form")
struct FieldFormTests {
  @Test(
    "a title is the policy's label in the reader's first language, else the name in words",
    arguments: [
      ("phoneNumber", nil, ["en"], "Phone number"), ("phoneNumber", nil, ["es"], "Número de teléfono"),
      ("classYear", nil, ["es"], "Class year"), ("classYear", ["es": "Curso"], ["es"], "Curso"),
      ("classYear", ["es": "Curso"], ["es-MX"], "Curso"), ("classYear", ["es": "Curso"], ["en"], "Class year"),
      ("classYear", ["es": "Curso"], ["fr", "es"], "Curso"), ("classYear", ["es": "Curso"], [], "Class year"),
      ("classYear", ["en": "Year", "es": "Curso"], ["de"], "Year"), ("_", nil, ["en"], "_"),
    ] as [(String, Texts?, [String], String)])
  func title(name: String, label: Texts?, languages: [String], expected: String) {
    #expect(Field(name: name, type: .string, label: label).title(in: languages) == expected)
  }

  @Test(
    "a sign-up asks for a field that its users may set, and that is required or marked",
    arguments: [
      (Field.Write.user, true, false, true), (.user, false, true, true), (.user, false, false, false),
      (.userAtSignUp, true, false, true), (.userAtSignUp, false, true, true), (.admin, true, false, false),
      (.admin, false, true, false),
    ])
  func asked(write: Field.Write, isRequired: Bool, atSignUp: Bool, expected: Bool) {
    let rules = isRequired ? [Policies.field("f", .required)] : []
    let field = Field(name: "f", type: .string, rules: rules, write: write, atSignUp: atSignUp)
    #expect(field.isAskedAtSignUp == expected)
  }

  @Test("a requirement that is off, or binds at other doors alone, is none of the sign-up's")
  func elsewhere() {
    var rule = Policies.field("f", .required)
    rule.enforcement = Enforcement(.warn)
    #expect(Field(name: "f", type: .string, rules: [rule]).isAskedAtSignUp)
    rule.enforcement = Enforcement(.off)
    #expect(!Field(name: "f", type: .string, rules: [rule]).isAskedAtSignUp)
    rule.enforcement = .enforced
    rule.doors = DoorSet([.updateProfile])
    #expect(!Field(name: "f", type: .string, rules: [rule]).isAskedAtSignUp)
  }

  @Test("the public half has each field's label and whether a sign-up asks for it")
  func isPublic() {
    let fields = Policies.ddRide.publicFields
    #expect(
      fields.map { $0.label.text(in: ["es"]) } == ["Nombre", "Número de teléfono", "Curso", "Rol", "Capítulo"])
    #expect(fields.filter(\.atSignUp).map(\.name) == ["name", "phoneNumber", "classYear"])
  }
}
