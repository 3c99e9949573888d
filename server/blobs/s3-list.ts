// Reads a store's list of objects: in one walk through its text, whatever it says.
import type { KeptBlob } from "./blobs.ts";

/** A page of a list has no more entries in any store. */
const mostEntries = 1000;

export interface Listed {
  blobs: KeptBlob[];
  /** Whether there is more behind the last one. */
  isCut: boolean;
}

/** Returns undefined for what is no list. Names are told without `folder`. */
export function listed(xml: string, folder: string): Listed | undefined {
  if (!xml.includes("<ListBucketResult")) return undefined;
  const blobs: KeptBlob[] = [];
  // An expression would look for the end of each entry anew: where none has an end, each time through all of the text.
  for (let at = xml.indexOf(opens); at >= 0; ) {
    // What is left is asked for again, after the last name that was read.
    if (blobs.length === mostEntries) return { blobs, isCut: true };
    const end = xml.indexOf(closes, at);
    if (end < 0) return undefined;
    const blob = blobIn(xml.slice(at + opens.length, end), folder);
    if (!blob) return undefined;
    blobs.push(blob);
    at = xml.indexOf(opens, end);
  }
  return { blobs, isCut: valueIn(xml, "IsTruncated") === "true" };
}

const opens = "<Contents>";
const closes = "</Contents>";

function blobIn(entry: string, folder: string): KeptBlob | undefined {
  const key = valueIn(entry, "Key");
  if (key === "") return undefined;
  return {
    name: plain(key).slice(folder.length),
    size: Number(valueIn(entry, "Size")),
    writtenAt: Date.parse(valueIn(entry, "LastModified")),
  };
}

function valueIn(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? "";
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const lastCharacter = 0x10ffff;

/** A text of XML as it was before it was escaped. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= lastCharacter ? String.fromCodePoint(code) : whole;
  });
}
