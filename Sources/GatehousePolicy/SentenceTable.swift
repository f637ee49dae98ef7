// One entry is one sentence in both languages.

extension Sentences {
  /// By what `key(of:region:)` says.
  static let table = email.merging(password) { $1 }.merging(field) { $1 }

  private static let email: [String: Template] = [
    "email.required": Template("Enter your email address.", "Escribe tu correo electrónico."),
    "email.syntax": Template("Enter a valid email address.", "Escribe un correo electrónico válido."),
    "email.max_length": Template(
      "Email must be at most {max} characters.", "El correo debe tener {max} caracteres como máximo.",
      one: ["en": "Email must be at most 1 character.", "es": "El correo debe tener 1 carácter como máximo."]),
    "email.allowed_domains": Template(
      "Email must be at one of these domains: {domains}.", "El correo debe ser de uno de estos dominios: {domains}.",
      one: ["en": "Email must be an address at {domains}.", "es": "El correo debe ser de {domains}."]),
    "email.plain_local_part": Template(
      "Enter an email address without %, ! and =? before the @.", "Escribe un correo sin %, ! ni =? antes de la @."),
    "email.denied_domains": Template(
      "This email provider is not accepted.", "No se acepta este proveedor de correo."),
    "email.deny_disposable": Template(
      "Temporary email addresses are not accepted.", "No se aceptan correos temporales."),
    "email.deny_subaddress": Template(
      "Enter your email address without the part after +.", "Escribe tu correo sin la parte que sigue al +."),
  ]

  private static let password: [String: Template] = [
    "password.required": Template("Enter a password.", "Escribe una contraseña."),
    "password.min_length": Template(
      "Password must be at least {min} characters.", "La contraseña debe tener al menos {min} caracteres.",
      one: ["en": "Password must be at least 1 character.", "es": "La contraseña debe tener al menos 1 carácter."]),
    "password.max_length": Template(
      "Password must be at most {max} characters.", "La contraseña debe tener {max} caracteres como máximo.",
      one: ["en": "Password must be at most 1 character.", "es": "La contraseña debe tener 1 carácter como máximo."]),
    "password.require.uppercase": Template(
      "Password must contain at least one uppercase letter.", "La contraseña debe contener al menos una mayúscula."),
    "password.require.lowercase": Template(
      "Password must contain at least one lowercase letter.", "La contraseña debe contener al menos una minúscula."),
    "password.require.digit": Template(
      "Password must contain at least one number.", "La contraseña debe contener al menos un número."),
    "password.require.special": Template(
      "Password must contain at least one special character.",
      "La contraseña debe contener al menos un carácter especial."),
    "password.not_containing": Template(
      "Password must not contain your name or email.", "La contraseña no debe contener tu nombre ni tu correo."),
    "password.not_in": Template("This password is too well known.", "Esta contraseña es demasiado conocida."),
    "password.min_strength": Template(
      "Password is too easy to guess.", "La contraseña es demasiado fácil de adivinar."),
    "password.not_last": Template(
      "Password must not be one of your last {count} passwords.",
      "La contraseña no debe ser una de tus últimas {count} contraseñas.",
      one: ["en": "Password must not be your last password.", "es": "La contraseña no debe ser la última que usaste."]),
    "password.max_age": Template("It is time for a new password.", "Es hora de cambiar la contraseña."),
  ]

  private static let field: [String: Template] = [
    "field.required": Template("{field} is required.", "El campo «{field}» es obligatorio."),
    "field.type.string": Template("{field} must be text.", "El campo «{field}» debe ser un texto."),
    "field.type.enum": Template("{field} must be text.", "El campo «{field}» debe ser un texto."),
    "field.type.integer": Template("{field} must be a whole number.", "El campo «{field}» debe ser un número entero."),
    "field.type.boolean": Template("{field} must be true or false.", "El campo «{field}» debe ser verdadero o falso."),
    "field.type.url": Template("{field} must be a web address.", "El campo «{field}» debe ser una dirección web."),
    "field.type.date": Template("{field} must be a date.", "El campo «{field}» debe ser una fecha."),
    "field.type.phone": Template("{field} must be a phone number.", "El campo «{field}» debe ser un teléfono."),
    "field.format.url": Template("{field} must be a web address.", "El campo «{field}» debe ser una dirección web."),
    "field.format.date": Template(
      "{field} must be a date as YYYY-MM-DD.", "El campo «{field}» debe ser una fecha como AAAA-MM-DD."),
    "field.format.phone": Template("{field} is not valid.", "El campo «{field}» no es un teléfono válido."),
    "field.format.phone.US": Template(
      "{field} must be a 10-digit US number.", "El campo «{field}» debe ser un teléfono de EE. UU. de 10 dígitos."),
    "field.write": Template("{field} cannot be set by you.", "No puedes cambiar el campo «{field}»."),
    "field.unknown": Template("There is no such field.", "Este campo no existe."),
    "field.unique": Template("{field} is already taken.", "El valor del campo «{field}» ya está en uso."),
    "field.min_length": Template(
      "{field} must be at least {min} characters.", "El campo «{field}» debe tener al menos {min} caracteres.",
      one: ["en": "{field} must be at least 1 character.", "es": "El campo «{field}» debe tener al menos 1 carácter."]),
    "field.max_length": Template(
      "{field} must be at most {max} characters.", "El campo «{field}» debe tener {max} caracteres como máximo.",
      one: [
        "en": "{field} must be at most 1 character.", "es": "El campo «{field}» debe tener 1 carácter como máximo.",
      ]),
    "field.charset": Template(
      "{field} has a character that is not allowed (allowed: {characters}).",
      "El campo «{field}» tiene un carácter no permitido (permitidos: {characters})."),
    "field.charset.letters": Template(
      "{field} may contain only letters.", "El campo «{field}» solo puede contener letras."),
    "field.reserved": Template(
      "{field} must not be a reserved name.", "El campo «{field}» no puede ser un nombre reservado."),
    "field.min": Template("{field} must be at least {min}.", "El campo «{field}» debe ser {min} como mínimo."),
    "field.max": Template("{field} must be at most {max}.", "El campo «{field}» debe ser {max} como máximo."),
    "field.values": Template(
      "{field} must be one of: {values}.", "El campo «{field}» debe ser uno de estos valores: {values}.",
      one: ["en": "{field} must be {values}.", "es": "El campo «{field}» debe ser {values}."]),
    "field.https_only": Template(
      "{field} must be an https address.", "El campo «{field}» debe ser una dirección https."),
    "field.allowed_regions": Template(
      "{field} must be a number from one of these regions: {regions}.",
      "El campo «{field}» debe ser un número de una de estas regiones: {regions}.",
      one: [
        "en": "{field} must be a number from {regions}.", "es": "El campo «{field}» debe ser un número de {regions}.",
      ]),
  ]
}
