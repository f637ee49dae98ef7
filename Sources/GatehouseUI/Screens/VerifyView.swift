#if canImport(SwiftUI)
  public import GatehouseClient
  public import SwiftUI

  /// Asks for the code of a mail. It goes on by itself when the address is confirmed in a browser.
  public struct VerifyView: View {
    private let client: AuthClient
    @StateObject private var model: VerifyEmailModel
    @State private var isStillOpen = false
    @FocusState private var isFocused: Bool

    /// The screen of the person who waits.
    public init(client: AuthClient) {
      self.client = client
      _model = StateObject(wrappedValue: VerifyEmailModel(client))
    }

    private var words: Words { Words(client.configuration.languages) }

    /// The screen.
    public var body: some View {
      Screen(title: words.checkMail) {
        Text(words.mailed(model.email ?? ""))
        TextInput(label: words.code, text: $model.code, kind: .code, error: model.fieldErrors["code"])
          .focused($isFocused)
          .submitLabel(.done)
          .onSubmit { Task { Haptics.play(await submit()) } }
        Notice(model: model) { await submit() }
        if isStillOpen { Remark(text: words.notVerified) }
        MainButton(title: words.confirm, isWorking: model.isWorking) { await submit() }
        SideButton(title: words.verified) { await check() }
        ResendButton(secondsLeft: model.secondsLeft) { await model.resend() }
        SideButton(title: words.signOut, role: .destructive) { await client.signOut() }
      }
      .task { await model.watch() }
      .modifier(Own(client: client))
    }

    private func submit() async -> Bool {
      isStillOpen = false
      let isDone = await model.submit()
      if !isDone { isFocused = true }
      return isDone
    }

    private func check() async {
      let isVerified = await model.check()
      isStillOpen = !isVerified && model.message == nil
      Haptics.play(isVerified)
    }
  }
#endif
