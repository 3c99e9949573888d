// Parses a store's object list, in a single pass over its text, whatever that holds.
import type { KeptBlob } from "./blobs.ts";

/** The most entries of a list's page, in any store. */
const mostEntries = 1000;

export interface Listed {
  blobs: KeptBlob[];
  /** True if the list goes on after the last entry. */
  isCut: boolean;
}

/** Returns undefined when the text is not a list. Names come without `folder`. */
export function listed(xml: string, folder: string): Listed | undefined {
  if (!xml.includes("<ListBucketResult")) return undefined;
  const blobs: KeptBlob[] = [];
  // A regular expression would search for each entry's end anew: where none has one, each time through all of the text.
  for (let at = xml.indexOf(opens); at >= 0; ) {
    // The rest is requested again, after the last name that was read.
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

/** Unescapes XML text. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= lastCharacter ? String.fromCodePoint(code) : whole;
  });
}
