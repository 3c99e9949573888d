// Builds the script of a replay from the logs: speakers, channels and lines, in posting order.

import type { Line, Log, Notice } from "./logs.ts";
import { nameEveryone } from "./names.ts";
import { nickFinder, textFor } from "./texts.ts";

export interface Post {
  log: string;
  /** Username of the speaker; `mentions` is one, too. */
  speaker: string;
  content: string;
  mentions: string | undefined;
}

export interface Script {
  posts: Post[];
  usernames: string[];
  /** Lines read, lines posted, and lines left out by reason. */
  lines: number;
  said: number;
  notices: Map<Notice, number>;
}

export function writeScript(logs: Log[], reserved: string[]): Script {
  const nicks = [
    ...new Set(
      logs.flatMap(({ lines }) => lines.flatMap((line) => (line.kind === "said" ? [line.nick] : []))),
    ),
  ];
  const usernames = nameEveryone(nicks, reserved);
  const findNick = nickFinder(nicks);
  const notices = new Map<Notice, number>();
  const posts: Post[] = [];
  let said = 0;
  for (const { log, line } of interleave(logs)) {
    if (line.kind === "notice") {
      notices.set(line.notice, (notices.get(line.notice) ?? 0) + 1);
      continue;
    }
    said += 1;
    const { parts, addressed } = textFor(line.text, usernames, findNick);
    for (const [index, content] of parts.entries()) {
      const mentions = index === 0 && addressed !== undefined ? usernames.get(addressed) : undefined;
      posts.push({ log, speaker: usernames.get(line.nick) as string, content, mentions });
    }
  }
  const lines = logs.reduce((sum, log) => sum + log.lines.length, 0);
  return { posts, usernames: [...usernames.values()], lines, said, notices };
}

/** Interleaves the channels so that all of them run from start to end, whatever the lengths of their logs. */
function interleave(logs: Log[]): { log: string; line: Line }[] {
  const placed = logs.flatMap(({ name, lines }) =>
    lines.map((line, index) => ({ log: name, line, place: index / lines.length })),
  );
  return placed.sort((a, b) => a.place - b.place);
}
