// Detects the format of a file by its first bytes, in the names of file-type, and rarer beginnings that file-type does
// not know.
import { openAsBlob } from "node:fs";

const patienceMs = 5000;
const headBytes = 4096;
/** Most streams of an Ogg container that are looked at: it begins with a page for each stream, and for their index. */
const mostStreams = 8;
const streams: ReadonlySet<string> = new Set(["ogg", "oga", "opus", "spx", "ogv", "ogm"]);

export async function signatureOf(path: string): Promise<string | undefined> {
  // Loaded with the first upload, not at each start.
  const { fileTypeFromBlob } = await import("file-type");
  const signal = AbortSignal.timeout(patienceMs);
  const look = async (bytes: Blob) => (await fileTypeFromBlob(bytes, { signal }))?.ext;
  try {
    // Given a path, the library would load another package at that moment, which no bundler knows of.
    const file = await openAsBlob(path);
    const found = await look(file);
    if (found !== undefined && found !== "heic" && found !== "ogx") return found;
    const head = Buffer.from(await file.slice(0, headBytes).arrayBuffer());
    if (found === "ogx") return await behindIndex(file, look);
    const usual = withUsualHead(head);
    const said = found ?? (usual && (await look(new Blob([usual]))));
    return said === "heic" && isAvif(usual ?? head) ? "avif" : said;
  } catch {
    // The file is truncated, or was made to be hard to read.
    return undefined;
  }
}

/**
 * Returns the file's usual beginning, if it is a long WAV (RF64), a film segment, or has a first box with a long
 * length.
 */
function withUsualHead(head: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | undefined {
  const [first, type] = [head.toString("latin1", 0, 4), head.toString("latin1", 4, 8)];
  if (first === "RF64" || first === "BW64") return Buffer.concat([latin1("RIFF"), head.subarray(4)]);
  if (type === "styp") return Buffer.concat([head.subarray(0, 4), latin1("ftyp"), head.subarray(8)]);
  if (type !== "ftyp" || head.length < 16 || head.readUInt32BE(0) !== 1) return undefined;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Math.max(0, Math.min(Number(head.readBigUInt64BE(8)) - 8, headBytes)));
  return Buffer.concat([length, latin1("ftyp"), head.subarray(16)]);
}

/**
 * True if a picture with a generic major brand is compatible with AVIF, and not with HEIC, which Apple's cameras write.
 */
function isAvif(head: Buffer): boolean {
  const brands = head.toString("latin1", 8, head.readUInt32BE(0)).match(/.{4}/gs) ?? [];
  const [own] = brands;
  return (
    (own === "mif1" || own === "msf1") &&
    brands.some((brand) => brand === "avif" || brand === "avis") &&
    !brands.some((brand) => brand.startsWith("hei") || brand.startsWith("hev"))
  );
}

/** Detects the format behind an index stream ("skeleton"), which programs put first for players that seek. */
async function behindIndex(
  file: Blob,
  look: (bytes: Blob) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (let at = 0, left = mostStreams; left > 0; left--) {
    const stream = file.slice(at, at + headBytes);
    const found = await look(stream);
    if (streams.has(found ?? "")) return found;
    if (found !== "ogx") break;
    const head = Buffer.from(await stream.arrayBuffer());
    const lengths = head.subarray(27, 27 + (head[26] ?? 0));
    at += 27 + lengths.length + lengths.reduce((sum, length) => sum + length, 0);
  }
  return "ogx";
}

function latin1(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, "latin1");
}
