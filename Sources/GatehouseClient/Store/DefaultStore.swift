import Foundation

/// The store of a configuration that names none.
enum DefaultStore {
  static func make() -> any SecureStore {
    #if canImport(Security)
      return KeychainStore()
    #else
      return FileStore(folder: folder())
    #endif
  }

  #if !canImport(Security)
    /// `$XDG_STATE_HOME/gatehouse-client`, or the same below `~/.local/state`, as the XDG base directory specification
    /// has it.
    private static func folder() -> URL {
      let environment = ProcessInfo.processInfo.environment
      let state =
        environment["XDG_STATE_HOME"].map { URL(fileURLWithPath: $0) }
        ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
      return state.appendingPathComponent("gatehouse-client")
    }
  #endif
}
