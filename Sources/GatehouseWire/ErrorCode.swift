/// Every reason for which a request is refused. Codes and statuses never change; new ones are appended.
package enum ErrorCode: String, Codable, Sendable, CaseIterable {
  case validationFailed = "validation_failed"
  case invalidCredentials = "invalid_credentials"
  case accountExists = "account_exists"
  case accountDisabled = "account_disabled"
  case mfaRequired = "mfa_required"
  case tooManyAttempts = "too_many_attempts"
  case rateLimited = "rate_limited"
  case cooldown = "cooldown"
  case overloaded = "overloaded"
  case tenantNotFound = "tenant_not_found"
  case tenantDisabled = "tenant_disabled"
  case notFound = "not_found"
  case unauthenticated = "unauthenticated"
  case tokenExpired = "token_expired"
  case forbidden = "forbidden"
  case reauthenticationRequired = "reauthentication_required"
  case accessLimited = "access_limited"
  case refreshTokenInvalid = "refresh_token_invalid"
  case sessionRevoked = "session_revoked"
  case codeInvalid = "code_invalid"
  case codeExpired = "code_expired"
  case codeUsed = "code_used"
  case providerNotLinked = "provider_not_linked"
  case providerLinkBroken = "provider_link_broken"
  case providerScopesMissing = "provider_scopes_missing"
  case providerError = "provider_error"
  case providerUnavailable = "provider_unavailable"
  case conflict = "conflict"
  case idempotencyConflict = "idempotency_conflict"
  case payloadTooLarge = "payload_too_large"
  case malformedRequest = "malformed_request"
  case unsupportedMediaType = "unsupported_media_type"
  case methodNotAllowed = "method_not_allowed"
  case `internal` = "internal"
  case unknownOutcome = "unknown_outcome"
  case refused = "refused"
  case exists = "exists"
  case consentRequired = "consent_required"
  case revisionStale = "revision_stale"
  case preconditionRequired = "precondition_required"
  case providerTokenInvalid = "provider_token_invalid"
  case providerDenied = "provider_denied"
  case providerAccountTaken = "provider_account_taken"
  case lastSignInMethod = "last_sign_in_method"
  case attestRequired = "attest_required"
  case attestInvalid = "attest_invalid"
  case requestTimeout = "request_timeout"
  case uriTooLong = "uri_too_long"
  case expectationFailed = "expectation_failed"
  case headerFieldsTooLarge = "header_fields_too_large"
  case notImplemented = "not_implemented"
  case httpVersionNotSupported = "http_version_not_supported"

  /// The HTTP status, and the text for a person in English and in Spanish.
  package var entry: (status: Int, en: String, es: String) {
    switch self {
    case .validationFailed: (422, "Please check the form", "Revisa el formulario")
    case .invalidCredentials: (401, "Invalid email or password.", "Correo o contraseña incorrectos.")
    case .accountExists: (409, "This email is already registered.", "Este correo ya está registrado.")
    case .accountDisabled: (403, "This account is disabled.", "Esta cuenta está desactivada.")
    case .mfaRequired: (401, "A second step is needed.", "Hace falta un segundo paso.")
    case .tooManyAttempts: (429, "Too many attempts. Please wait.", "Demasiados intentos. Espera un poco.")
    case .rateLimited: (429, "Too many requests. Please wait.", "Demasiadas peticiones. Espera un poco.")
    case .cooldown: (429, "Please wait before asking again.", "Espera antes de pedirlo otra vez.")
    case .overloaded: (503, "Busy right now. Please try again.", "Mucha demanda. Inténtalo de nuevo.")
    case .tenantNotFound: (404, "There is no such app here.", "No existe esa aplicación aquí.")
    case .tenantDisabled: (403, "This app is switched off.", "Esta aplicación está desactivada.")
    case .notFound: (404, "Not found.", "No encontrado.")
    case .unauthenticated: (401, "You must be signed in to continue", "Inicia sesión para continuar")
    case .tokenExpired: (401, "Session expired. Please sign in again", "La sesión caducó. Inicia sesión otra vez")
    case .forbidden: (403, "You may not do this.", "No tienes permiso para esto.")
    case .reauthenticationRequired: (403, "Please confirm that it is you.", "Confirma que eres tú.")
    case .accessLimited: (403, "Something is still missing.", "Todavía falta algo.")
    case .refreshTokenInvalid:
      (401, "Session expired. Please sign in again", "La sesión caducó. Inicia sesión otra vez")
    case .sessionRevoked:
      (401, "This session has ended. Please sign in again", "La sesión terminó. Inicia sesión otra vez")
    case .codeInvalid: (400, "This code or link is not valid.", "El código o enlace no es válido.")
    case .codeExpired: (400, "This code or link has expired.", "El código o enlace ha caducado.")
    case .codeUsed: (400, "This code or link was already used.", "El código o enlace ya se usó.")
    case .providerNotLinked: (409, "Please connect this account first", "Conecta primero esta cuenta")
    case .providerLinkBroken: (409, "Please connect this account again", "Vuelve a conectar esta cuenta")
    case .providerScopesMissing: (409, "Some permissions are missing.", "Faltan permisos.")
    case .providerError: (502, "The other service gave an error.", "El otro servicio dio un error.")
    case .providerUnavailable: (503, "The other service is unavailable.", "El otro servicio no está disponible.")
    case .conflict: (409, "Someone else changed this just now.", "Alguien lo cambió justo ahora.")
    case .idempotencyConflict: (422, "This key was used for another request.", "Esta clave se usó en otra petición.")
    case .payloadTooLarge: (413, "The request is too large.", "La petición es demasiado grande.")
    case .malformedRequest: (400, "The request is not well formed.", "La petición está mal formada.")
    case .unsupportedMediaType: (415, "Send application/json.", "Envía application/json.")
    case .methodNotAllowed: (405, "This method is not allowed here.", "Este método no se permite aquí.")
    case .internal: (500, "Something went wrong on our side.", "Algo falló de nuestro lado.")
    case .unknownOutcome: (503, "It is unknown whether this worked.", "No se sabe si esto funcionó.")
    case .providerTokenInvalid:
      (401, "The other service did not confirm who you are.", "El otro servicio no confirmó quién eres.")
    case .providerDenied: (409, "You did not allow this.", "No lo permitiste.")
    case .providerAccountTaken:
      (409, "This account is connected to another user.", "Esta cuenta está conectada con otra persona.")
    case .lastSignInMethod: (409, "This is your only way to sign in.", "Es tu única forma de iniciar sesión.")
    case .attestRequired: (403, "Please use the app.", "Usa la aplicación.")
    case .attestInvalid:
      (403, "This copy of the app could not be verified.", "No se pudo verificar esta copia de la aplicación.")
    // The HTTP layer's, before a route is known.
    case .requestTimeout: (408, "The request took too long.", "La petición tardó demasiado.")
    case .uriTooLong: (414, "The address is too long.", "La dirección es demasiado larga.")
    case .expectationFailed: (417, "Expect only 100-continue.", "Solo se admite 100-continue en Expect.")
    case .headerFieldsTooLarge:
      (431, "The header fields are too large.", "Los campos de cabecera son demasiado grandes.")
    case .notImplemented: (501, "This transfer coding is not supported.", "Esta codificación no se admite.")
    case .httpVersionNotSupported: (505, "Use HTTP/1.1 or HTTP/2.", "Usa HTTP/1.1 o HTTP/2.")
    // The admin API's.
    case .refused: (422, "The operation was refused.", "La operación se ha rechazado.")
    case .exists: (409, "It exists already.", "Ya existe.")
    case .consentRequired: (409, "Confirm this change.", "Confirma este cambio.")
    case .revisionStale: (412, "Another revision is live.", "Hay otra revisión en vigor.")
    case .preconditionRequired: (428, "Send If-Match.", "Envía If-Match.")
    }
  }

  /// The HTTP status of a refusal for this reason.
  package var status: Int { entry.status }
}
