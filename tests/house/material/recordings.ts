// Audio and video containers for tests: track headers without any media.
import { box, fullBox, joined, type Part, u32 } from "./containers.ts";

type Track = "film" | "sound";

/** An MP4, 3GP or QuickTime file: they differ by their brand. */
export function isoRecording(brand: string, ...tracks: readonly Track[]): Buffer {
  const handlers = tracks.map((track) =>
    box(
      "trak",
      box("mdia", fullBox("hdlr", 0, u32(0), track === "film" ? "vide" : "soun", Buffer.alloc(13))),
    ),
  );
  return joined(
    box("ftyp", brand, u32(0), brand),
    box("free"),
    box("moov", ...handlers),
    box("mdat", "nothing"),
  );
}

/** WebM as a browser records it: the lengths of the segment and of its cluster are unknown. */
export function webmRecording(...tracks: readonly Track[]): Buffer {
  const entries = tracks.map((track) =>
    element("ae", element("d7", Buffer.of(1)), element("83", Buffer.of(track === "film" ? 1 : 2))),
  );
  return joined(
    element("1a45dfa3", element("4282", "webm")),
    Buffer.from("1853806701ffffffffffffff", "hex"),
    element("1549a966", element("4d80", "a recorder")),
    element("1654ae6b", ...entries),
    Buffer.from("1f43b67501ffffffffffffff", "hex"),
    element("a3", Buffer.alloc(40)),
  );
}

function element(id: string, ...content: readonly Part[]): Buffer {
  const bytes = joined(...content);
  return joined(Buffer.from(id, "hex"), Buffer.of(0x80 | bytes.length), bytes);
}
