// File names for uploads: their extensions, and the removed characters, for a page that reports them before sending.

/** Extensions of plain texts: an empty file is a text, and of no other kind. */
export const textExtensions = ["txt", "log", "md", "csv", "json"] as const;

export const uploadExtensions = [
  ...["jpg", "jpeg", "png", "gif", "webp", "avif"],
  ...["mp4", "webm", "mov"],
  ...["mp3", "ogg", "oga", "opus", "wav", "flac", "m4a", "aac"],
  ...textExtensions,
  ...["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp"],
  ...["zip", "gz", "tar", "7z"],
] as const;

/** Returns the last extension of a name in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Direction marks that systems put at the ends of names, to keep a name written from right to left together. */
const marks = "\\u061c\\u200e\\u200f";
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
const atBegin = new RegExp(`^[\\s${marks}]+`);
const atEnd = new RegExp(`(?<![\\s.${marks}])[\\s.${marks}]+$`);
/** Marks before the extension. Which dot begins that is known only once the end of the name is cut. */
const beforeEnding = new RegExp(`(?<![${marks}])[${marks}]+(?=\\.[^.]*$)`);

/**
 * Returns a file's name without characters that change the direction of the text around it, and without the blanks and
 * dots at its end that other systems cut.
 */
export function keptFileName(given: string): string {
  return given.replace(turning, "").replace(atEnd, "").replace(atBegin, "").replace(beforeEnding, "");
}
