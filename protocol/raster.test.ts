// Detection of five picture formats by their first bytes, and of nothing else.
import { describe, expect, test } from "bun:test";
import { samples } from "../tests/house/scenes/files.ts";
import { rasterFormatOf, rasterTypes } from "./raster.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

/** The first box of an ISO media file, followed by another one. */
function isoMedia(major: string, ...compatible: string[]): Buffer {
  const box = latin1(`    ftyp${major}\0\0\0\0${compatible.join("")}`);
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, latin1("\0\0\0\x10free    avif")]);
}

test("JPEG, PNG, GIF, WebP and AVIF are known by their first bytes, and no other kind of file is a picture", () => {
  for (const [extension, content] of Object.entries(samples)) {
    const name = extension === "jpeg" ? "jpg" : extension;
    const expected = Object.hasOwn(rasterTypes, name) ? name : undefined;
    expect<unknown>([extension, rasterFormatOf(Buffer.from(content))]).toEqual([extension, expected]);
  }
});

describe("AVIF", () => {
  test("is one of the brands of the first box, the major one or a compatible one, of a still or of a sequence", () => {
    for (const each of [isoMedia("avif"), isoMedia("avis", "msf1"), isoMedia("mif1", "miaf", "avif")])
      expect(rasterFormatOf(each)).toBe("avif");
  });

  test("is not what merely holds the word: in another place, between two brands, in another box", () => {
    for (const each of [
      isoMedia("isom", "iso2", "mp41"),
      isoMedia("heic", "mif1"),
      isoMedia("mp42", "xavi", "fxxx"),
      latin1("\0\0\0\x14ftypisomavif"),
      latin1("\0\0\0\x18ftypisom"),
      latin1("avif"),
    ])
      expect(rasterFormatOf(each)).toBeUndefined();
  });
});

test("markup, text, cut off beginnings and nothing at all are no pictures", () => {
  for (const each of [
    "",
    "\xff\xd8",
    "\x89PNG\r\n",
    "GIF88a",
    "RIFF\x1a\0\0\0WAVEfmt ",
    " GIF89a",
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "<!doctype html><img src=x>",
    "BM\x3a\0\0\0",
    "II*\0",
    "\0\0\x01\0\x01\0",
  ])
    expect([each, rasterFormatOf(latin1(each))]).toEqual([each, undefined]);
});
