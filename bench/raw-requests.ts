// Serializes HTTP requests once, so that the load generator only has to send bytes.
import { idMark } from "./load/jobs.ts";
import type { Person, Stage } from "./people.ts";

/** Ordinary lines of a conversation; `@` stands for a person's name. */
const lines = [
  "Has anyone looked at the build since this morning? It seems slower than it was.",
  "Yes, @, I think it is the new cache; turning it off brought the old time back for me.",
  "ok",
  "Could you post the log somewhere? I would like to see where the time goes before we change anything.",
  "Sure, give me five minutes.",
  "@ the meeting is moved to three, same room as always",
  "Thanks! That was it: the folder was on the slow disk. Now it takes 40 seconds instead of three minutes, and I did not have to touch the configuration at all.",
  "😀 nice",
];

/** Returns posts of one author into the stage's channel, of various lengths and with mentions. */
export function posts(stage: Stage, author: Person): string[] {
  return lines.map((line, index) => {
    const somebody = stage.people[index % stage.people.length]!;
    const content = line.replace("@", `@${somebody.username}`);
    return rawRequest(stage.origin, "POST", `/api/v1/channels/${stage.channelId}/messages`, author, {
      content,
    });
  });
}

export const newestPage = (stage: Stage) => `/channels/${stage.channelId}/messages?limit=50`;

export function pages(stage: Stage, reader: Person): string[] {
  return [rawRequest(stage.origin, "GET", `/api/v1${newestPage(stage)}`, reader)];
}

/** Returns a request that marks the stage's channel read up to a message; `idMark` stands for its id. */
export function marker({ origin, channelId }: Stage, token: string): string {
  return rawRequest(origin, "PUT", `/api/v1/channels/${channelId}/read`, { token }, { message_id: idMark });
}

export function rawRequest(
  origin: string,
  method: string,
  path: string,
  person?: Pick<Person, "token">,
  body?: unknown,
): string {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    "User-Agent: hearth-bench",
    "Accept: application/json",
    ...(person ? [`Authorization: Bearer ${person.token}`] : []),
    ...(text ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}
