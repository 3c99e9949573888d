// File names: validation for uploads, stored names, and encoding for downloads.
import { randomBytes } from "node:crypto";
import { invalidField } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { hidesText } from "../../protocol/names.ts";
import { length } from "../../protocol/shapes.ts";
import { keptFileName } from "../../protocol/upload-extensions.ts";
import type { AvatarSide } from "./picture-limits.ts";

/** A longer name is refused without cleaning it up, which would not make it fit. */
const mostGiven = 4 * limits.upload_name_max;

/** Returns the name as people will see it. Throws invalid_request for a name with hidden or misleading characters. */
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

/** Returns a new stored name: 128 random bits and the extension. Anybody who knows it may read the file. */
export function newFilename(extension: string): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** Returns the name of a picture's preview: the same name with the extension of its format. */
export function previewName(name: string): string {
  return `${name.slice(0, name.lastIndexOf("."))}.webp`;
}

/** Returns the name of the file that holds an own picture in one of its sizes. */
export function avatarFilename(name: string, side: AvatarSide): string {
  return `${name}-${side}.webp`;
}

/** True for a file of an own picture: such a file belongs to a profile or a server, and not to messages. */
export function isAvatarFile(name: string): boolean {
  return /^[0-9a-f]{32}-[0-9]+\.webp$/.test(name);
}

/** True if a file in the folder has a name that this server could have given. */
export function isFilename(name: string): boolean {
  return /^[0-9a-f]{32}\.[0-9a-z]+$/.test(name) || isAvatarFile(name);
}

/** Content-Disposition by RFC 6266: ASCII for old clients, the true name in UTF-8 for all others. */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
