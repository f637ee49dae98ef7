// swift-tools-version: 6.2
import PackageDescription

// Two programs that are wrong on purpose: a sanitizer that does not report them would not report anything.
let package = Package(
  name: "Control",
  targets: [
    .executableTarget(name: "race", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "overflow", swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
