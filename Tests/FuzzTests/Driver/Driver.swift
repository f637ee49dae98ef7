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

/// `fuzz TARGET [libFuzzer's own arguments]`: bytes that break a promise stop the program, and are kept in a file.
@main
enum Driver {
  static func main() {
    guard CommandLine.arguments.count > 1, let chosen = FuzzTarget.named(CommandLine.arguments[1]) else {
      print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
      exit(CommandLine.arguments.count > 1 ? 2 : 0)
    }
    target = chosen
    var count = CommandLine.argc - 1
    var arguments = CommandLine.unsafeArgv + 1
    let status = runDriver(&count, &arguments) { start, count in
      let problem = target.check(Array(UnsafeBufferPointer(start: start, count: count)))
      if let problem { fatalError("\(target.name): \(problem)") }
      return 0
    }
    exit(status)
  }
}
