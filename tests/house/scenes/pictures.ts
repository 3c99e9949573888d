// Proxied pictures in tests: a house that reaches the double of their hosts, and how people ask for one.
import { afterAll, beforeAll } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { PictureHost } from "../../doubles/picture-host.ts";
import { onOneProcess, type TestHouse } from "../open/engines.ts";
import type { Answer, TestPerson } from "../people/people.ts";

/** As `onOneProcess`, with a picture host that the house reaches. */
export function withPictureHost(
  title: string,
  tests: (house: () => TestHouse, host: () => PictureHost) => void,
  settings: Record<string, string> = {},
): void {
  onOneProcess(
    title,
    (house) => {
      const host = reachedBy(house);
      tests(house, host);
    },
    settings,
  );
}

/** Timeout in ms, longer than in production: a picture that times out on a busy machine fails its test. */
export const patientMs = 600_000;

/** A picture host that the house reaches for as long as the tests around it run. */
export function reachedBy(house: () => TestHouse): () => PictureHost {
  let host: PictureHost;
  beforeAll(async () => {
    host = await PictureHost.open();
    host.serve(house(), patientMs);
  });
  afterAll(() => host.close());
  return () => host;
}

/** The query that asks for the picture at this address. */
export function pictureQuery(url: string): string {
  return `url=${encodeURIComponent(url)}`;
}

/** Returns a picture, or the body of a refusal. */
export async function askFor(
  who: TestPerson,
  url: string,
  headers: Record<string, string> = {},
): Promise<Answer<unknown> & { bytes: Buffer }> {
  const response = await fetch(`${who.host.url}/api/v1/pictures?${pictureQuery(url)}`, {
    headers: { Authorization: `Bearer ${who.token}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const body = isJson ? JSON.parse(bytes.toString()) : undefined;
  return { status: response.status, headers: response.headers, body, bytes };
}

/** The names of the pictures stored on the disk, and of the unfinished drafts. */
export function picturesOn(house: TestHouse): { kept: string[]; drafts: string[] } {
  const folder = `${house.running.house.config.dataDir}/pictures`;
  const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
  return { kept: namesIn(folder).filter((name) => name !== "tmp"), drafts: namesIn(`${folder}/tmp`) };
}
