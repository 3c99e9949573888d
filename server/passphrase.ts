// Reads the passphrase of encrypted backups from the operator's file.
import { readFile } from "node:fs/promises";
import { CannotStart } from "./cannot-start.ts";
import { reason } from "./house/check.ts";

/** The file's first line, without its line break. Throws CannotStart when it is empty or the file cannot be read. */
export async function passphraseIn(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new CannotStart(`BACKUP_PASSPHRASE_FILE cannot be read: ${reason(error)}.`);
  }
  const [passphrase = ""] = text.split(/\r?\n/, 1);
  if (passphrase === "") throw new CannotStart(`There is no passphrase in ${file} (BACKUP_PASSPHRASE_FILE).`);
  return passphrase;
}
