/// The check of a PNG (PNG Third Edition): the chunks from the signature to IEND, their sizes and checksums, and the
/// header. The pixels are not unpacked: a decoder takes no more of them than the header says.
enum PNGCheck {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func check(_ bytes: [UInt8]) throws(PictureProblem) {
    var chunks = PNGChunks(bytes: bytes, at: signature.count)
    let header = try chunks.next()
    guard header.type == "IHDR", header.data.count == 13 else {
      throw problem("the first chunk is not a header (IHDR)", header.start)
    }
    let colour = try colourType(header)
    var seen: Set<String> = [header.type]
    var last = header.type
    while last != "IEND" {
      let chunk = try chunks.next()
      switch chunk.type {
      case "IDAT":
        guard !seen.contains("IDAT") || last == "IDAT" else {
          throw problem("the pixels are in two parts", chunk.start)
        }
      case "PLTE":
        guard !seen.contains("PLTE"), !seen.contains("IDAT"), (3...768).contains(chunk.data.count),
          chunk.data.count % 3 == 0
        else { throw problem("the palette (PLTE) is out of order, or no list of colours", chunk.start) }
      case "IEND":
        guard seen.contains("IDAT"), chunk.data.isEmpty else {
          throw problem("there are no pixels (IDAT)", chunk.start)
        }
      case "acTL", "fcTL", "fdAT":
        // GUARD: picture: a PNG does not move
        throw PictureProblem(
          "it is animated, and a logo does not move", at: .byte(chunk.start), do: "save one frame of it as a PNG")
      default:
        // A chunk whose name begins with a small letter may be skipped by a reader that does not know it.
        guard chunk.type.utf8.first.map({ $0 & 0x20 != 0 }) == true else {
          throw problem("the chunk \(chunk.type) is unknown", chunk.start)
        }
      }
      seen.insert(chunk.type)
      last = chunk.type
    }
    guard colour != 3 || seen.contains("PLTE") else { throw problem("the palette (PLTE) is missing", header.start) }
    // GUARD: picture: nothing behind a PNG
    guard chunks.at == bytes.count else {
      throw problem("\(bytes.count - chunks.at) bytes follow the end (IEND)", chunks.at)
    }
  }

  /// The colour type of a header whose size and form are allowed.
  private static func colourType(_ header: PNGChunks.Chunk) throws(PictureProblem) -> UInt8 {
    let data = Array(header.data)
    let (width, height) = (PNGChunks.number(data[0..<4]), PNGChunks.number(data[4..<8]))
    let sides = PictureCheck.sides
    // GUARD: picture: bounded in pixels
    guard sides.contains(width) && sides.contains(height) else {
      throw PictureProblem(
        "it has \(width) × \(height) pixels; \(sides.lowerBound) to \(sides.upperBound) are allowed on each side",
        at: .byte(header.start + 8), do: "scale it: 256 × 256 is sharp on every screen")
    }
    let (depth, colour) = (data[8], data[9])
    let depths: [UInt8: [UInt8]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
    guard depths[colour]?.contains(depth) == true, data[10] == 0, data[11] == 0, data[12] <= 1 else {
      throw problem("the header (IHDR) says what no PNG has", header.start + 8)
    }
    return colour
  }

  static func problem(_ reason: String, _ offset: Int) -> PictureProblem {
    PictureProblem(reason, at: .byte(offset), do: "the file is damaged: save it as a PNG again")
  }
}

/// The chunks of a PNG, one after the other.
struct PNGChunks {
  struct Chunk {
    let type: String
    let data: ArraySlice<UInt8>
    /// The offset of its first byte.
    let start: Int
  }

  let bytes: [UInt8]
  private(set) var at: Int

  init(bytes: [UInt8], at: Int) {
    self.bytes = bytes
    self.at = at
  }

  mutating func next() throws(PictureProblem) -> Chunk {
    let start = at
    guard bytes.count - start >= 12 else { throw PNGCheck.problem("it ends before its end (IEND)", bytes.count) }
    let size = Self.number(bytes[start..<(start + 4)])
    guard size <= bytes.count - start - 12 else { throw PNGCheck.problem("a chunk is larger than the file", start) }
    let name = bytes[(start + 4)..<(start + 8)]
    guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
      throw PNGCheck.problem("there is no chunk where one must begin", start)
    }
    let end = start + 8 + size
    guard CRC32.of(bytes[(start + 4)..<end]) == Self.number(bytes[end..<(end + 4)]) else {
      throw PNGCheck.problem("the checksum of a chunk is wrong", start)
    }
    at = end + 4
    return Chunk(type: String(decoding: name, as: UTF8.self), data: bytes[(start + 8)..<end], start: start)
  }

  /// Four bytes as a number, the greatest first.
  static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// The checksum of PNG chunks (ISO 3309).
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> Int {
    let state = bytes.reduce(UInt32.max) { state, byte in table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8 }
    return Int(state ^ UInt32.max)
  }
}
