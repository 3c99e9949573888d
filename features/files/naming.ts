// Names of files: which names an upload may have, and how a download spells them.
import { randomBytes } from "node:crypto";
import { invalidField } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { hidesText } from "../../protocol/names.ts";
import { length } from "../../protocol/shapes.ts";
import { keptFileName } from "../../protocol/upload-extensions.ts";

/** A longer name is refused as it is: dropping something of it would not make it fit. */
const mostGiven = 4 * limits.upload_name_max;

/** The name as people will see it. Throws invalid_request for a name with hidden or misleading characters. */
export function checkedName(given: string | undefined): string {
  // In a form, browsers escape a quotation mark and line ends this way, and nothing else.
  const whole = (given ?? "").replaceAll("%22", '"');
  const name = whole.length > mostGiven ? whole : keptFileName(whole);
  if (name === "") throw invalidField("file", "needs a file name");
  if (length(name) > limits.upload_name_max)
    throw invalidField("file", `must have a name of at most ${limits.upload_name_max} characters`);
  if (hidesText(name) || /%0[0ad]/i.test(name) || !name.isWellFormed())
    throw invalidField("file", "must have a name without invisible or direction-changing characters");
  return name;
}

/** The name under which a file is stored: 128 random bits and its extension. Anybody who knows it may read the file. */
export function newFilename(extension: string): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** What the preview of a picture of this name is called: the same, with the extension of what it is. */
export function previewName(name: string): string {
  return `${name.slice(0, name.lastIndexOf("."))}.webp`;
}

/** Whether a file in the folder has a name that this server could have given. */
export function isFilename(name: string): boolean {
  return /^[0-9a-f]{32}\.[0-9a-z]+$/.test(name);
}

/** RFC 6266: plain letters for old clients, the true name as UTF-8 for all others. */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
