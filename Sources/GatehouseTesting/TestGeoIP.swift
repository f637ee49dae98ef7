package import Foundation

/// Files of places, made by a program that is not ours (mmdb-writer). Every entry has coordinates, which must never be
/// shown.
package enum TestGeoIP {
  /// A file's bytes.
  package static func file(
    type: String = "GeoLite2-City", version: Int = 6, builtAt: Date = Date(), manhattan: String = "Manhattan"
  ) throws -> [UInt8] {
    let built = String(Int(builtAt.timeIntervalSince1970))
    let outcome = try Python.run(
      script, [TestLists.root + "/.build/python", type, String(version), built, manhattan])
    guard outcome.status == 0, let file = Data(base64Encoded: outcome.output, options: .ignoreUnknownCharacters)
    else {
      throw Failure(errors: outcome.errors)
    }
    return [UInt8](file)
  }

  package struct Failure: Error { let errors: String }

  /// Addresses in the file, and the place of each.
  package static let known: [(address: String, place: String)] = [
    ("198.51.100.0", "Manhattan, US"), ("198.51.100.255", "Manhattan, US"), ("203.0.113.7", "Galicia, ES"),
    ("192.0.2.1", "DE"), ("198.18.1.1", "\(String(repeating: "Lang", count: 16)), DE"), ("198.18.0.1", "DE"),
    ("198.18.4.1", "DE"), ("198.18.5.1", "DE"),
  ]
  /// The same of IPv6.
  package static let known6: [(address: String, place: String)] = [
    ("2001:db8:1::1", "Málaga, ES"), ("2001:db8:1:ffff:ffff:ffff:ffff:ffff", "Málaga, ES"),
    // IPv4 written in IPv6 is IPv4.
    ("::ffff:198.51.100.7", "Manhattan, US"), ("::ffff:c000:201", "DE"),
  ]
  /// Private ones, others that are in no such file, and entries that are no places.
  package static let unknown = [
    "127.0.0.1", "10.1.2.3", "192.168.1.1", "0.0.0.0", "255.255.255.255", "198.51.99.255", "198.18.2.1", "198.18.3.1",
    "198.18.6.1", "::1", "fe80::1", "fd00::1", "::", "2001:db8:2::1", "::ffff:10.1.2.3",
  ]

  private static let script = """
    import sys, base64, tempfile, time
    packages, kind, version, built, manhattan = sys.argv[1:]
    sys.path.insert(0, packages)
    import mmdb_writer
    from netaddr import IPSet
    mmdb_writer.time = type("Then", (), {"time": staticmethod(lambda: int(built))})
    def place(country, city=None, region=None):
        entry = {"location": {"latitude": 39.183601, "longitude": -96.571701}}
        if country: entry["country"] = {"iso_code": country, "names": {"en": "a country"}}
        if city: entry["city"] = {"geoname_id": 7, "names": city if isinstance(city, dict) else {"de": "!", "en": city}}
        if region: entry["subdivisions"] = [{"iso_code": "X", "names": {"en": region}}, {"names": {"en": "a county"}}]
        return entry
    networks = {
        "198.51.100.0/24": place("US", manhattan, "Kansas"), "203.0.113.0/24": place("ES", None, "Galicia"),
        "192.0.2.0/24": place("DE"), "198.18.0.0/24": place("DE", "a\\nb"), "198.18.1.0/24": place("DE", "Lang" * 500),
        "198.18.2.0/24": place("usa", "Town"), "198.18.3.0/24": place(None, "Town"),
        "198.18.4.0/24": place("DE", {"en": 5}), "198.18.5.0/24": place("DE", {"de": "Stadt"}),
        "198.18.6.0/24": place({"code": "DE"}),
    }
    if version == "6": networks["2001:db8:1::/48"] = place("ES", "Málaga")
    writer = mmdb_writer.MMDBWriter(int(version), kind, ["en"], {"en": "test"}, ipv4_compatible=version == "6")
    for network, entry in networks.items(): writer.insert_network(IPSet([network]), entry)
    with tempfile.NamedTemporaryFile() as file:
        writer.to_db_file(file.name)
        print(base64.b64encode(open(file.name, "rb").read()).decode())
    """
}
