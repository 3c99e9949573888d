// Work that waits for its turn: concurrent frames of one person, and pieces of long work.
import { describe, expect, spyOn, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import type { House } from "../house/house.ts";
import { nextTurn } from "../house/pieces.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";
import { PieceTurns, Turns, weightAtOnce } from "./turns.ts";

interface Line {
  says(type: string, data?: unknown): Promise<void>;
  heard: string[];
}

async function lineTo(gateway: Gateway, person: TestPerson): Promise<Line> {
  const heard: string[] = [];
  const socket = new Socket(undefined, "127.0.0.1");
  gateway.opened(
    socket,
    wireWith({
      send: (frame) => heard.push(JSON.parse(frame).type),
    }),
  );
  const says = (type: string, data: unknown = {}) => gateway.received(socket, JSON.stringify({ type, data }));
  await says("AUTH", { token: person.token });
  return { says, heard };
}

/** Returns a function that counts the commits that people made since, without the house's own writes. */
function countCommits(house: House): () => number {
  const writes = spyOn(house, "write");
  return () => {
    const byPeople = writes.mock.calls.filter(([, caller]) => caller !== undefined).length;
    writes.mockRestore();
    return byPeople;
  };
}

onEachEngine("frames that come at once", (house) => {
  test("sixty changes of presence over three sockets are a commit or two, and the last one holds", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    const gateway = new Gateway(running, running.bus);
    const lines = await Promise.all([1, 2, 3].map(() => lineTo(gateway, alice)));
    const commits = countCommits(running);
    const all = Array.from({ length: 60 }, (_, i) =>
      lines[i % 3]?.says("PRESENCE_UPDATE", { status: i % 2 === 0 ? "idle" : "dnd" }),
    );
    await Promise.all([...all, lines[0]?.says("PRESENCE_UPDATE", { status: "away" })]);
    expect([1, 2]).toContain(commits());
    const isDnd = async () => String((await alice.get("/auth/me")).body.presence) === "dnd";
    await until(isDnd, "the last one does not hold");
    expect(lines[0]?.heard.filter((type) => type === "ERROR")).toHaveLength(1);
    gateway.close("restart");
  });

  test("a PING after them is answered when they are written", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    const gateway = new Gateway(running, running.bus);
    const line = await lineTo(gateway, alice);
    const commits = countCommits(running);
    void line.says("PRESENCE_UPDATE", { status: "idle" });
    await line.says("PING");
    expect(commits()).toBe(1);
    expect(line.heard.at(-1)).toBe("PONG");
    gateway.close("restart");
  });
});

describe("turns", () => {
  /** The number of a person's sockets, by the first letter of their name. */
  const sockets: Record<string, number> = { a: 50, b: 50, c: 50, x: 1 };
  const socketsOf = (name: string) => sockets[name.slice(0, 1)] ?? 0;

  /** Starts these people's work; it ends when `end` is called. Names with a capital letter have long work. */
  function begunOf(turns: Turns, names: readonly string[]) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    for (const name of names) {
      const work = () => {
        begun.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      };
      void turns.run(name.toLowerCase(), name !== name.toLowerCase(), work);
    }
    return {
      begun,
      async end(name: string) {
        await nextTurn();
        ends.get(name)?.();
        await nextTurn();
      },
    };
  }

  test("of many people with many sockets the first go first, by turns with those who have few", async () => {
    const { begun, end } = begunOf(new Turns(socketsOf), [
      "a1",
      "a2",
      "a3",
      "a4",
      "b1",
      "b2",
      "b3",
      "x1",
      "x2",
    ]);
    await nextTurn();
    expect(begun).toEqual(["a1", "a2", "a3", "a4"]);
    for (const name of ["a1", "a2", "a3", "a4"]) await end(name);
    expect(begun.slice(4).toSorted()).toEqual(["b1", "b2", "x1", "x2"]);
    await end("b1");
    expect(begun.at(-1)).toBe("b3");
  });

  test("one piece of work at a time for a person, and one that is long over all of them", async () => {
    const turns = new Turns(socketsOf);
    const first = begunOf(turns, ["a1", "B1", "C1", "B2", "x1"]);
    await nextTurn();
    const again = begunOf(turns, ["a1", "b2"]);
    await nextTurn();
    expect(first.begun).toEqual(["a1", "B1", "x1"]);
    expect(again.begun).toEqual(["b2"]);
    await first.end("a1");
    expect(again.begun).toEqual(["b2", "a1"]);
    await first.end("B1");
    expect(first.begun).toEqual(["a1", "B1", "x1", "C1"]);
  });

  test("work that fails does so for its person alone, and gives its place to the next", async () => {
    const turns = new Turns(socketsOf);
    const names = Array.from({ length: 8 }, (_, i) => `a${i}`);
    const failing = names.map((name) =>
      turns.run(name, false, async () => {
        throw new Error(name);
      }),
    );
    const ends = await Promise.allSettled(failing);
    expect(ends.map((end) => end.status === "rejected" && end.reason.message)).toEqual(names);
  });
});

test("pieces go one after the other; others have some turns after a heavy one, and after many light ones", async () => {
  const turns = new PieceTurns();
  let othersTurns = 0;
  let next = setImmediate(function count() {
    othersTurns++;
    next = setImmediate(count);
  });
  const begunAt: number[] = [];
  const piece = (weight: number) => async () => {
    begunAt.push(othersTurns);
    return weight;
  };
  const weights = [1, 1, 1 / 2, 1 / 4, 1 / 4, 1];
  await Promise.all(weights.map((part) => turns.run(piece(part * weightAtOnce))));
  clearImmediate(next);
  const between = begunAt.slice(1).map((at, i) => at - (begunAt[i] ?? 0));
  expect(between.map((count) => (count === 0 ? "none" : count > 1 ? "some" : "one"))).toEqual([
    "some",
    "some",
    "none",
    "none",
    "some",
  ]);
});
