#!/usr/bin/env python3
"""Makes a password list from a plain text file: one password per line, UTF-8, no comments.

    config/lists/make.py passwords.txt mine.list

Empty lines and lines that are not UTF-8 are left out. README.md states the format.
"""
import hashlib
import struct
import sys
import unicodedata

WIDTH = 10


def make(lines):
    entries = set()
    for line in lines:
        try:
            password = unicodedata.normalize("NFC", line.rstrip(b"\r\n").decode("utf-8"))
        except UnicodeDecodeError:
            continue
        if password:
            entries.add(hashlib.sha256(password.encode("utf-8")).digest()[:WIDTH])
    return b"GHPL" + struct.pack(">BBI", 1, WIDTH, len(entries)) + b"".join(sorted(entries)), len(entries)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as source:
        data, count = make(source)
    with open(sys.argv[2], "wb") as target:
        target.write(data)
    print(f"{count} entries, {len(data)} bytes")


if __name__ == "__main__":
    main()
