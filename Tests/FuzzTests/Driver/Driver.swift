import Glibc

// libFuzzer as a library: the address sanitizer and the counters come from the flags of `script/fuzz`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

// SAFETY: written once, before the fuzzer starts.
nonisolated(unsafe) private var target = FuzzTarget.head

/// `fuzz --target=NAME [libFuzzer's own arguments]`, names without one. Bytes that break a promise stop the program,
/// and are kept in a file.
@main
enum Driver {
  static func main() {
    // libFuzzer passes over what begins with two dashes, and hands it on when it starts itself again.
    let flag = "--target="
    guard let name = CommandLine.arguments.first(where: { $0.hasPrefix(flag) })?.dropFirst(flag.count) else {
      return print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    }
    guard let chosen = FuzzTarget.named(String(name)) else { exit(2) }
    target = chosen
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    let status = runDriver(&count, &arguments) { start, count in
      let problem = target.check(Array(UnsafeBufferPointer(start: start, count: count)))
      if let problem { fatalError("\(target.name): \(problem)") }
      return 0
    }
    exit(status)
  }
}
