import CMaxMindDB
package import Foundation

/// The approximate place of an address, by a file in the MaxMind DB format (GeoLite2, DB-IP and others come in it). A
/// place is text for people, never a reason to trust or refuse a client.
package final class GeoIPDatabase: @unchecked Sendable {
  // INVARIANT: written by `init` and closed by `deinit`; in between the library only reads it, from any thread.
  private let database: UnsafeMutablePointer<MMDB_s>
  /// The type that the file states: `GeoLite2-City`.
  package let type: String
  /// When it was made.
  package let builtAt: Date

  /// Why a file is of no use.
  package enum Trouble: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case notDatabase
    case wrongType(String)

    package var description: String {
      switch self {
      case .unreadable(let why): "cannot be read: \(why)"
      case .notDatabase: "is not a MaxMind DB file, or is damaged"
      case .wrongType(let type): "holds \"\(type)\", which are no places: a City or Country database is needed"
      }
    }
  }

  /// Reads a file. It is copied into memory: writing over the file or cutting it does not affect a server that runs.
  package init(path: String) throws(Trouble) {
    database = try Self.opened(path)
    let metadata = database.pointee.metadata
    // SAFETY: the library has checked that the metadata has a type, and ended it with NUL.
    type = Self.shown(String(cString: metadata.database_type)) ?? ""
    builtAt = Date(timeIntervalSince1970: TimeInterval(min(metadata.build_epoch, Self.lastSecond)))
    guard Self.types.contains(where: { type.contains($0) }) else { throw .wrongType(type) }
  }

  private static func opened(_ path: String) throws(Trouble) -> UnsafeMutablePointer<MMDB_s> {
    let database = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
    database.initialize(to: MMDB_s())
    do throws(Trouble) {
      // SAFETY: the path ends with NUL; the library fills in the structure, and keeps the copy mapped until MMDB_close.
      // Where it fails it leaves nothing behind.
      let outcome = try FileCopy.with(of: path) { MMDB_open($0, UInt32(MMDB_MODE_MMAP), database) }
      if outcome == MMDB_SUCCESS { return database }
      throw outcome == MMDB_OUT_OF_MEMORY_ERROR ? .unreadable("not enough memory") : .notDatabase
    } catch {
      free(database)
      throw error
    }
  }

  private static func free(_ database: UnsafeMutablePointer<MMDB_s>) {
    database.deinitialize(count: 1)
    database.deallocate()
  }

  deinit {
    // SAFETY: the last reference is gone, so nothing reads it any more.
    MMDB_close(database)
    Self.free(database)
  }

  /// Found in the names of the types whose entries have a country, from any vendor.
  private static let types = ["City", "Country", "Enterprise"]
  /// The last second of the year 9999.
  private static let lastSecond: UInt64 = 253_402_300_799
  /// How many characters of a name are kept.
  private static let longest = 64

  /// `Manhattan, US`: town, or region where that is all there is, and country (ISO 3166-1), or the country alone; never
  /// anything closer. Nil for what the file does not know, addresses of private networks say, and where it is damaged.
  package func place(of address: NetworkAddress) -> String? {
    var trouble: Int32 = 0
    // SAFETY: the address is one of the two families, as long as its family says, and outlives the call.
    let found = address.withSocketAddress { MMDB_lookup_sockaddr(database, $0, &trouble) }
    guard trouble == MMDB_SUCCESS, found.found_entry,
      let country = text(found.entry, "country", "iso_code"), country.utf8.count == 2,
      country.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return nil }
    let town = text(found.entry, "city", "names", "en") ?? text(found.entry, "subdivisions", "0", "names", "en")
    return town.map { "\($0), \(country)" } ?? country
  }

  /// The text at a path of an entry; nil without one.
  private func text(_ entry: MMDB_entry_s, _ path: StaticString...) -> String? {
    var entry = entry
    var value = MMDB_entry_data_s()
    let steps = path.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) as Optional } + [nil]
    // SAFETY: the steps are texts of this program that end with NUL, and nil ends the path.
    guard MMDB_aget_value(&entry, &value, steps) == MMDB_SUCCESS, value.has_data,
      value.type == UInt32(MMDB_DATA_TYPE_UTF8_STRING), value.data_size > 0, let start = value.utf8_string
    else { return nil }
    // SAFETY: the library has checked that so many bytes lie at `start`, within the file.
    let bytes = UnsafeRawBufferPointer(start: start, count: min(Int(value.data_size), Self.longest * 4))
    return Self.shown(String(decoding: bytes, as: UTF8.self))
  }

  /// A name fit to be kept: of a bounded length, without control characters; nil for what is none.
  private static func shown(_ text: String) -> String? {
    let scalars = text.unicodeScalars.prefix(longest)
    let isName = scalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
    return isName && !scalars.isEmpty ? String(String.UnicodeScalarView(scalars)) : nil
  }
}

/// The place database that is in force; nothing of the requests under way is disturbed when another takes its place.
package final class GeoIP: Sendable {
  private let current: LockBox<GeoIPDatabase>

  /// Begins with a database.
  package init(_ database: GeoIPDatabase) { current = LockBox(database) }

  /// The one in force.
  package var database: GeoIPDatabase { current.withLock { $0 } }

  /// Puts another in its place.
  package func replace(with database: GeoIPDatabase) { current.withLock { $0 = database } }

  /// The place of an address, by the file in force.
  package func place(of address: NetworkAddress) -> String? { database.place(of: address) }
}
