import Foundation

/// A form that deletes the account, with a proof of the person. Afterwards the state is `signedOut(.deleted)`.
@MainActor
public final class DeleteAccountModel: ProvingModel {
  /// An empty form.
  public override init(_ client: AuthClient) { super.init(client) }

  /// Deletes the account and everything that belongs to it. That cannot be undone.
  @discardableResult
  public func submit() async -> Bool {
    let client = client
    let isDeleted = await work { () async throws(AuthError) in try await client.deleteAccount(proof: try await given())
    }
    if isDeleted { forgetProof() }
    return isDeleted
  }
}
