// The content of a file decides its type: its name only has to be of the same family.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { processorMs } from "../../tests/house/machine/processor.ts";
import { box, pngChunk, u32 } from "../../tests/house/material/containers.ts";
import { hugePng, inVienna, movingPicture, pictureOf } from "../../tests/house/material/images.ts";
import { isoRecording, webmRecording } from "../../tests/house/material/recordings.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import {
  type FileContent,
  fetchFile,
  filesOn,
  png,
  program,
  samples,
  tryUpload,
  upload,
} from "../../tests/house/scenes/files.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

const sample = (extension: string) => samples[extension] ?? "";
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string, mark = "\ufeff") => Buffer.from(mark + text, "utf16le");
const swapped = (bytes: Buffer) => bytes.swap16();

/** The given name, the content, the resulting type, and the extension of the stored name. */
const taken: readonly [name: string, content: FileContent, type: string, ending: string][] = [
  ["film.mp4", isoRecording("3gp6", "film", "sound"), "video/mp4", "mp4"],
  ["film.mp4", isoRecording("3g2a", "film"), "video/mp4", "mp4"],
  ["film.mp4", isoRecording("qt  ", "film", "sound"), "video/mp4", "mp4"],
  ["film.mp4", isoRecording("3gp4"), "video/mp4", "mp4"],
  ["film.mov", isoRecording("isom", "film"), "video/mp4", "mp4"],
  ["film.mov", isoRecording("qt  ", "film"), "video/quicktime", "mov"],
  ["film.webm", isoRecording("mp42", "film"), "video/mp4", "mp4"],
  ["memo.m4a", isoRecording("3gp4", "sound"), "audio/mp4", "m4a"],
  ["memo.m4a", isoRecording("3gp4"), "audio/mp4", "m4a"],
  ["memo.m4a", isoRecording("qt  ", "sound"), "audio/mp4", "m4a"],
  ["memo.mp4", isoRecording("isom", "sound"), "audio/mp4", "m4a"],
  ["memo.mov", isoRecording("qt  ", "sound"), "audio/mp4", "m4a"],
  ["song.m4a", isoRecording("M4A ", "sound", "film"), "audio/mp4", "m4a"],
  ["film.mp4", isoRecording("M4A ", "film", "sound"), "video/mp4", "mp4"],
  ["film.mov", isoRecording("M4B ", "film"), "video/mp4", "mp4"],
  ["film.webm", isoRecording("F4A ", "film"), "video/mp4", "mp4"],
  ["memo.mp4", isoRecording("M4A ", "sound"), "audio/mp4", "m4a"],
  ["memo.mp4", isoRecording("M4A "), "audio/mp4", "m4a"],
  ["song.mp3", isoRecording("M4A ", "sound", "film"), "audio/mp4", "m4a"],
  ["a.mp3", isoRecording("M4A ", "sound"), "audio/mp4", "m4a"],
  ["film.mp3", sample("mp4"), "video/mp4", "mp4"],
  ["sound.mp4", sample("mp3"), "audio/mpeg", "mp3"],
  ["sound.wav", sample("ogg"), "audio/ogg", "ogg"],
  ["sound.ogg", sample("opus"), "audio/ogg", "ogg"],
  ["sound.m4a", sample("aac"), "audio/aac", "aac"],
  ["sound.mp3", sample("wav"), "audio/wav", "wav"],
  ["film.webm", webmRecording("sound", "film"), "video/webm", "webm"],
  ["sound.webm", webmRecording("sound"), "audio/webm", "webm"],
  ["sound.ogg", webmRecording("sound"), "audio/webm", "webm"],
  ["photo.jpg", png, "image/png", "png"],
  ["photo.jpeg", sample("webp"), "image/webp", "webp"],
  ["photo.png", sample("jpg"), "image/jpeg", "jpg"],
  ["photo.jpeg", sample("jpg"), "image/jpeg", "jpeg"],
  ["photo.gif", sample("avif"), "image/avif", "avif"],
  ["zip.docx", sample("zip"), "application/zip", "zip"],
  ["letter.odt", sample("docx"), "wordprocessingml", "docx"],
  ["letter.zip", sample("pdf"), "application/pdf", "pdf"],
  ["source.zip", sample("tar"), "application/x-tar", "tar"],
  ["export.csv", latin1("M\xfcller;1\r\n"), "application/octet-stream", "csv"],
  ["notes.txt", latin1("Gr\xfc\xdfe"), "application/octet-stream", "txt"],
  ["cut-off.md", latin1("A\xe2\x82"), "application/octet-stream", "md"],
  ["old.json", latin1('{"a": "\x93quoted\x94"}'), "application/octet-stream", "json"],
  ["dos.csv", latin1("M\xfcller;1\r\n\x1a"), "application/octet-stream", "csv"],
  ["bell.log", Buffer.from("done\x07 50 %\b\b100 %\x0b"), "text/plain", "log"],
  ["list.txt", utf16("Grüße\r\n"), "application/octet-stream", "txt"],
  ["list.log", swapped(utf16("Grüße 🔥\r\n")), "application/octet-stream", "log"],
  ["bmw.txt", latin1("BM\xdcW, Audi"), "application/octet-stream", "txt"],
];

describe("taken, as what is in it", () => {
  for (const [name, content, type, ending] of taken)
    test(`${name}: ${type}`, async () => {
      const file = await upload(alice, name, content);
      expect(file.name).toBe(name);
      expect(file.content_type).toMatch(type);
      expect(file.url).toEndWith(`.${ending}`);
      const back = await fetchFile(alice, file.url);
      expect(back.headers.get("content-type")).toStartWith(file.content_type);
      expect(back.headers.get("content-disposition")).toContain(`attachment; filename="${name}"`);
      expect(back.headers.get("x-content-type-options")).toBe("nosniff");
      expect(Buffer.from(await back.arrayBuffer())).toEqual(Buffer.from(content as Uint8Array));
    });
});

/** A PNG of more parts than any program writes. */
const endless = Buffer.concat([Buffer.from(png.slice(0, 33)), ...Array(60_000).fill(pngChunk("tEXt"))]);
const tooMany =
  /^It holds a png file of too many parts, .* Open it and save it anew\. Or pack it into a zip file\.$/;

const page = "<!doctype html><script>alert(1)</script>";
const refused: readonly [name: string, content: FileContent, says: RegExp][] = [
  ["page.txt", latin1(`${page}\xfc`), /web page or other markup/],
  ["page.csv", utf16(page), /web page or other markup/],
  ["page.txt", swapped(utf16(page)), /web page or other markup/],
  ["drawing.md", utf16("  <svg onload='x'>"), /web page or other markup/],
  ["feed.txt", utf16("<?xml version='1.0'?><a/>"), /zip file/],
  ["unmarked.txt", utf16("no mark", ""), /Open it and save it anew/],
  ["wide-nul.txt", utf16("a\0b"), /Open it and save it anew/],
  ["half-a-letter.txt", Buffer.concat([utf16("a"), Buffer.of(0x41)]), /Open it and save it anew/],
  ["nul.csv", latin1("M\xfcller\0"), /Open it and save it anew/],
  ["nul.log", Buffer.from("done\0"), /Open it and save it anew/],
  ["tool.mp4", program, /holds a exe file, which is not taken/],
  ["tool.txt", program, /exe file, which is not taken/],
  ["film.png", isoRecording("isom", "film"), /end in \.mp4/],
  ["photo.mp4", png, /holds a png file, so rename it to end in \.png/],
  ["letter.txt", sample("pdf"), /end in \.pdf/],
  ["letter.txt", "{\\rtf1 Dear Ada}", /holds a rtf file, which is not taken/],
  ["print.txt", "%!PS-Adobe-3.0\nshowpage\n", /holds a ps file, which is not taken/],
  ["notes.pdf", latin1("Gr\xfc\xdfe"), /zip file/],
  ["page.png", utf16(page), /web page or other markup/],
  ["empty.png", "", /^It is empty\. Download or save it anew\.$/],
  ["empty.pdf", "", /^It is empty\. Download or save it anew\.$/],
  ["cut-off.png", png.slice(0, 6), /no png file, or a damaged one/],
  ["endless.png", endless, tooMany],
  ["endless.jpg", endless, tooMany],
  ["cut-off.jpg", Buffer.of(0xff, 0xd8), /no jpg file, or a damaged one/],
];

describe("refused, whatever it is called, with what to do", () => {
  for (const [name, content, says] of refused)
    test(name, async () => {
      const before = filesOn(house);
      const { status, body } = await tryUpload<{ error: string; code: string }>(alice, name, content);
      expect([status, body.code]).toEqual([415, "unsupported_type"]);
      expect(body.error).toMatch(says);
      expect(filesOn(house)).toEqual(before);
    });
});

test("a picture under another ending loses the place where it was taken, too", async () => {
  const { url, width, preview_url } = await upload(
    alice,
    "photo.jpg",
    await pictureOf("png", { width: 900, height: 600, exif: inVienna }),
  );
  const kept = Buffer.from(await (await fetchFile(alice, url)).arrayBuffer());
  expect([width, preview_url === null, kept.includes("Box camera")]).toEqual([900, false, false]);
});

describe("pictures that move say so", () => {
  const still = hugePng(4, 4);
  /** The first image begins after the signature and the chunk IHDR. */
  const movingPng = Buffer.concat([
    still.subarray(0, 33),
    pngChunk("acTL", u32(2), u32(0)),
    still.subarray(33),
  ]);
  const brands = (...names: string[]) => box("ftyp", names[0] ?? "", u32(0), ...names);
  const pictures: Readonly<Record<string, [boolean, () => Promise<FileContent>]>> = {
    "moving.webp": [true, () => movingPicture("webp", 1200, 900)],
    "small.webp": [true, () => movingPicture("webp", 90, 60)],
    "moving called.jpg": [true, () => movingPicture("webp", 90, 60)],
    "still.webp": [false, () => pictureOf("webp")],
    "moving.gif": [true, () => movingPicture("gif", 90, 60)],
    "moving.png": [true, async () => movingPng],
    "still.png": [false, () => pictureOf("png")],
    // Browsers show the first image alone, as the chunk acTL comes after it.
    "notice too late.png": [
      false,
      async () =>
        Buffer.concat([still.subarray(0, -12), pngChunk("acTL", u32(2), u32(0)), still.subarray(-12)]),
    ],
    "moving.avif": [true, async () => brands("avis", "avis", "avif")],
    "also moving.avif": [true, async () => brands("avif", "mif1", "avis")],
    "still.avif": [false, () => pictureOf("avif")],
    "still.jpg": [false, () => pictureOf("jpeg")],
    "film.mp4": [false, async () => isoRecording("isom", "film")],
  };
  for (const [name, [animated, content]] of Object.entries(pictures))
    test(name, async () => expect(await upload(alice, name, await content())).toMatchObject({ animated }));

  test("so does a GIF of a message from before", async () => {
    const home = await alice.makeServer();
    const { url } = await upload(alice, "old.gif", await movingPicture("gif", 90, 60));
    const { body } = await alice.post<{ id: string }>(`/channels/${home.general.id}/messages`, {
      attachments: [url],
    });
    await house.running.house.database.transaction(async (db) => {
      const row = await db
        .selectFrom("messages")
        .select("attachments")
        .where("id", "=", body.id)
        .executeTakeFirstOrThrow();
      const attachments = row.attachments.replace(/,"animated":true/, "");
      expect(attachments).not.toContain("animated");
      await db.updateTable("messages").set({ attachments }).where("id", "=", body.id).execute();
    });
    expect((await alice.get(`/messages/${body.id}`)).body).toMatchObject({
      attachments: [{ animated: true }],
    });
  });
});

describe("names that a system wrote", () => {
  const names: Readonly<Record<string, string>> = {
    "report.txt.": "report.txt",
    "report.txt . .": "report.txt",
    "report.txt\u3000": "report.txt",
    "report.txt.\u200e": "report.txt",
    "\u200eWhatsApp note.txt": "WhatsApp note.txt",
    "שלום\u200f.txt": "שלום.txt",
    "a\u200e.txt.": "a.txt",
    "a\u200f\u200e.txt .\u200e.": "a.txt",
    "\u202bשלום\u202c.txt": "שלום.txt",
    "a\u2067b\u2069.txt": "ab.txt",
    "x\u202etxt.txt": "xtxt.txt",
    "Screenshot 1.00\u202fPM.txt": "Screenshot 1.00\u202fPM.txt",
  };
  for (const [given, kept] of Object.entries(names))
    test(`${JSON.stringify(given)} is taken as ${kept}`, async () =>
      expect((await upload(alice, given, "words")).name).toBe(kept));

  test("a name of which nothing is left, and an ending that was hidden, are refused", async () => {
    for (const [name, status] of [
      [". .", 400],
      ["\u200e", 400],
      ["a\u200eb.txt", 400],
      ["tool.exe.", 415],
      ["tool.exe\u200f", 415],
      ["report.", 415],
    ] as const)
      expect([name, (await tryUpload(alice, name, "words")).status]).toEqual([name, status]);
    const before = processorMs();
    expect((await tryUpload(alice, `${".".repeat(60_000)}a`, "words")).status).toBe(400);
    expect(processorMs() - before).toBeLessThan(5000);
  });
});
