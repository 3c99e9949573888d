// Parses IRC logs into messages of people and notices about joins, parts and renames.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export type Notice = "joined" | "left" | "renamed" | "other notice" | "empty" | "not understood";

export type Line = { kind: "said"; nick: string; text: string } | { kind: "notice"; notice: Notice };

export interface Log {
  name: string;
  lines: Line[];
}

const SAID = /^\[\d\d:\d\d\] <([^>]+)>(.*)$/;
const ACTED = /^\[\d\d:\d\d\] {2}\* (\S+)(.*)$/;

// The wording of both log formats, matched right after the nick, so that no nick or parting message can imitate it.
const NOTICES: [RegExp, Notice][] = [
  [/^=== \S+ is now known as /, "renamed"],
  [/^=== \S+ (\[.*\]\s+)?(has joined|entered the room)/, "joined"],
  [/^=== \S+ (\[.*\]\s+)?(has left|has quit|left the room)/, "left"],
  [/^===/, "other notice"],
];

export function readLogs(folder: string): Log[] {
  const files = readdirSync(folder).filter((file) => /\.(txt|log)$/.test(file));
  if (files.length === 0) throw new Error(`There is no .txt or .log file in ${folder}.`);
  return files.sort().map((file) => ({ name: channelName(file), lines: readLines(join(folder, file)) }));
}

export function parseLine(line: string): Line {
  const said = SAID.exec(line);
  if (said !== null) return utterance(said[1], said[2] ?? "");
  const acted = ACTED.exec(line);
  if (acted !== null) return utterance(acted[1], `* ${acted[1]}${acted[2]}`);
  const notice = NOTICES.find(([pattern]) => pattern.test(line))?.[1] ?? "not understood";
  return { kind: "notice", notice };
}

function utterance(nick = "", text: string): Line {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "notice", notice: "empty" };
  return { kind: "said", nick: nick.trim(), text: trimmed };
}

/** Bytes that are not UTF-8 become U+FFFD: the line is posted all the same. */
function readLines(path: string): Line[] {
  const lines = new TextDecoder("utf-8").decode(readFileSync(path)).split("\n");
  // A final line break ends the last line; it does not start another.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => parseLine(line.replace(/\r$/, "")));
}

function channelName(file: string): string {
  return basename(file)
    .replace(/(\.raw)?\.(txt|log)$/, "")
    .slice(0, 100);
}
