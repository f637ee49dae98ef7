#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// The end of the account, after a proof and a question.
  public struct DeleteAccountView: View {
    @StateObject private var model: DeleteAccountModel
    @State private var isAsking = false

    /// The form.
    public init(client: AuthClient) { _model = StateObject(wrappedValue: DeleteAccountModel(client)) }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The form.
    public var body: some View {
      Screen(title: words.deleteAccount) {
        Text(words.cannotUndo)
        Text(words.deleting(model.client.state.user?.email ?? ""))
        ProofInput(model: model)
        Notice(model: model) { await model.submit() }
        MainButton(title: words.deleteAccount, isWorking: model.isWorking, role: .destructive) {
          isAsking = true
          return nil
        }
      }
      .confirmationDialog(words.deleteAccount, isPresented: $isAsking, titleVisibility: .visible) {
        Button(words.deleteAccount, role: .destructive) { Task { Haptics.play(await model.submit()) } }
        Button(words.cancel, role: .cancel) {}
      } message: {
        Text(words.cannotUndo)
      }
      .modifier(Own(client: model.client))
    }
  }
#endif
