// Writes down what attackers ask: calls of strangers and of people, and floods of them.
import { homeOfPerson, stranger } from "../load/addresses.ts";
import { flood } from "../load/flood.ts";
import type { Person } from "../people.ts";
import { rawRequest } from "../raw-requests.ts";
import type { Attack, Attacker } from "./attack.ts";
import { village } from "./scenes/village.ts";

export type Asked = string | Buffer;

/** 30,000 fields in 240 kB, just below the largest body there may be. */
export const wideBody = `{${Array.from({ length: 30_000 }, (_, index) => `"${index.toString(36)}":0`).join()}}`;

/** A whole request of the API. */
export function ask(
  { origin }: Attacker<unknown>,
  method: string,
  path: string,
  person?: Person,
  body?: unknown,
): string {
  return rawRequest(origin, method, `/api/v1${path}`, person, body);
}

/** The same with one header more. */
export function withHeader(request: string, name: string, value: string): string {
  return request.replace("\r\n", `\r\n${name}: ${value}\r\n`);
}

/** A flood by people without an account. `calls` answers what call n asks. */
export function strangersFlood(
  flooding: Pick<Attack<undefined>, "name" | "what"> & {
    perSecond: number;
    from?: string[];
    most?: number;
    calls(attacker: Attacker<undefined>): (number: number) => Asked;
  },
): Attack<undefined> {
  const { name, what, perSecond, from = stranger, most, calls } = flooding;
  return {
    name,
    what,
    scene: village,
    async run(attacker) {
      const request = calls(attacker);
      await attacker.go();
      await flood(attacker, { perSecond, from, request, calls: most && attacker.some(most) });
    },
  };
}

/** A flood by people of the scene's server, `people` of them in turn, each from an address of their own. */
export function membersFlood<Facts>(
  flooding: Pick<Attack<Facts>, "name" | "what" | "scene"> & {
    perSecond: number;
    people: number;
    most?: number;
    calls(attacker: Attacker<Facts>): (person: Person, number: number) => Asked;
  },
): Attack<Facts> {
  const { name, what, scene, perSecond, people, most, calls } = flooding;
  return {
    name,
    what,
    scene,
    async run(attacker) {
      const request = calls(attacker);
      const asking = attacker.stage.people.slice(0, people);
      await attacker.go();
      await flood(attacker, {
        perSecond,
        from: asking.map((_, index) => homeOfPerson(index)),
        request: (number) => request(asking[number % asking.length]!, number),
        calls: most && attacker.some(most),
      });
    },
  };
}
