// Files of accepted kinds that begin otherwise than most of their kind, and files that only look like them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { box, joined, u32 } from "../../tests/house/material/containers.ts";
import { pictureOf } from "../../tests/house/material/images.ts";
import { isoRecording } from "../../tests/house/material/recordings.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import {
  type FileContent,
  fetchFile,
  filesOn,
  program,
  samples,
  tryUpload,
  upload,
  zipOf,
} from "../../tests/house/scenes/files.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

const zeros = (count: number) => Buffer.alloc(count);
const brands = (own: string, ...others: string[]) =>
  joined(box("ftyp", own, u32(0), ...others), box("mdat", zeros(50)));
/** Gives the first box of a recording a length of eight more bytes. */
function withLongHead(recording: Buffer): Buffer {
  const length = recording.readUInt32BE(0);
  return joined(u32(1), "ftyp", u32(0), u32(length + 8), recording.subarray(8));
}
/** A segment of a film that is sent in segments. */
function asPiece(recording: Buffer): Buffer {
  return joined(recording.subarray(0, 4), "styp", recording.subarray(8));
}
const oggPage = (packet: string) =>
  joined("OggS", Buffer.of(0, 2), zeros(20), Buffer.of(1, packet.length), packet);
const skeleton = oggPage(`fishead\0${"\0".repeat(56)}`);

/** The header of a frame, and the frame's length in bytes. */
const frames: Readonly<Record<string, [head: number, length: number]>> = {
  "version 1": [0xfffb9064, 417],
  "version 1, padded": [0xfffb9264, 418],
  "version 1, 320 kbit/s": [0xfffbe864, 1440],
  "version 2": [0xfff38064, 208],
  "version 2.5": [0xffe38864, 576],
};
const sound = (kind = "version 1", count = 3) => {
  const [head, length] = frames[kind] ?? [0, 0];
  return joined(...Array.from({ length: count }, () => joined(u32(head), zeros(length - 4))));
};
const names = joined("ID3\x03\0\0\0\0\x01\x01", zeros(129));

const pdf = joined("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<<>>endobj\n\0\0trailer<<>>\n%%EOF");
const pdfOfLetters = "%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF";

/** A tar from before POSIX: only the checksum in its header identifies it. */
function oldTar(): Buffer {
  const tar = Buffer.from(samples.tar as Uint8Array);
  tar.fill(0, 257, 265);
  tar.write("        ", 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return tar;
}

const jar = zipOf({ "a.txt": "x", "META-INF/MANIFEST.MF": "Manifest-Version: 1.0" });
const macros = zipOf({
  "[Content_Types].xml":
    '<Types><Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
});

const taken: readonly [what: string, name: string, content: FileContent, type: string, ending: string][] = [
  ["AVIF that says so second", "a.avif", brands("mif1", "mif1", "avif", "miaf"), "image/avif", "avif"],
  ["AVIF that says so second", "a.jpg", brands("msf1", "avis", "msf1"), "image/avif", "avif"],
  ["RF64", "a.wav", joined("RF64", u32(0xffff_ffff), "WAVEds64", zeros(80)), "audio/wav", "wav"],
  ["BW64", "a.mp3", joined("BW64", u32(0xffff_ffff), "WAVEds64", zeros(80)), "audio/wav", "wav"],
  ["a long head", "a.mp4", withLongHead(isoRecording("isom", "film")), "video/mp4", "mp4"],
  ["a long head", "a.mov", withLongHead(isoRecording("qt  ", "film")), "video/quicktime", "mov"],
  ["a long head", "a.m4a", withLongHead(isoRecording("mp42", "sound")), "audio/mp4", "m4a"],
  ["a long head", "a.avif", withLongHead(brands("mif1", "avif")), "image/avif", "avif"],
  ["a piece", "a.mp4", asPiece(isoRecording("msdh", "film")), "video/mp4", "mp4"],
  ["a piece", "a.m4a", asPiece(isoRecording("msdh", "sound")), "audio/mp4", "m4a"],
  ["an index first", "a.ogg", joined(skeleton, oggPage("\x01vorbis..")), "audio/ogg", "ogg"],
  ["an index first", "a.oga", joined(skeleton, oggPage("\x7fFLAC....")), "audio/ogg", "oga"],
  ["an index first", "a.opus", joined(skeleton, skeleton, oggPage("OpusHead")), "audio/ogg", "opus"],
  ["zeros before the sound", "a.mp3", joined(zeros(100), sound()), "audio/mpeg", "mp3"],
  ["a cut frame", "a.mp3", joined("\x11\x22\x33", sound()), "audio/mpeg", "mp3"],
  ["a cut frame", "a.mp3", joined(zeros(3000), "\xff\xfb\x90\x64\xff\xfb", sound()), "audio/mpeg", "mp3"],
  ["names and room", "a.mp3", joined(names, zeros(200), sound()), "audio/mpeg", "mp3"],
  ...Object.keys(frames).map(
    (kind) =>
      [kind, "a.mp3", joined("\x11", sound(kind)), "audio/mpeg", "mp3"] as [
        string,
        string,
        Buffer,
        string,
        string,
      ],
  ),
  ["a line first", "a.pdf", joined("\r\n", pdf), "application/pdf", "pdf"],
  ["a line first", "a.pdf", `\n${pdfOfLetters}`, "application/pdf", "pdf"],
  ["a printer's lines first", "a.pdf", joined("\x1b%-12345X@PJL\n", pdf), "application/pdf", "pdf"],
  ["a mark first", "a.pdf", joined("\xef\xbb\xbf", pdf), "application/pdf", "pdf"],
  ["as late as may be", "a.pdf", joined("x".repeat(1019), pdf), "application/pdf", "pdf"],
  ["an old tar", "a.tar", oldTar(), "application/x-tar", "tar"],
  ["a jar", "project.zip", jar, "application/zip", "zip"],
  ["an apk", "backup.zip", zipOf({ "app/classes.dex": "x" }), "application/zip", "zip"],
  ["an extension", "a.zip", zipOf({ "META-INF/mozilla.rsa": "x" }), "application/zip", "zip"],
  ["pages", "a.zip", zipOf({ "Index/Document.iwa": "x" }), "application/zip", "zip"],
  ["a book", "a.zip", zipOf({ mimetype: "application/epub+zip" }), "application/zip", "zip"],
];

describe("taken, though it begins otherwise", () => {
  for (const [what, name, content, type, ending] of taken)
    test(`${what}: ${name} is ${type}`, async () => {
      const file = await upload(alice, name, content);
      expect(file.content_type).toBe(type);
      expect(file.url).toEndWith(`.${ending}`);
      const back = await fetchFile(alice, file.url);
      expect(Buffer.from(await back.arrayBuffer())).toEqual(Buffer.from(content as Uint8Array));
    });

  test("AVIF of a real encoder, whose first word is another", async () => {
    const picture = Buffer.from(await pictureOf("avif", { width: 90, height: 60 }));
    picture.write("mif1", 8);
    const file = await upload(alice, "a.avif", picture);
    expect(file).toMatchObject({ content_type: "image/avif", width: 90, height: 60 });
  });
});

const page = "<!doctype html><script>alert(1)</script>";
const refused: readonly [what: string, name: string, content: FileContent, says: RegExp][] = [
  ["a picture of Apple's", "a.avif", brands("heic", "mif1", "heic"), /holds a heic file/],
  ["a picture of Apple's", "a.avif", brands("mif1", "heic", "avif"), /holds a heic file/],
  ["a picture of Apple's", "a.jpg", brands("mif1", "mif1"), /holds a heic file/],
  ["a picture of Apple's", "a.jpg", withLongHead(brands("heic", "mif1")), /holds a heic file/],
  ["a film in Ogg", "a.ogg", joined(skeleton, oggPage("\x80theora.")), /holds a ogv file/],
  ["an index alone", "a.ogg", joined(skeleton, isoRecording("isom", "film")), /holds a ogx file/],
  ["one frame", "a.mp3", joined("\x11", sound("version 1", 1), zeros(900)), /no mp3 file, or a damaged one/],
  ["sound too late", "a.mp3", joined(zeros(5000), sound()), /no mp3 file, or a damaged one/],
  ["sound after a word", "a.txt", joined("\x11", sound()), /no txt file/],
  ["a PDF too late", "a.pdf", `${"x".repeat(1020)}${pdfOfLetters}`, /end in \.txt/],
  ["a PDF in a page", "a.pdf", `${page}${pdfOfLetters}`, /web page or other markup/],
  ["a PDF in a page", "a.pdf", joined(page, pdf), /no pdf file, or a damaged one/],
  ["a PDF in a program", "a.pdf", joined(program, pdf), /holds a exe file/],
  ["a jar", "a.docx", jar, /holds a jar file, which is not taken/],
  ["macros", "a.zip", macros, /holds a docm file, which is not taken/],
  ["macros", "a.docx", macros, /holds a docm file, which is not taken/],
  ["a wrong sum", "a.tar", joined(oldTar().subarray(0, 1), "b", oldTar().subarray(2)), /no tar file/],
];

describe("refused, though it looks like it", () => {
  for (const [what, name, content, says] of refused)
    test(`${what}: ${name}`, async () => {
      const before = filesOn(house);
      const { status, body } = await tryUpload<{ error: string }>(alice, name, content);
      expect(status).toBe(415);
      expect(body.error).toMatch(says);
      expect(filesOn(house)).toEqual(before);
    });

  test("a program to be run is not taken by its name", async () => {
    for (const name of ["tool.jar", "tool.apk", "tool.docm"])
      expect([name, (await tryUpload(alice, name, jar)).status]).toEqual([name, 415]);
  });
});

test("a text that shows how a PDF begins stays a text", async () => {
  const { content_type } = await upload(alice, "how.txt", `It begins so: ${pdfOfLetters}`);
  expect(content_type).toStartWith("text/plain");
});
