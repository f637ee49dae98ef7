import Foundation
import FoundationNetworking
import GatehouseIdentity

/// Names of hosts lead to the server itself, as a proxy would lead them.
struct TestHostProbe: HostProbe {
  /// Host and port of the public listener.
  let address: String

  func answer(of host: HostName) async throws -> [UInt8] {
    guard let url = URL(string: "http://\(address)\(TenantHost.proofPath)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.setValue(host.description, forHTTPHeaderField: "Host")
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return [UInt8](data)
  }
}
