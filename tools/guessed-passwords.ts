// Generates the list of common passwords that the page warns about, from an unpacked `@zxcvbn-ts/language-common`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../protocol/limits.ts";

// `npm pack @zxcvbn-ts/language-common@4.1.3`, unpack it, `bun tools/guessed-passwords.ts FOLDER`. The page needs a
// part of one of its lists, so it is no dependency. (MIT; the list is Dropbox's, of leaked passwords.)

/** Guessing programs try the first few thousand; each further password makes the page's download larger. */
const most = 2000;

const [, , folder = "package"] = process.argv;
const all = JSON.parse(readFileSync(join(folder, "src/passwords.json"), "utf8")) as string[];
// Shorter passwords are refused anyway.
const long = all.filter((password) => password.length >= limits.password_min).slice(0, most);
writeFileSync("features/sessions/view/guessed-passwords.txt", `${long.join("\n")}\n`);
console.log(long.length);
