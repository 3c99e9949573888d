// What a file is taken for where its name says so and its content does not contradict: formats that may begin with
// something else, and archives that hold what makes another kind of them.
import type { FileBytes } from "./location/file-bytes.ts";
import { hasFrames } from "./mpeg.ts";
import { Opening } from "./opening.ts";

/**
 * Zip archives with an ending of their own, which what opens them goes by: called .zip they are unpacked, as any other, and
 * a project or a backup may hold such a file by chance. Documents with macros (docm) are not among them: their programs
 * look at the content.
 */
const archives: ReadonlySet<string> = new Set([
  ...["jar", "apk", "xpi", "epub", "pages", "key", "numbers", "vsdx", "3mf"],
  ...["ott", "ots", "otp", "odg", "otg", "ppsx", "xltx", "dotx", "potx"],
]);

/** Readers of PDF look so far for its beginning: printers and mail programs put lines of their own before it. */
const headBytes = 1024;

const looks: Readonly<Record<string, (file: FileBytes) => Promise<boolean>>> = {
  pdf: async (file) => (await file.at(0, headBytes)).includes("%PDF-"),
  mp3: hasFrames,
};

/** Returns what the file is under a name with this ending; `found` is what it seems to be under any. */
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

/** A page that holds a byte which no text may hold is none, but browsers would still take it for one. */
async function beginsAsMarkup(file: FileBytes): Promise<boolean> {
  const opening = new Opening();
  opening.read((await file.at(0, headBytes)).toString("latin1"));
  return opening.markup !== undefined;
}
