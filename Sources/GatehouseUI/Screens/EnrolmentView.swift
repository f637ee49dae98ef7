#if canImport(SwiftUI)
  import Foundation
  import GatehouseClient
  import SwiftUI

  /// An authenticator app that waits for its first code: it is opened here, scanned by another device, or gets the key
  /// typed in.
  struct EnrolmentView: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.openURL) private var openURL
    @Environment(\.words) private var words
    @ObservedObject var model: FactorsModel
    @FocusState private var isFocused: Bool
    let enrolment: TOTPEnrolment

    var body: some View {
      Screen(title: words.addApp) {
        SideButton(title: words.openInApp) { openURL(enrolment.uri) }
        Text(words.scan)
        QRPicture(text: enrolment.uri.absoluteString)
        Labelled(label: words.key, error: nil) {
          Text(model.secretText).font(theme.note.monospaced()).selectable()
            .frame(maxWidth: .infinity, alignment: .leading)
            .environment(\.layoutDirection, .leftToRight)
        }
        Text(words.sixDigits)
        TextInput(label: words.code, text: $model.code, kind: .code, error: model.fieldErrors["code"])
          .focused($isFocused)
          .submitLabel(.done)
          .onSubmit { Task { Haptics.play(await submit()) } }
        Notice(model: model) { await submit() }
        MainButton(title: words.confirm, isWorking: model.isWorking) { await submit() }
        SideButton(title: words.cancel) { model.cancel() }
      }
    }

    private func submit() async -> Bool {
      let isDone = await model.confirm()
      if !isDone { isFocused = true }
      return isDone
    }
  }

  /// Recovery codes, this once: to be saved, printed or written down.
  struct RecoveryCodesView: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words
    @ObservedObject var model: FactorsModel

    var body: some View {
      Screen(title: words.keepCodes) {
        Text(words.whyKeep)
        Text(model.recoveryText).font(theme.body.monospaced()).selectable()
          .environment(\.layoutDirection, .leftToRight)
        #if !os(tvOS)
          ShareLink(words.saveCodes, item: model.recoveryText)
        #endif
        MainButton(title: words.haveKept, isWorking: false) {
          model.keptRecoveryCodes()
          return nil
        }
      }
      // A way back would lose them.
      .navigationBarBackButtonHidden(true)
    }
  }
#endif
