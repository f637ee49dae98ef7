#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  #if canImport(CoreImage)
    import CoreImage
  #endif

  /// A text as a QR code, dark on white in each appearance. Systems without the means, such as watchOS, show none.
  struct QRPicture: View {
    @Environment(\.words) private var words
    let text: String

    var body: some View {
      if let picture {
        picture.interpolation(.none).resizable()
          .scaledToFit()
          .frame(maxWidth: 240)
          .padding(AuthTheme.space(1))
          .background(Color.white)
          .frame(maxWidth: .infinity)
      }
    }

    private var picture: Image? {
      #if canImport(CoreImage)
        guard let filter = CIFilter(name: "CIQRCodeGenerator") else { return nil }
        filter.setValue(Data(text.utf8), forKey: "inputMessage")
        guard let output = filter.outputImage, let picture = CIContext().createCGImage(output, from: output.extent)
        else { return nil }
        return Image(picture, scale: 1, label: Text(words.qrCode))
      #else
        return nil
      #endif
    }
  }
#endif
