#if canImport(DeviceCheck)
  import DeviceCheck
  import Foundation

  /// The keys of this device: `DCAppAttestService`.
  struct DeviceAttestKeys: AttestKeys {
    var isSupported: Bool { DCAppAttestService.shared.isSupported }

    func makeKey() async throws(AttestKeyError) -> String {
      try await outcome { DCAppAttestService.shared.generateKey(completionHandler: $0) }
    }

    func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
      try await outcome {
        DCAppAttestService.shared.attestKey(key, clientDataHash: clientDataHash, completionHandler: $0)
      }
    }

    func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
      try await outcome {
        DCAppAttestService.shared.generateAssertion(key, clientDataHash: clientDataHash, completionHandler: $0)
      }
    }

    /// The system does not say on which thread it calls.
    private func outcome<Value: Sendable>(
      _ begin: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws(AttestKeyError) -> Value {
      let result: Result<Value, AttestKeyError> = await withCheckedContinuation { continuation in
        begin { value, error in
          continuation.resume(returning: value.map { .success($0) } ?? .failure(AttestKeyError(error)))
        }
      }
      return try result.get()
    }
  }

  extension AttestKeyError {
    fileprivate init(_ error: (any Error)?) {
      switch (error as? DCError)?.code {
      case .featureUnsupported: self = .unsupported
      // The name of a key that the device does not have is told as either.
      case .invalidKey, .invalidInput: self = .keyInvalid
      case .serverUnavailable: self = .unavailable
      default: self = .failed
      }
    }
  }
#endif
