// The type of a file by the extension of its name, where its content alone is ambiguous: formats that may begin with
// other bytes (PDF, MP3), and zip archives that hold the files of another format.
import type { FileBytes } from "./location/file-bytes.ts";
import { hasFrames } from "./mpeg.ts";
import { Opening } from "./opening.ts";

/**
 * Formats based on zip whose programs open a file only by its extension: named .zip it is unpacked like any other
 * archive. Such an archive is common, as a project or a backup may hold the files of one of these formats by chance.
 * Documents with macros (docm) are not in this list: office programs look at the content.
 */
const archives: ReadonlySet<string> = new Set([
  ...["jar", "apk", "xpi", "epub", "pages", "key", "numbers", "vsdx", "3mf"],
  ...["ott", "ots", "otp", "odg", "otg", "ppsx", "xltx", "dotx", "potx"],
]);

/** How far PDF readers search for the header, in bytes: printers and mail programs put lines of their own before it. */
const headBytes = 1024;

const looks: Readonly<Record<string, (file: FileBytes) => Promise<boolean>>> = {
  pdf: async (file) => (await file.at(0, headBytes)).includes("%PDF-"),
  mp3: hasFrames,
};

/** Returns the type of a file whose name has this extension; `found` is its type by content alone. */
export async function underName(
  extension: string,
  found: string | undefined,
  file: FileBytes,
): Promise<string | undefined> {
  if (extension === "zip" && archives.has(found ?? "")) return "zip";
  const mayBeOther = found === undefined || found === "text" || found === "other text";
  if (!mayBeOther || !looks[extension] || (await beginsAsMarkup(file))) return found;
  return (await looks[extension](file)) ? extension : found;
}

/**
 * True if the file begins as markup: browsers then take it for a page, even if later bytes show that it is not text.
 */
async function beginsAsMarkup(file: FileBytes): Promise<boolean> {
  const opening = new Opening();
  opening.read((await file.at(0, headBytes)).toString("latin1"));
  return opening.markup !== undefined;
}
