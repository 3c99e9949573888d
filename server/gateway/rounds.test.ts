// Rapid changes of a person in very many servers: other work has its turns, and all servers hear the last change.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { LiveRound } from "../bus/bus.ts";
import { Gateway } from "./gateway.ts";
import { Rounds } from "./rounds.ts";

function news(about: string, type: string, json: string, serverIds: readonly string[]): LiveRound {
  return { kind: "round", about, type, json, serverIds, ts: "" };
}

const many = Array.from({ length: 300 }, (_, i) => `server ${i}`);

/** Records the news of each server; each server has this many listeners. */
function roundsHeard(listeners: number) {
  const heard = new Map<string, string[]>();
  const told: string[] = [];
  const rounds = new Rounds({
    tell(serverId, { about, json }) {
      heard.set(serverId, [...(heard.get(serverId) ?? []), `${about} ${json}`]);
      told.push(`${serverId}: ${about} ${json}`);
      return listeners;
    },
    failed(error) {
      throw error;
    },
  });
  /** Resolves when `count` news were sent and nothing is pending. */
  const untilTold = (count: number) =>
    until(() => told.length >= count && rounds.isAtRest, "not all is told");
  return { heard, told, rounds, untilTold };
}

test("what is short is told at once; what is long in pieces, and another person's in between", async () => {
  const { heard, told, rounds, untilTold } = roundsHeard(20);
  rounds.take(news("bob", "P", "here", many.slice(0, 3)));
  expect(told).toHaveLength(3);
  rounds.take(news("alice", "P", "here", many));
  expect(told.length).toBeLessThan(100);
  rounds.take(news("bob", "P", "gone", many.slice(0, 3)));
  await untilTold(306);
  expect(told.indexOf("server 2: bob gone")).toBeWithin(0, 250);
  expect(many.every((id) => heard.get(id)?.includes("alice here"))).toBe(true);
});

test("of a hundred changes the first is told everywhere and then the last, and a profile keeps its place", async () => {
  const { heard, told, rounds, untilTold } = roundsHeard(20);
  for (let i = 0; i < 100; i++) {
    rounds.take(news("alice", "PROFILE", `profile ${i}`, many));
    rounds.take(news("alice", "PRESENCE", `presence ${i}`, many));
  }
  await untilTold(900);
  expect(told).toHaveLength(900);
  for (const id of many) {
    expect(heard.get(id)).toEqual(["alice profile 0", "alice profile 99", "alice presence 99"]);
  }
});

test("what another process changed before is not told after what came later", () => {
  const { told, rounds } = roundsHeard(1);
  const numbered = (about: string, type: string, seq: number) =>
    rounds.take({ ...news(about, type, `${type} ${seq}`, ["home"]), seq });
  for (const seq of [7, 6, 7, 8, 5]) numbered("alice", "P", seq);
  numbered("alice", "Q", 5);
  numbered("bob", "P", 5);
  expect(told).toEqual([
    "home: alice P 7",
    "home: alice P 7",
    "home: alice P 8",
    "home: alice Q 5",
    "home: bob P 5",
  ]);
});

test("where somebody left meanwhile, nothing more is told of them", async () => {
  const { heard, rounds, untilTold } = roundsHeard(20);
  rounds.take(news("alice", "P", "here", many));
  rounds.left("alice", "server 299");
  await untilTold(299);
  expect(heard.has("server 299")).toBe(false);
});

onEachEngine("somebody in 400 servers", (house) => {
  test("who changes their profile is told of in pieces, in each server, and the last change holds", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const running = house().running.house;
    await fillServers(running, 400, [alice, bob]);
    const gateway = new Gateway(running, running.bus);
    const told: string[] = [];
    let most = 0;
    let before = 0;
    let isOver = false;
    gateway.publishThrough({
      publish: (topic, frame) => {
        if (frame.includes('"USER_UPDATE"')) told.push(`${topic} ${JSON.parse(frame).data.status_text}`);
      },
      count: () => 20,
    });
    const look = () => {
      most = Math.max(most, told.length - before);
      before = told.length;
      if (!isOver) setImmediate(look);
    };
    look();
    const texts = Array.from({ length: 12 }, (_, i) => `text ${i}`);
    await Promise.all(texts.map((status_text) => alice.patch("/auth/me", { status_text })));
    const last = String((await alice.get("/auth/me")).body.status_text);
    await until(() => told.filter((each) => each.endsWith(last)).length >= 400, "some do not hear the last");
    isOver = true;
    expect(most).toBeLessThanOrEqual(100);
    expect(told.slice(-400).every((each) => each.endsWith(last))).toBe(true);
    gateway.close("restart");
  });
});
