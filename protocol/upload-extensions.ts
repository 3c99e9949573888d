// The names of files that can be uploaded: their endings, and what is dropped of a name, for a page that says so before it
// sends anything.

/** Of plain texts: an empty file is a text, and no file of any other kind. */
export const textExtensions = ["txt", "log", "md", "csv", "json"] as const;

export const uploadExtensions = [
  ...["jpg", "jpeg", "png", "gif", "webp", "avif"],
  ...["mp4", "webm", "mov"],
  ...["mp3", "ogg", "oga", "opus", "wav", "flac", "m4a", "aac"],
  ...textExtensions,
  ...["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp"],
  ...["zip", "gz", "tar", "7z"],
] as const;

/** The last extension of a name in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** Systems put them at the ends of names, for a name that is written from right to left to stay together. */
const marks = "\\u061c\\u200e\\u200f";
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
const atBegin = new RegExp(`^[\\s${marks}]+`);
const atEnd = new RegExp(`(?<![\\s.${marks}])[\\s.${marks}]+$`);
/** Which dot begins the ending is known once the end of the name is cut. */
const beforeEnding = new RegExp(`(?<![${marks}])[${marks}]+(?=\\.[^.]*$)`);

/** A file's name without what turns the text around it, and without the blanks and dots at its end that other systems cut. */
export function keptFileName(given: string): string {
  return given.replace(turning, "").replace(atEnd, "").replace(atBegin, "").replace(beforeEnding, "");
}
