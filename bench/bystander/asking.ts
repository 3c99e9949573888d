// Floods of calls by strangers and by members, as lists of requests.
import { homeOfPerson, stranger } from "../load/addresses.ts";
import { flood } from "../load/flood.ts";
import type { Person, Stage } from "../people.ts";
import { rawRequest } from "../raw-requests.ts";
import type { Attack } from "./attack.ts";
import { village } from "./scenes/village.ts";

export const api = "/api/v1";

/** 30,000 fields in 240 kB, just below the body size limit. */
export const wideBody = `{${Array.from({ length: 30_000 }, (_, index) => `"${index.toString(36)}":0`).join()}}`;

/** The multipart body of a small upload, for a call whose request passes through `asUpload`. */
export const smallUpload = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"a line\n".repeat(99)}\r\n--x--\r\n`;

export function asUpload(request: string): string {
  return request.replace("application/json\r\nContent", "multipart/form-data; boundary=x\r\nContent");
}

export type Call = [method: string, path: string, body?: unknown];

export interface Flooding<Facts> extends Pick<Attack<Facts>, "name" | "what"> {
  perSecond: number;
  /** The total of calls; without it they go on until the attack's time is over. */
  most?: number;
  calls(place: Place<Facts>, number: number): Call;
  /** Changes the raw request in ways that a call cannot express. */
  dress?(request: string): string;
}

interface Place<Facts> {
  stage: Stage;
  facts: Facts;
  /** Paths of the server and the channel that the members share. */
  server: string;
  channel: string;
}

/** Calls by people without an account. */
export function strangersFlood({
  from = stranger,
  ...flooding
}: Flooding<undefined> & { from?: string[] }): Attack<undefined> {
  return floodOf({ ...flooding, scene: village }, from, () => undefined);
}

/** Index of the server's owner. */
export const owner = [0];

/** Indexes of the first `count` people, the owner first. */
export function first(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Calls by these people in turn, each from their own address. */
export function membersFlood<Facts>({
  people,
  ...flooding
}: Flooding<Facts> & Pick<Attack<Facts>, "scene"> & { people: number[] }): Attack<Facts> {
  const person = ({ people: all }: Stage, number: number) => all[people[number % people.length]!];
  return floodOf(flooding, people.map(homeOfPerson), person);
}

function floodOf<Facts>(
  {
    name,
    what,
    scene,
    perSecond,
    most,
    calls,
    dress = (request) => request,
  }: Flooding<Facts> & Pick<Attack<Facts>, "scene">,
  from: string[],
  personOf: (stage: Stage, number: number) => Person | undefined,
): Attack<Facts> {
  return {
    name,
    what,
    scene,
    async run(attacker) {
      const { origin, stage, facts } = attacker;
      const server = `${api}/servers/${stage.serverId}`;
      const place = { stage, facts, server, channel: `${api}/channels/${stage.channelId}` };
      await attacker.go();
      await flood(attacker, {
        perSecond,
        from,
        calls: most && attacker.some(most),
        request(number) {
          const [method, path, body] = calls(place, number);
          return dress(rawRequest(origin, method, path, personOf(stage, number), body));
        },
      });
    },
  };
}

export function withHeader(request: string, name: string, value: string): string {
  return request.replace("\r\n", `\r\n${name}: ${value}\r\n`);
}
