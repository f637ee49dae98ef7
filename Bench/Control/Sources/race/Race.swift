import Foundation

// A true race beside a continuation: the thread goes on counting after it resumed the task, and the task counts too.
// What is suppressed for continuations must not hide it.
nonisolated(unsafe) private var count = 0

@main enum Race {
  static func main() async {
    for _ in 0..<200 {
      let done = DispatchSemaphore(value: 0)
      await withUnsafeContinuation { continuation in
        Thread.detachNewThread {
          count += 1
          continuation.resume()
          for _ in 0..<100 { count += 1 }
          done.signal()
        }
      }
      for _ in 0..<100 { count += 1 }
      wait(for: done)
    }
    print(count)
  }

  private static func wait(for done: DispatchSemaphore) { done.wait() }
}
