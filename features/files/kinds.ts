// The kinds of files that may be uploaded, with their contents and extensions.
import { textExtensions, type uploadExtensions } from "../../protocol/upload-extensions.ts";
import type { Inside } from "./content.ts";

type Extension = (typeof uploadExtensions)[number];

/** A group of kinds within which name and content may differ: people rename files, phones name them oddly. */
type Family = "picture" | "recording" | "document" | "text";

interface Kind {
  family: Family;
  contentType: string;
  /** The extensions of files of this kind, the usual one first. */
  extensions: readonly [Extension, ...Extension[]];
  /** The content types that content.ts reports for such a file. */
  found: readonly string[];
}

const openXml = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

const film = kind("recording", "video/mp4", ["mp4"], "mp4", "m4v", "m4p", "f4v", "f4p", "3gp", "3g2");
const quickTime = kind("recording", "video/quicktime", ["mov"], "mov");
const sound = kind("recording", "audio/mp4", ["m4a"], "m4a", "m4b", "f4a", "f4b");
const webm = kind("recording", "video/webm", ["webm"], "webm");
const webmSound = kind("recording", "audio/webm", ["webm"]);

// No markup and no programs: opening one of these by mistake runs nothing. Programs that are zip files, too (jar, apk),
// have types of their own.
const kinds: readonly Kind[] = [
  kind("picture", "image/jpeg", ["jpg", "jpeg"], "jpg"),
  kind("picture", "image/png", ["png"], "png", "apng"),
  kind("picture", "image/gif", ["gif"], "gif"),
  kind("picture", "image/webp", ["webp"], "webp"),
  kind("picture", "image/avif", ["avif"], "avif"),
  ...[film, quickTime, sound, webm],
  kind("recording", "audio/mpeg", ["mp3"], "mp3", "mp2", "mp1"),
  kind("recording", "audio/ogg", ["ogg", "oga", "opus"], "ogg", "oga", "opus", "spx"),
  kind("recording", "audio/wav", ["wav"], "wav"),
  kind("recording", "audio/flac", ["flac"], "flac"),
  kind("recording", "audio/aac", ["aac"], "aac"),
  kind("document", "application/pdf", ["pdf"], "pdf"),
  kind("document", `${openXml}.wordprocessingml.document`, ["docx"], "docx"),
  kind("document", `${openXml}.spreadsheetml.sheet`, ["xlsx"], "xlsx"),
  kind("document", `${openXml}.presentationml.presentation`, ["pptx"], "pptx"),
  kind("document", `${openDocument}.text`, ["odt"], "odt"),
  kind("document", `${openDocument}.spreadsheet`, ["ods"], "ods"),
  kind("document", `${openDocument}.presentation`, ["odp"], "odp"),
  kind("document", "application/zip", ["zip"], "zip"),
  kind("document", "application/gzip", ["gz"], "gz", "tar.gz"),
  kind("document", "application/x-tar", ["tar"], "tar"),
  kind("document", "application/x-7z-compressed", ["7z"], "7z"),
  kind("text", "text/plain", ["txt", "log"], "text"),
  kind("text", "text/markdown", ["md"], "text"),
  kind("text", "text/csv", ["csv"], "text"),
  kind("text", "application/json", ["json"], "text"),
  // The encoding of such a text is unknown, so browsers only save it.
  kind("text", "application/octet-stream", textExtensions, "other text"),
];

function kind(
  family: Family,
  contentType: string,
  extensions: Kind["extensions"],
  ...found: readonly string[]
): Kind {
  return { family, contentType, extensions, found };
}

/** Extensions of texts that may begin with a tag: Markdown has nothing else for a centred picture or title. */
const beginsWithTags: ReadonlySet<string> = new Set(["md"]);

export function isTaken(extension: string): boolean {
  return familyOf(extension) !== undefined;
}

/**
 * Returns the kind of a file with this content; undefined if it may not have this extension, or is not accepted under
 * any.
 */
export function kindOf(inside: Inside, extension: string): Kind | undefined {
  if (inside.markup === "page" || (inside.markup && !beginsWithTags.has(extension))) return undefined;
  const fitting = kinds.filter(({ found }) => found.includes(inside.found ?? ""));
  const named = fitting.find((each) => isOf(each, extension)) ?? fitting[0];
  if (named === undefined || named.family !== familyOf(extension)) return undefined;
  return recordedAs(named, inside.hasFilm, extension);
}

/** Returns the usual extension of a file with this content; undefined if it is not accepted under any. */
export function endingFor({ found }: Inside): string | undefined {
  return kinds.find((each) => each.found.includes(found ?? ""))?.extensions[0];
}

/** Returns the extension under which a file of this kind is stored: its own if it fits, else the usual one. */
export function storedExtension(kind: Kind, extension: string): string {
  return isOf(kind, extension) ? extension : kind.extensions[0];
}

/** True if files of this media type are pictures that can be decoded. */
export function isPicture(contentType: string): boolean {
  return contentType.startsWith("image/");
}

/** True if the type is GIF. A GIF counts as animated: few are not, and those are not told apart. */
export function isGif(contentType: string): boolean {
  return contentType === "image/gif";
}

/** Tells films from sound in the same container. If the container does not say, the name decides. */
function recordedAs(named: Kind, hasFilm: boolean | undefined, extension: string): Kind {
  if (named === webm) return hasFilm === false ? webmSound : webm;
  // A container of sound alone may have a cover or chapters as a picture track, so it is a film only if it is named as
  // one.
  if (named === sound)
    return hasFilm && [film, quickTime, webm].some((each) => isOf(each, extension)) ? film : sound;
  if (named !== film && named !== quickTime) return named;
  if (hasFilm === false || (hasFilm === undefined && isOf(sound, extension))) return sound;
  // Players recognise QuickTime by this type only if it is named so.
  return named === quickTime && isOf(quickTime, extension) ? quickTime : film;
}

function familyOf(extension: string): Family | undefined {
  return kinds.find((each) => isOf(each, extension))?.family;
}

function isOf({ extensions }: Kind, extension: string): boolean {
  return (extensions as readonly string[]).includes(extension);
}
