// The fixture of an older release, beside its database: its people, their resume points, and the answers that they got.
import type { webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Engine } from "../../house/open/engines.ts";
import type { ResumePoint } from "../../house/people/ear.ts";
import { type Answer, type Loose, send, TestCaller } from "../../house/people/people.ts";
import { RawEar } from "./raw-ear.ts";

/** The address of a server: the port differs after each start. */
export interface Host {
  url: string;
}

/** The public address that links and passkeys belong to, whatever the port of the test server. */
export const publicUrl = "http://hearth.example";

export type Who = "ada" | "ben" | "cleo" | "bot";

export interface Known {
  /** The commit that wrote the database, and the time when it ended. */
  release: string;
  madeAt: string;
  people: Record<Exclude<Who, "bot">, { id: string; username: string; email: string; password: string }>;
  /** The header Authorization, by caller. */
  authorizations: Record<Who, string>;
  ids: Record<
    "garden" | "kitchen" | "attic" | "general" | "seeds" | "shed" | "compost" | "bot" | "taken" | "shown",
    string
  >;
  webhook: { id: string; token: string };
  invite: string;
  /** Ada's passkey, with its private key as a JWK; and the path of the push endpoint of Cleo's browser. */
  passkey: { key: webcrypto.JsonWebKey; id: string; rpId: string; userHandle: string; counter: number };
  pushed: string;
  /** The contents of files as base64, by address. */
  files: Record<string, string>;
  /** The resume point of each listener when its connection was cut. */
  points: Record<Exclude<Who, "ada">, Required<ResumePoint>>;
  /** The numbered frames that were sent live since then, by listener and server. */
  missed: Record<"cleo" | "bot", Record<string, string[]>>;
}

/** Answers by caller and path; READY is among them under its own name. */
type Answers = Record<Who, Record<string, unknown>>;

export const folderOf = (engine: Engine) =>
  join(import.meta.dir, engine === "SQLite" ? "sqlite" : "postgres");

export function readKnown(engine: Engine): { known: Known; answers: Answers } {
  const read = (name: string) => readFileSync(join(folderOf(engine), name));
  return {
    known: JSON.parse(read("known.json").toString()),
    answers: JSON.parse(gunzipSync(read("answers.json.gz")).toString()),
  };
}

export function writeKnown(engine: Engine, known: Known, answers: Answers): void {
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folderOf(engine), name), content);
  write("known.json", `${JSON.stringify(known, null, 2)}\n`);
  write("answers.json.gz", gzipSync(JSON.stringify(answers), { level: 9 }));
}

/** A person or a bot of the release, with their token from then. */
export class Acquaintance extends TestCaller {
  readonly #host: Host;
  readonly #authorization: string;

  constructor(host: Host, authorization: string) {
    super();
    this.#host = host;
    this.#authorization = authorization;
  }

  call<T = Loose>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    return send<T>(this.#host, undefined, method, path, body, { Authorization: this.#authorization });
  }

  listen(resume?: ResumePoint): Promise<RawEar> {
    return RawEar.open(this.#host.url, this.#authorization.split(" ")[1] ?? "", resume);
  }

  async file(path: string): Promise<string> {
    const headers = { Authorization: this.#authorization };
    const answer = await fetch(this.#host.url + path, { headers });
    return Buffer.from(await answer.arrayBuffer()).toString("base64");
  }
}

export function callersAt(
  host: Host,
  { ada, ben, cleo, bot }: Known["authorizations"],
): Record<Who, Acquaintance> {
  return {
    ada: new Acquaintance(host, ada),
    ben: new Acquaintance(host, ben),
    cleo: new Acquaintance(host, cleo),
    bot: new Acquaintance(host, bot),
  };
}

/** The paths of everything that can be read in the three servers, including what is refused. */
export function pathsTo({ ids, people, invite }: Pick<Known, "ids" | "people" | "invite">): string[] {
  const each = (list: readonly string[], ...paths: string[]) =>
    list.flatMap((id) => paths.map((path) => path.replace("ID", id)));
  const persons = Object.values(people).map(({ id }) => id);
  return [
    ...["/auth/me", "/auth/sessions", "/auth/me/availability", "/auth/webauthn/credentials"],
    ...["/blocks", "/bots", "/servers", "/badges", "/push/vapid-public-key", `/invites/${invite}`],
    ...each(
      [ids.garden, ids.kitchen, ids.attic],
      "/servers/ID",
      "/channels?server_id=ID",
      "/servers/ID/roles",
    ),
    ...each([ids.garden, ids.kitchen], "/servers/ID/members", "/servers/ID/invites", "/servers/ID/events"),
    ...each([ids.garden, ids.kitchen], "/servers/ID/bans", "/servers/ID/commands"),
    ...each(persons, `/servers/${ids.garden}/members/ID/roles`, "/users/ID", "/users/ID/availability"),
    ...each([ids.general, ids.seeds, ids.compost], "/channels/ID", "/channels/ID/messages?limit=100"),
    ...each([ids.general, ids.seeds, ids.shed], "/channels/ID/webhooks"),
    ...each([ids.shown, ids.taken], "/messages/ID", "/messages/ID/reactions"),
    ...each([ids.bot], "/bots/ID", "/bots/ID/commands"),
  ];
}

/** READY and the answers of these paths; of a refusal, status and code only, because each has its own request id. */
export async function answersTo(
  who: Acquaintance,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const ear = await who.listen();
  const answers: Record<string, unknown> = { READY: lasting(ear.ready) };
  ear.close();
  await ear.closed;
  for (const path of paths) {
    const { status, body } = await who.get(path);
    answers[path] = status === 200 ? lasting(body) : `${status} ${body.code as unknown}`;
  }
  return answers;
}

/** Fields that are not from the database: who is connected, and session uses that were not stored yet. */
const momentary = new Set(["presence", "presences", "last_used_at"]);

function lasting(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (momentary.has(name) ? undefined : value)),
  );
}

/** The places where an earlier answer differs from the current one; new fields do not count. */
export function differences(then: unknown, now: unknown, at = ""): string[] {
  if (typeof then !== "object" || then === null || typeof now !== "object" || now === null)
    return then === now ? [] : [`${at}: ${JSON.stringify(then)} is now ${JSON.stringify(now)}`];
  if (Array.isArray(then) && then.length !== (now as unknown[]).length)
    return [`${at}: of ${then.length} there are now ${(now as unknown[]).length}`];
  return Object.entries(then).flatMap(([name, value]) =>
    differences(value, (now as Record<string, unknown>)[name], `${at}/${name}`),
  );
}
