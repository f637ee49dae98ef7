#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  public import AuthenticationServices
  public import Foundation

  extension BrowserFlow {
    /// Opens the page over the app, in the browser's own process, and returns the address that it comes back with, for
    /// `AuthClient.finish(at:)`.
    ///
    /// The flow's `redirect` has a scheme of the app's own, such as `vibes://signed-in`, or is a web address of a
    /// domain that the app is associated with. The latter needs iOS 17.4 or macOS 14.4: earlier systems throw
    /// `unknown`, and the app opens `url` in the browser and is opened with the address. Throws `cancelled` when the
    /// person closes the page or the task is cancelled.
    @MainActor
    public func run(from anchor: ASPresentationAnchor) async throws(AuthError) -> URL {
      let promise = Promise<Result<URL, AuthError>>()
      // The system does not say on which thread it calls.
      let session = makeSession { @Sendable address, error in promise.fulfil(Self.outcome(address, error)) }
      guard let session else { throw AuthError(.unknown) }
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

    /// Nil where this system brings no web address back.
    @MainActor
    private func makeSession(_ done: @escaping @Sendable (URL?, (any Error)?) -> Void) -> ASWebAuthenticationSession? {
      let scheme = redirect?.scheme?.lowercased()
      guard scheme == "https" || scheme == "http" else {
        return ASWebAuthenticationSession(url: url, callbackURLScheme: redirect?.scheme, completionHandler: done)
      }
      guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), let redirect, let host = redirect.host else {
        return nil
      }
      let path = redirect.path.isEmpty ? "/" : redirect.path
      return ASWebAuthenticationSession(url: url, callback: .https(host: host, path: path), completionHandler: done)
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
