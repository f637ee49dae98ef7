#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  public import AuthenticationServices
  public import Foundation

  extension BrowserFlow {
    /// Opens the page over the app, in the browser's own process, and returns the address that it comes back with, for
    /// `AuthClient.finish(at:)`.
    ///
    /// The flow needs a redirect with a scheme of the app's own, such as `vibes://spotify-callback`. Throws `cancelled`
    /// when the person closes the page or the task is cancelled.
    @MainActor
    public func run(from anchor: ASPresentationAnchor) async throws(AuthError) -> URL {
      let promise = Promise<Result<URL, AuthError>>()
      // The system does not say on which thread it calls.
      let session = ASWebAuthenticationSession(url: url, callbackURLScheme: redirect?.scheme) {
        @Sendable address, error in
        promise.fulfil(Self.outcome(address, error))
      }
      let presenter = Presenter(anchor)
      session.presentationContextProvider = presenter
      if !session.start() { promise.fulfil(.failure(AuthError(.unknown))) }
      let outcome = await promise.wait()
      // The session holds its presenter weakly, and nothing else holds the session.
      withExtendedLifetime((session, presenter)) {}
      guard let outcome else {
        session.cancel()
        throw .cancelled
      }
      return try outcome.get()
    }

    private static func outcome(_ address: URL?, _ error: (any Error)?) -> Result<URL, AuthError> {
      if let address { return .success(address) }
      let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
      return .failure(AuthError(isCancelled ? .cancelled : .unknown))
    }
  }

  /// Says over which window the page opens.
  @MainActor
  private final class Presenter: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    init(_ anchor: ASPresentationAnchor) { self.anchor = anchor }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
  }
#endif
