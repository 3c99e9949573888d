// Files in tests: minimal samples of each type, and how people upload and download them.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Attachment } from "../../../features/files/contract.ts";
import type { TestHouse } from "../open/engines.ts";
import { heardBeside } from "../people/beside.ts";
import type { Answer, TestPerson } from "../people/people.ts";

export type FileContent = string | Uint8Array;

/** A form with one file in it. */
export function formOf(name: string, content: FileContent, field = "file"): FormData {
  const form = new FormData();
  form.append(field, new File([content as Uint8Array<ArrayBuffer>], name));
  return form;
}

export async function sendForm<T = Attachment>(
  who: TestPerson,
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const { url } = who.host;
  const response = await fetch(`${url}/api/v1/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${who.token}`, ...headers },
    body,
  });
  await heardBeside(url);
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

export function tryUpload<T = Attachment>(who: TestPerson, name: string, content: FileContent) {
  return sendForm<T>(who, formOf(name, content));
}

/** Uploads a file, and throws if it is refused. */
export async function upload(who: TestPerson, name: string, content: FileContent): Promise<Attachment> {
  const answer = await tryUpload(who, name, content);
  if (answer.status !== 201) throw new Error(`${name} was refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function fetchFile(
  who: TestPerson,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  return fetch(who.host.url + path, {
    method,
    headers: { Authorization: `Bearer ${who.token}`, ...headers },
  });
}

/** The names of the stored files and of the unfinished drafts in the house's upload folder. */
export function filesOn(house: TestHouse): { kept: string[]; drafts: string[] } {
  const folder = join(house.running.house.config.dataDir, "uploads");
  const drafts = join(folder, "tmp");
  return {
    kept: readdirSync(folder).filter((name) => name !== "tmp"),
    drafts: existsSync(drafts) ? readdirSync(drafts) : [],
  };
}

/** The columns of an upload that is no picture. */
export const noPicture = {
  width: null,
  height: null,
  preview_of: null,
  is_inspected: 1,
  is_animated: 0,
} as const;

function bytes(...parts: (string | number[] | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
}

const zeros = (count: number) => new Array<number>(count).fill(0);
const isoMedia = (brand: string) =>
  bytes([0, 0, 0, 20], "ftyp", brand, zeros(4), brand, [0, 0, 0, 8], "free");
const oggPage = (packet: string) =>
  bytes("OggS", [0, 2], zeros(8), [1, 0, 0, 0], zeros(4), zeros(4), [1, packet.length], packet, zeros(32));

/** A zip of stored entries: the server looks at local headers only. */
export function zipOf(entries: Record<string, string>): Uint8Array {
  return bytes(
    ...Object.entries(entries).flatMap(([name, content]) => {
      const head = Buffer.alloc(30);
      head.write("PK\x03\x04", "latin1");
      head.writeUInt16LE(10, 4);
      head.writeUInt32LE(content.length, 18);
      head.writeUInt32LE(content.length, 22);
      head.writeUInt16LE(name.length, 26);
      return [head, name, content];
    }),
    [0x50, 0x4b, 5, 6],
    zeros(18),
  );
}

const openXml = (type: string) =>
  zipOf({
    "[Content_Types].xml": `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  });
const openDocument = (type: string) => zipOf({ mimetype: `application/vnd.oasis.opendocument.${type}` });

function tarOf(name: string): Uint8Array {
  const head = Buffer.alloc(512);
  head.write(name);
  head.write("0000644\0", 100);
  head.write("00000000000\0", 124);
  head.write("        ", 148);
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return bytes(head, zeros(1024));
}

const tar = tarOf("a.txt");
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], "JFIF", [0, 1, 1], zeros(7), [0xff, 0xd9]);
const ihdr = bytes([0, 0, 0, 13], "IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89]);
export const png = bytes(
  [0x89],
  "PNG\r\n\x1a\n",
  ihdr,
  [0, 0, 0, 0],
  "IDAT",
  zeros(4),
  zeros(4),
  "IEND",
  zeros(4),
);
const mpegFrame = [0xff, 0xfb, 0x90, 0x44, ...zeros(413)];

/** One of each extension that may be uploaded. */
export const samples: Readonly<Record<string, FileContent>> = {
  jpg: jpeg,
  jpeg,
  png,
  gif: bytes("GIF89a", [1, 0, 1, 0, 0, 0, 0, 0x3b]),
  webp: bytes("RIFF", [26, 0, 0, 0], "WEBPVP8L", zeros(14)),
  avif: isoMedia("avif"),
  mp4: isoMedia("mp42"),
  webm: bytes([0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84], "webm", zeros(8)),
  mov: isoMedia("qt  "),
  mp3: bytes(mpegFrame, mpegFrame),
  ogg: oggPage("\x01vorbis"),
  oga: oggPage("\x7fFLAC\x01\x00"),
  opus: oggPage("OpusHead"),
  wav: bytes("RIFF", [36, 0, 0, 0], "WAVEfmt ", [16, 0, 0, 0, 1, 0, 1, 0], zeros(20)),
  flac: bytes("fLaC", [0x80, 0, 0, 34], zeros(34)),
  m4a: isoMedia("M4A "),
  aac: bytes([0xff, 0xf1, 0x50, 0x80, 2, 0x1f, 0xfc], zeros(64)),
  txt: "The key is under the mat.\n",
  log: "\x1b[32m12:00\x1b[0m started\n",
  md: "# Grüße\n\n- 🔥 *warm*\n",
  csv: "name;town\nAlice;Łódź\n",
  json: '{"fire": "warm"}',
  pdf: bytes("%PDF-1.7\n", [0x25, 0xe2, 0xe3, 0xcf, 0xd3], "\n%%EOF\n"),
  docx: openXml("wordprocessingml.document"),
  xlsx: openXml("spreadsheetml.sheet"),
  pptx: openXml("presentationml.presentation"),
  odt: openDocument("text"),
  ods: openDocument("spreadsheet"),
  odp: openDocument("presentation"),
  zip: zipOf({ "a.txt": "hello" }),
  gz: gzipSync("hello"),
  tar,
  "7z": bytes([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4], zeros(24)),
};

export const program = bytes("MZ", [0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff], zeros(64));
export const tarball: Uint8Array = gzipSync(tar);
