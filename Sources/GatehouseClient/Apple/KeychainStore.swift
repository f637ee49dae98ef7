#if canImport(Security)
  public import Foundation
  import Security

  /// Keeps each record in the data-protection key chain of the device, readable after the first unlock, also in the
  /// background, and never on another device.
  ///
  /// Every status but "there is none" counts as unavailable, and the error tells it: a key chain that is locked has not
  /// lost a session. An item is updated, and added where there is none; it is never deleted first. Records that an
  /// earlier installation of the app left behind are removed at the first read that the key chain answers.
  public final class KeychainStore: SecureStore {
    /// The items' service.
    public let service: String
    /// The key chain's access group, shared by an app and its extensions; nil for the app alone.
    public let accessGroup: String?
    /// The group whose container holds the lock file and the mark of this installation; nil for the app's own folder.
    public let appGroup: String?

    private let isChecked = Locked(false)

    /// A store. An app with extensions names both groups, so that its processes wait for one another.
    public init(service: String = "gatehouse", accessGroup: String? = nil, appGroup: String? = nil) {
      self.service = service
      self.accessGroup = accessGroup
      self.appGroup = appGroup
    }

    /// The record of this name.
    public func read(_ key: String) throws(StoreError) -> Data? {
      let found = try item(key)
      guard try isFromEarlierInstallation() else { return found }
      try removeAll()
      return nil
    }

    /// Replaces the record.
    public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? {
      let lock = try FileLock(folder().appendingPathComponent("lock").path)
      defer { lock.release() }
      let old = try read(key)
      let new = change(old)
      guard new != old else { return new }
      if let new { try write(new, key) } else { try remove(key) }
      return new
    }

    private func query(_ key: String) -> [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key,
        kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    private func item(_ key: String) throws(StoreError) -> Data? {
      var query = query(key)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      switch status {
      case errSecSuccess:
        guard let data = result as? Data else { throw .damaged }
        return data
      case errSecItemNotFound: return nil
      default: throw StoreError(keychainStatus: status)
      }
    }

    private func write(_ data: Data, _ key: String) throws(StoreError) {
      let values: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query(key) as CFDictionary, values as CFDictionary)
      if status == errSecItemNotFound {
        let item = query(key).merging(values) { _, new in new }
        status = SecItemAdd(item as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw StoreError(keychainStatus: status) }
    }

    private func remove(_ key: String) throws(StoreError) { try remove(query(key)) }

    private func removeAll() throws(StoreError) {
      var query = query("")
      query[kSecAttrAccount] = nil
      try remove(query)
    }

    private func remove(_ query: [CFString: Any]) throws(StoreError) {
      let status = SecItemDelete(query as CFDictionary)
      guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw StoreError(keychainStatus: status) }
    }

    /// Whether the app was removed since the record was written. The mark is a file, which goes with the app; the key
    /// chain stays. An access group without an app group has no folder that all its processes see, so nothing is told
    /// by one.
    private func isFromEarlierInstallation() throws(StoreError) -> Bool {
      if isChecked.withLock({ $0 }) || (accessGroup != nil && appGroup == nil) { return false }
      let mark = try folder().appendingPathComponent("installed").path
      let isMarked = FileManager.default.fileExists(atPath: mark)
      if !isMarked { guard FileManager.default.createFile(atPath: mark, contents: nil) else { throw .unavailable } }
      isChecked.withLock { $0 = true }
      return !isMarked
    }

    private func folder() throws(StoreError) -> URL {
      let files = FileManager.default
      do {
        let base =
          if let appGroup, let shared = files.containerURL(forSecurityApplicationGroupIdentifier: appGroup) {
            shared
          } else {
            try files.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
          }
        let folder = base.appendingPathComponent("gatehouse-client")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
      } catch {
        throw .unavailable
      }
    }
  }
#endif
