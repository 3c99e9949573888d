// Location data in unusual places, and files made to be hard to parse.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { processorMs } from "../../../tests/house/machine/processor.ts";
import { openBaring } from "../../../tests/house/material/bare.ts";
import {
  box,
  fullBox,
  joined,
  pngChunk,
  riffChunk,
  segment,
  u16,
  u32,
} from "../../../tests/house/material/containers.ts";
import { inVienna, pictureFormats, pictureOf, xmpOfVienna } from "../../../tests/house/material/images.ts";
import { TooOdd } from "./file-bytes.ts";

let baring: Awaited<ReturnType<typeof openBaring>>;
/** EXIF with a location, without the prefix Exif. */
let exif: Buffer;
beforeAll(async () => {
  baring = await openBaring();
  exif = (await sharp(await pictureOf("png", { exif: inVienna })).metadata()).exif ?? Buffer.alloc(0);
  expect(exif.toString("latin1", 0, 4)).toBe("II*\0");
});
afterAll(() => baring.close());

const xmp = joined("http://ns.adobe.com/xap/1.0/\0", xmpOfVienna);
/** Inserts parts before the end of a PNG, and after the beginning of a JPEG. */
const beforeEnd = (png: Buffer, ...parts: Buffer[]) =>
  joined(png.subarray(0, -12), ...parts, png.subarray(-12));
const afterStart = (jpeg: Buffer, ...parts: Buffer[]) =>
  joined(jpeg.subarray(0, 2), ...parts, jpeg.subarray(2));
const riff = (...chunks: Buffer[]) => {
  const content = joined("WEBP", ...chunks);
  return joined("RIFF", u32(content.length).reverse(), content);
};

describe("JPEG", () => {
  test("XMP that goes on in further segments, and EXIF after it, both orders of bytes", async () => {
    const picture = await pictureOf("jpeg");
    const more = segment(0xe1, "http://ns.adobe.com/xmp/extension/\0", "0".repeat(40), xmpOfVienna);
    const parts = [segment(0xe1, xmp), more, more, segment(0xe1, "Exif\0\0", exif), segment(0xfe, "Hello")];
    const kept = afterStart(picture, segment(0xfe, "Hello"));
    expect(await baring.bare("jpeg", afterStart(picture, ...parts))).toEqual(kept);
    const otherByte = segment(0xe1, "Exif\0\xff", exif);
    expect(await baring.bare("jpeg", afterStart(picture, otherByte))).toEqual(picture);
    const gps = joined("MM\0*", u32(8), u16(1), u16(0x8825), u16(4), u32(1), u32(26), u32(0));
    const motorola = joined(gps, u16(1), u16(1), u16(2), u32(2), "N\0\0\0", u32(0));
    expect(await baring.bare("jpeg", afterStart(picture, segment(0xe1, "Exif\0\0", motorola)))).toEqual(
      picture,
    );
  });

  test("EXIF twice, the place in one of them: both go, whichever comes first", async () => {
    const picture = await pictureOf("jpeg");
    const place = segment(0xe1, "Exif\0\0", exif);
    const none = segment(0xe1, "Exif\0\0", "II*\0", u32(8).reverse(), u16(0), u32(0));
    expect(await baring.bare("jpeg", afterStart(picture, none))).toBeUndefined();
    for (const both of [
      [place, none],
      [none, place],
    ])
      expect(await baring.bare("jpeg", afterStart(picture, ...both))).toEqual(picture);
  });

  test("between the scans of a picture that comes in several", async () => {
    const picture = await sharp(await pictureOf("jpeg"))
      .jpeg({ progressive: true })
      .toBuffer();
    const second = picture.indexOf(Buffer.of(0xff, 0xda), picture.indexOf(Buffer.of(0xff, 0xda)) + 2);
    expect(second).toBeGreaterThan(0);
    const odd = joined(picture.subarray(0, second), segment(0xe1, xmp), picture.subarray(second));
    expect(await baring.bare("jpeg", odd)).toEqual(picture);
  });

  test("what a phone puts behind the picture goes with its list, where the file says a place anywhere", async () => {
    const picture = await pictureOf("jpeg");
    const list = segment(0xe2, "MPF\0", Buffer.alloc(40));
    const film = joined("\0\0\0\x18ftypmp42", Buffer.alloc(200));
    for (const behind of [
      await pictureOf("jpeg", { exif: inVienna }),
      await pictureOf("jpeg", { xmp: xmpOfVienna }),
    ])
      expect(await baring.bare("jpeg", joined(afterStart(picture, list), behind))).toEqual(picture);
    const motion = joined(afterStart(picture, segment(0xe1, xmp), list), film);
    expect(await baring.bare("jpeg", motion)).toEqual(picture);
    // A word is found across the boundaries of the pieces in which the file is read.
    for (const far of [65_500, 65_530, 65_535, 131_060]) {
      const padded = joined(picture, Buffer.alloc(far), "Exif\0\0", exif);
      expect([far, await baring.bare("jpeg", padded)]).toEqual([far, picture]);
    }
    expect(await baring.bare("jpeg", joined(afterStart(picture, list), film, picture))).toBeUndefined();
  });
});

describe("PNG", () => {
  test("EXIF behind the pixels, and what ImageMagick writes into texts", async () => {
    const picture = await pictureOf("png");
    const profile = `\nexif\n      ${exif.length}\n${exif.toString("hex")}\n`;
    for (const chunk of [
      pngChunk("eXIf", exif),
      pngChunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0", xmpOfVienna),
      pngChunk("tEXt", "Raw profile type exif\0", profile),
      pngChunk("zTXt", "Raw profile type APP1\0\0", deflateSync(profile)),
      pngChunk("zTXt", "Raw profile type xmp\0\0", deflateSync(xmpOfVienna)),
      pngChunk("tEXt", "exif:GPSLatitude\0", "48/1, 12/1, 30/1"),
    ])
      expect(await baring.bare("png", beforeEnd(picture, chunk))).toEqual(picture);
    const harmless = beforeEnd(
      picture,
      pngChunk("tEXt", "Title\0Vienna"),
      pngChunk("tEXt", "exif:Model\0Box"),
    );
    expect(await baring.bare("png", harmless)).toBeUndefined();
  });

  test("what stands behind the end goes when it is EXIF or XMP, in chunks or not, or a file that holds them", async () => {
    const picture = await pictureOf("png");
    for (const behind of [
      pngChunk("eXIf", exif),
      pngChunk("tEXt", "exif:GPSLatitude\0", "48/1, 12/1, 30/1"),
      pngChunk("zTXt", "Raw profile type exif\0\0", deflateSync(exif)),
      joined("\0", pngChunk("eXIf", exif)),
      exif,
      ...(await Promise.all(pictureFormats.map((format) => pictureOf(format, { exif: inVienna })))),
      Buffer.from(xmpOfVienna),
    ])
      expect(await baring.bare("png", joined(picture, behind))).toEqual(picture);
    for (const behind of [joined("Vienna"), pngChunk("tEXt", "Title\0Vienna"), picture])
      expect(await baring.bare("png", joined(picture, behind))).toBeUndefined();
    const turned = await pictureOf("png", { orientation: 6, exif: inVienna });
    const bare = await baring.bare("png", turned);
    expect(await baring.bare("png", joined(turned, exif))).toEqual(bare);
  });

  test("an endless block of EXIF goes, whatever is in it", async () => {
    const picture = await pictureOf("png");
    const endless = joined("II*\0\x08\0\0\0", Buffer.alloc(1_100_000));
    expect(await baring.bare("png", beforeEnd(picture, pngChunk("eXIf", endless)))).toEqual(picture);
  });
});

describe("WebP", () => {
  test("the head says what is left, and the length is that of the file", async () => {
    const picture = await pictureOf("webp", { exif: inVienna, xmp: xmpOfVienna, orientation: 6 });
    const bare = (await baring.bare("webp", picture)) ?? picture;
    expect(bare.readUInt32LE(4)).toBe(bare.length - 8);
    expect([bare.toString("latin1", 12, 16), bare[20]]).toEqual(["VP8X", (picture[20] ?? 0) & ~0x04]);
    const upright = await pictureOf("webp", { exif: inVienna, xmp: xmpOfVienna });
    expect((await baring.bare("webp", upright))?.[20]).toBe((upright[20] ?? 0) & ~0x0c);
  });

  test("chunks of odd lengths, and a file whose head does not speak of them", async () => {
    const pixels = (await pictureOf("webp")).subarray(12);
    const plain = riff(pixels);
    const odd = riff(pixels, riffChunk("XMP ", `${xmpOfVienna}${xmpOfVienna.length % 2 ? "" : " "}`));
    expect(odd.length % 2).toBe(0);
    expect(await baring.bare("webp", odd)).toEqual(plain);
    expect(await baring.bare("webp", riff(pixels, riffChunk("EXIF", "Exif\0\0", exif)))).toEqual(plain);
  });

  test("what stands behind the end that the head says goes when it is EXIF or XMP, in chunks or not", async () => {
    const picture = await pictureOf("webp");
    for (const behind of [
      riffChunk("EXIF", exif),
      riffChunk("XMP ", xmpOfVienna),
      joined(riffChunk("ABCD", "1234"), riffChunk("EXIF", exif)),
      joined("\0", riffChunk("EXIF", exif)),
      ...(await Promise.all(pictureFormats.map((format) => pictureOf(format, { exif: inVienna })))),
      Buffer.from(xmpOfVienna),
    ])
      expect(await baring.bare("webp", joined(picture, behind))).toEqual(picture);
    expect(await baring.bare("webp", joined(picture, riffChunk("ABCD", "1234")))).toBeUndefined();
    const turned = await pictureOf("webp", { orientation: 6 });
    expect(await baring.bare("webp", joined(turned, riffChunk("EXIF", exif)))).toEqual(turned);
  });

  test("EXIF or XMP in which the end is said to lie goes whole, also where no length was filled in", async () => {
    const pixels = (await pictureOf("webp")).subarray(12);
    const plain = riff(pixels);
    for (const chunk of [riffChunk("EXIF", exif), riffChunk("XMP ", xmpOfVienna)]) {
      for (const within of [2, 8, 9, 40, chunk.length - 1]) {
        const odd = riff(pixels, chunk);
        odd.writeUInt32LE(plain.length - 8 + within, 4);
        expect([within, await baring.bare("webp", odd)]).toEqual([within, plain]);
      }
      const open = riff(pixels, chunk);
      open.writeUInt32LE(0, 4);
      expect(await baring.bare("webp", open)).toEqual(plain);
    }
  });
});

describe("AVIF", () => {
  /** A file with one item of EXIF or XMP, but no picture; `lies` returns its locations by the offset of the data. */
  function avif(
    type: string,
    data: Buffer,
    lies: (at: number) => Buffer,
    inside: (meta: Buffer) => Buffer = (m) => m,
  ) {
    const infe = fullBox(
      "infe",
      2,
      u16(1),
      u16(0),
      type,
      "\0",
      type === "mime" ? "application/rdf+xml\0" : "",
    );
    const before = (at: number) =>
      joined(
        box("ftyp", "avif", u32(0), "avif"),
        inside(fullBox("meta", 0, lies(at), fullBox("iinf", 0, u16(1), infe), box("idat", data))),
      );
    const head = before(0).length;
    return joined(before(head + 8), box("mdat", data));
  }
  const inFile =
    (parts: readonly [number, number][], version = 0) =>
    (at: number) =>
      fullBox(
        "iloc",
        version,
        ...[u16(0x4440), version < 2 ? u16(1) : u32(1), version < 2 ? u16(1) : u32(1)],
        ...[version === 0 ? "" : u16(0), u16(0), u32(at), u16(parts.length)],
        ...parts.flatMap(([from, length]) => [u32(from), u32(length)]),
      );
  const inBox = (length: number) => () =>
    fullBox("iloc", 1, u16(0x4400), u16(1), u16(1), u16(1), u16(0), u16(1), u32(0), u32(length));
  const block = () => joined(u32(0), exif);

  test("an item in several parts, in each version of the list, in the box beside it, inside of a film", async () => {
    const content = block();
    const halves: [number, number][] = [
      [0, 100],
      [100, content.length - 100],
    ];
    for (const version of [0, 1, 2]) {
      const file = avif("Exif", content, inFile(halves, version));
      const bare = (await baring.bare("avif", file)) ?? file;
      expect(bare.length).toBe(file.length);
      expect(bare.subarray(-content.length)).toEqual(Buffer.alloc(content.length));
      expect([file.includes("infe"), file.includes("Exif"), bare.includes("Exif")]).toEqual([
        true,
        true,
        false,
      ]);
    }
    const beside = avif("Exif", content, inBox(content.length));
    expect((await baring.bare("avif", beside))?.indexOf("Box camera")).toBe(beside.lastIndexOf("Box camera"));
    const film = avif("mime", joined(xmpOfVienna), inFile([[0, xmpOfVienna.length]]), (meta) =>
      box("moov", box("trak", meta)),
    );
    const inFilm = await baring.bare("avif", film);
    expect(inFilm?.subarray(-xmpOfVienna.length)).toEqual(Buffer.alloc(xmpOfVienna.length));
    const uuid = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
    const alone = joined(box("ftyp", "avif", u32(0), "avif"), box("uuid", uuid, xmpOfVienna));
    expect((await baring.bare("avif", alone))?.includes("GPSLatitude")).toBe(false);
  });

  test("a list that speaks of parts beyond the file, of each other's, or of any number", async () => {
    const content = block();
    const wide = avif(
      "Exif",
      content,
      inFile([
        [0, content.length],
        [0, 2 ** 31],
        [50, 100],
        [2 ** 31, 9],
      ]),
    );
    const bare = (await baring.bare("avif", wide)) ?? wide;
    expect([bare.length, bare.includes("Box camera", bare.indexOf("mdat"))]).toEqual([wide.length, false]);
    const endless = fullBox(
      "iloc",
      0,
      u16(0),
      u16(0xffff),
      Buffer.alloc(200_000, Buffer.of(0, 1, 0, 0, 0xff, 0xff)),
    );
    const before = processorMs();
    await baring.bare(
      "avif",
      avif("Exif", content, () => endless),
    );
    expect(processorMs() - before).toBeLessThan(5000);
  });

  test("what stands behind the last box goes when it is EXIF or XMP, or a file that holds them", async () => {
    const picture = await pictureOf("avif");
    const uuid = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
    for (const behind of [
      joined(u32(2), box("uuid", uuid, xmpOfVienna)),
      joined(u32(0xffff_ffff), exif),
      ...(await Promise.all(pictureFormats.map((format) => pictureOf(format, { exif: inVienna })))),
    ])
      expect(await baring.bare("avif", joined(picture, behind))).toEqual(picture);
    for (const behind of [joined(u32(2), "Vienna"), picture])
      expect(await baring.bare("avif", joined(picture, behind))).toBeUndefined();
  });

  test("boxes in boxes in boxes, and boxes of no length", async () => {
    let nested = box("trak");
    for (let i = 0; i < 2000; i++) nested = box("trak", nested);
    for (const odd of [
      nested,
      joined(u32(0), "trak", nested),
      joined(u32(1), "meta"),
      joined(u32(3), "meta"),
    ])
      expect(await baring.bare("avif", joined(box("ftyp", "avif", u32(0)), odd))).toBeUndefined();
  });
});

test("a file with very many places to change, or very many parts, is refused before it takes long", async () => {
  const [jpeg, png] = [await pictureOf("jpeg"), await pictureOf("png")];
  const avif = box("ftyp", "avif", u32(0), "avif");
  const text = pngChunk("tEXt", "exif:GPSAltitude\0");
  const many = (...parts: Buffer[]) => Buffer.alloc(4_000_000, joined(...parts));
  for (const [what, file] of Object.entries({
    "jpeg of places": afterStart(jpeg, many(segment(0xe1, xmp.subarray(0, 29)), segment(0xe5))),
    "jpeg of segments": afterStart(jpeg, many(segment(0xe5))),
    "jpeg of segments apart": afterStart(jpeg, many(segment(0xe5), Buffer.of(0))),
    "png of places": beforeEnd(png, many(text, pngChunk("tEXt", "A\0"))),
    "png of chunks": beforeEnd(png, many(pngChunk("tEXt"))),
    "webp of places": riff(many(riffChunk("XMP "), riffChunk("ABCD"))),
    "webp of chunks": riff(many(riffChunk("ABCD"))),
    "avif of boxes": joined(avif, many(box("free"))),
    "avif of lists": joined(avif, many(fullBox("meta", 0, fullBox("iinf", 0, u16(1)), fullBox("iloc", 0)))),
    "avif of places": joined(avif, many(box("uuid", Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex")))),
  }))
    expect([what, await baring.bare(what.split(" ")[0] ?? "", file).catch((error) => error)]).toEqual([
      what,
      expect.any(TooOdd),
    ]);
});

test("pixels are passed over, however many of their bytes look like the beginning of a marker", async () => {
  const jpeg = await pictureOf("jpeg");
  const pixels = Buffer.alloc(8_000_000, Buffer.of(0xff, 0));
  expect(await baring.bare("jpeg", joined(jpeg.subarray(0, -2), pixels, jpeg.subarray(-2)))).toBeUndefined();
});
