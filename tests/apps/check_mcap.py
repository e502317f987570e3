#!/usr/bin/env python3
"""Reads a recording of `roadplane segment --save mcap` by the MCAP specification alone.

check_mcap.py PROGRAM FOLDER: makes a street in FOLDER, segments it with --save mcap, checks every
record of the file (length, order, sum, index, offset) and what the messages say, and lets the
program read its own file.
"""
import ctypes
import ctypes.util
import json
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

MAGIC = b"\x89MCAP0\r\n"
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
STATISTICS, SUMMARY_OFFSET, DATA_END = 0x0B, 0x0E, 0x0F


class Bytes:
    """What is left of some bytes; every read must find all that it asks for."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        assert self.at + count <= len(self.data), f"{count} bytes at {self.at}"
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, kind):
        size = struct.calcsize("<" + kind)
        return struct.unpack("<" + kind, self.take(size))[0]

    def text(self):
        return self.take(self.number("I")).decode()

    def rows(self, kinds):
        rows = Bytes(self.take(self.number("I")))
        found = []
        while rows.at < len(rows.data):
            found.append(tuple(rows.number(kind) for kind in kinds))
        return found

    def end(self):
        assert self.at == len(self.data), f"{len(self.data) - self.at} bytes too many"


def records(data, at=0, end=None):
    """(offset, opcode, body) of all records, which must fill the bytes exactly."""
    reader = Bytes(data[:end], at)
    while reader.at < len(reader.data):
        offset = reader.at
        opcode = reader.number("B")
        yield offset, opcode, reader.take(reader.number("Q"))


def unpacked(data, size):
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p,
                                     ctypes.c_size_t]
    plain = ctypes.create_string_buffer(size)
    made = zstd.ZSTD_decompress(plain, size, data, len(data))
    assert made == size, f"{made} bytes of a chunk of {size}"
    return plain.raw


class Recording:
    def __init__(self, path):
        self.data = Path(path).read_bytes()
        self.schemas, self.channels, self.messages = {}, {}, []
        self.chunks, self.found_indexes = [], {}  # as they lie in the file
        data = self.data
        assert data.startswith(MAGIC) and data.endswith(MAGIC)
        footer_at = len(data) - len(MAGIC) - 9 - 20
        (_, opcode, footer), = records(data, footer_at, len(data) - len(MAGIC))
        assert opcode == FOOTER
        summary_at, offsets_at, summary_crc = struct.unpack("<QQI", footer)
        assert summary_crc == zlib.crc32(data[summary_at:len(data) - len(MAGIC) - 4])
        self.data_section(summary_at)
        self.summary(summary_at, offsets_at, footer_at)

    def data_section(self, end):
        order = []
        for offset, opcode, body in records(self.data, len(MAGIC), end):
            order.append(opcode)
            if opcode == CHUNK:
                self.chunk(offset, body)
            elif opcode == MESSAGE_INDEX:
                self.message_index(offset, body)
            elif opcode == DATA_END:
                assert Bytes(body).number("I") == zlib.crc32(self.data[:offset])
        assert order[0] == HEADER and order[-1] == DATA_END, order
        assert set(order[1:-1]) <= {CHUNK, MESSAGE_INDEX}, order

    def describe(self, opcode, body):
        reader = Bytes(body)
        number = reader.number("H")
        if opcode == SCHEMA:
            assert number != 0
            found = self.schemas, (reader.text(), reader.text(), reader.text())
        else:
            schema = reader.number("H")
            assert schema in self.schemas
            found = self.channels, (schema, reader.text(), reader.text(), tuple(reader.rows("I")))
        reader.end()
        assert found[0].setdefault(number, found[1]) == found[1], "two of one number"

    def chunk(self, offset, body):
        reader = Bytes(body)
        first, last, size, crc = (reader.number(kind) for kind in "QQQI")
        compression = reader.text()
        packed = reader.take(reader.number("Q"))
        reader.end()
        assert compression == "zstd"
        plain = unpacked(packed, size)
        assert zlib.crc32(plain) == crc
        places, times = {}, []
        for at, opcode, inner in records(plain):
            if opcode in (SCHEMA, CHANNEL):
                self.describe(opcode, inner)
                continue
            assert opcode == MESSAGE
            message = Bytes(inner)
            channel, sequence, log, publish = (message.number(kind) for kind in "HIQQ")
            assert channel in self.channels, "a message before its channel"
            assert sequence == sum(m[0] == channel for m in self.messages)
            self.messages.append((channel, log, inner[message.at:]))
            places.setdefault(channel, []).append((log, at))
            times.append(log)
        assert (first, last) == ((min(times), max(times)) if times else (0, 0))
        self.chunks.append({"at": offset, "bytes": 9 + len(body), "first": first, "last": last,
                            "places": places, "packed": len(packed), "plain": size})
        self.found_indexes = {}

    def message_index(self, offset, body):
        reader = Bytes(body)
        channel, rows = reader.number("H"), reader.rows("QQ")
        reader.end()
        chunk = self.chunks[-1]
        assert rows == sorted(chunk["places"][channel]), "an index of other messages"
        self.found_indexes[channel] = offset
        chunk["indexes"] = dict(self.found_indexes)
        chunk["index_end"] = offset + 9 + len(body)

    def summary(self, begin, offsets_at, end):
        groups, told, seen = {}, {}, set()
        chunks = iter(self.chunks)
        for offset, opcode, body in records(self.data, begin, end):
            reader = Bytes(body)
            if offset >= offsets_at:
                assert opcode == SUMMARY_OFFSET
                group = reader.number("B")
                told[group] = (reader.number("Q"), reader.number("Q"))
                reader.end()
                continue
            at, size = groups.get(opcode, (offset, 0))
            assert at + size == offset, "a group that is interrupted"
            groups[opcode] = (at, size + 9 + len(body))
            if opcode in (SCHEMA, CHANNEL):
                known = len(self.schemas), len(self.channels)
                self.describe(opcode, body)
                assert known == (len(self.schemas), len(self.channels)), "only in the summary"
                seen.add((opcode, body[:2]))
            elif opcode == CHUNK_INDEX:
                self.chunk_index(reader, next(chunks))
            else:
                assert opcode == STATISTICS
                self.statistics(reader)
        assert next(chunks, None) is None, "a chunk without an index"
        assert told == groups, (told, groups)
        assert len(seen) == len(self.schemas) + len(self.channels)

    def chunk_index(self, reader, chunk):
        fields = tuple(reader.number(kind) for kind in "QQQQ")
        assert fields == (chunk["first"], chunk["last"], chunk["at"], chunk["bytes"])
        indexes = chunk.get("indexes", {})
        assert dict(reader.rows("HQ")) == indexes
        assert set(indexes) == set(chunk["places"]), "messages without an index"
        chunk_end = chunk["at"] + chunk["bytes"]
        assert reader.number("Q") == chunk.get("index_end", chunk_end) - chunk_end
        assert reader.text() == "zstd"
        assert (reader.number("Q"), reader.number("Q")) == (chunk["packed"], chunk["plain"])
        reader.end()

    def statistics(self, reader):
        found = tuple(reader.number(kind) for kind in "QHIIIIQQ")
        times = [time for _, time, _ in self.messages]
        assert found == (len(self.messages), len(self.schemas), len(self.channels), 0, 0,
                         len(self.chunks), min(times), max(times)), found
        counts = {}
        for channel, _, _ in self.messages:
            counts[channel] = counts.get(channel, 0) + 1
        assert dict(reader.rows("HQ")) == counts
        reader.end()

    def of_topic(self, topic):
        channel, = (c for c, (_, name, _, _) in self.channels.items() if name == topic)
        return [(time, data) for c, time, data in self.messages if c == channel]


class Cdr(Bytes):
    """Little endian; a number lies at a multiple of its size after the first four bytes."""

    def __init__(self, data):
        assert data[:4] == b"\0\1\0\0"
        super().__init__(data[4:])

    def number(self, kind):
        self.at += -self.at % struct.calcsize("<" + kind)
        return super().number(kind)

    def text(self):
        text = super().text()
        assert text.endswith("\0")
        return text[:-1]

    def header(self):
        return self.number("i") * 10**9 + self.number("I"), self.text()


def cloud(data):
    reader = Cdr(data)
    header = reader.header()
    height, width = reader.number("I"), reader.number("I")
    fields = {}
    for _ in range(reader.number("I")):
        name = reader.text()
        fields[name] = (reader.number("I"), reader.number("B"), reader.number("I"))
    big_endian, step, row = reader.number("B"), reader.number("I"), reader.number("I")
    points = reader.take(reader.number("I"))
    assert reader.number("B") in (0, 1)
    reader.end()
    assert (height, big_endian, row) == (1, 0, step * width) and len(points) == row
    assert fields == {"x": (0, 7, 1), "y": (4, 7, 1), "z": (8, 7, 1), "intensity": (12, 7, 1),
                      "rgb": (16, 7, 1), "label": (20, 6, 1)}
    return header, [struct.unpack_from("<ffffII", points, k * step) for k in range(width)]


def polygon(data):
    reader = Cdr(data)
    header = reader.header()
    corners = [tuple(reader.number("f") for _ in "xyz") for _ in range(reader.number("I"))]
    reader.end()
    return header, corners


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True).stdout


def frames_of(folder):
    return [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]


def main(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run(program, "synth", folder / "street", "--frames", 2, "--points-per-frame", 20000,
        "--no-images")
    out = folder / "run"
    run(program, "segment", folder / "street", "--save", "mcap", "--out", out, "--quiet")
    path = out / "mcap" / "00.mcap"
    recording = Recording(path)
    definitions = {name: text for name, _, text in recording.schemas.values()}
    assert "MSG: sensor_msgs/PointField" in definitions["sensor_msgs/msg/PointCloud2"]
    assert "MSG: geometry_msgs/Point32" in definitions["geometry_msgs/msg/PolygonStamped"]
    json.loads(definitions["roadplane.Record"])

    frames = frames_of(out)
    clouds, planes, told = (recording.of_topic("/roadplane/" + topic)
                            for topic in ("points", "plane", "record"))
    assert len(clouds) == len(planes) == len(told) == len(frames) == 2
    for frame, (time, data), (_, plane), (_, text) in zip(frames, clouds, planes, told):
        name = Path(frame["name"]).name
        header, points = cloud(data)
        assert header == (time, "lidar")
        scan = (folder / "street/sequences/00/velodyne" / (name + ".bin")).read_bytes()
        labels = (out / "sequences/00/predictions" / (name + ".label")).read_bytes()
        assert b"".join(struct.pack("<ffff", *p[:4]) for p in points) == scan
        assert b"".join(struct.pack("<I", p[5]) for p in points) == labels
        assert {p[5] for p in points} == {0, 40}
        assert len({(p[5], p[4]) for p in points}) == 2, "one colour for each label"
        header, corners = polygon(plane)
        assert header == (time, "lidar") and len(corners) == 4
        normal, offset = frame["plane"]["normal"], frame["plane"]["offset_m"]
        for corner in corners:
            assert abs(sum(n * c for n, c in zip(normal, corner)) + offset) < 1e-4
        assert json.loads(text)["plane"] == frame["plane"]

    again = folder / "again"
    run(program, "segment", path, "--save", "none", "--out", again, "--quiet")
    assert [f["w"] for f in frames_of(again)] == [f["w"] for f in frames]
    info = json.loads(run(program, "info", path, "--json"))
    topics = {t["name"]: t for t in info["recordings"][0]["topics"]}
    assert topics["/roadplane/points"]["use"] == "scans" and topics["/roadplane/points"]["messages"] == 2
    assert topics["/roadplane/points"]["frame_id"] == "lidar"
    assert info["notes"] == []
    run(program, "export", path, "--out", folder / "exported")
    for frame, number in zip(frames, ("000000", "000001")):
        name = Path(frame["name"]).name
        assert ((folder / "exported/sequences/00/velodyne" / (number + ".bin")).read_bytes()
                == (folder / "street/sequences/00/velodyne" / (name + ".bin")).read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
