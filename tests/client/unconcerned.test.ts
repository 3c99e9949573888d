// Parts of a copy that an event does not concern keep their reference, so that their views are not drawn again.
import { describe, expect, test } from "bun:test";
import { type Copy, copyAfter, withWindow } from "../../client/copy.ts";
import { spanMost } from "../../client/window.ts";
import type { OwnChannels } from "../../features/channels/state.ts";
import { serverGained } from "../../features/servers/events.ts";
import { ownStream, type ServerFrame } from "../../protocol/frames.ts";
import { features } from "../../server/features.ts";
import { sourceFiles } from "../architecture/tree.ts";
import { type People, peopleAfter } from "./people.ts";
import { questions, reducers } from "./reducers.ts";
import { type Sample, samples } from "./samples.ts";
import { idOf, long, message, nameOf, people, scene } from "./scene.ts";

const declared = features.flatMap((feature) => feature.events ?? []);

function frameOf(type: string, sample: Sample): ServerFrame {
  const { data } = sample;
  if (sample.in === ownStream) return { type, data, stream: ownStream, ts: long };
  return { type, data, server_id: idOf(sample.in), ts: long };
}

interface Known {
  copy: Copy;
  people: People;
}

/** The parts of a copy by name; nested parts have a slash in theirs. */
function parts({ copy, people }: Known): Map<string, unknown> {
  const named = new Map<string, unknown>(Object.entries(copy));
  const list = (name: string, each: readonly unknown[] | OwnChannels) => {
    named.set(name, each);
    for (const one of each.values()) named.set(`${name}/${nameIn(one)}`, one);
  };
  for (const server of copy.servers) {
    const name = `servers/${nameOf(server.id)}`;
    named.set(name, server);
    named.set(`${name}/role_ids`, server.role_ids);
    for (const key of ["channels", "roles", "voice", "presences"] as const)
      list(`${name}/${key}`, server[key]);
  }
  list("direct", copy.direct);
  for (const [id, { live }] of copy.windows) list(`windows/${nameOf(id)}`, live?.messages ?? []);
  for (const [id, members] of people) list(`members/${nameOf(id)}`, members);
  return named;
}

function nameIn(part: unknown): string {
  const { id, user_id, user } = part as { id?: string; user_id?: string; user?: { id: string } };
  return nameOf(id ?? user_id ?? user?.id ?? "");
}

/** Names of the parts that both copies have with different values; of nested ones the innermost. */
function changed(before: Known, after: Known): string[] {
  const now = parts(after);
  const all = [...parts(before)].filter(([name, part]) => now.has(name) && now.get(name) !== part);
  const names = all.map(([name]) => name);
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`))).sort();
}

test("every kind of event has a sample, and each fits the shape that is declared", () => {
  expect([...declared.map(({ type }) => type), serverGained.type].sort()).toEqual(
    Object.keys(samples).sort(),
  );
  for (const { type, data } of declared) {
    for (const sample of samples[type] ?? [])
      expect([type, data.safeParse(sample.data).error]).toEqual([type, undefined]);
  }
});

test("every reducer is looked at", async () => {
  const files = sourceFiles("features").filter(({ path }) => path.endsWith("/state.ts"));
  const modules: object[] = await Promise.all(files.map(({ path }) => import(`../../${path}`)));
  const exported = modules.flatMap((module) => Object.keys(module));
  expect(exported.sort()).toEqual([...Object.keys(reducers), ...questions].sort());
});

describe("a reducer leaves alone what it knows, when the event is about others:", () => {
  for (const [name, { before, after, takes }] of Object.entries(reducers)) {
    test(name, () => {
      const changedBy = Object.entries(samples).filter(
        ([type, [strangers]]) => strangers && after(frameOf(type, strangers)) !== before,
      );
      expect(changedBy.map(([type]) => type)).toEqual([...takes]);
    });
  }
});

describe("a copy changes only in what is concerned:", () => {
  for (const [type, all] of Object.entries(samples)) {
    for (const [i, sample] of all.entries()) {
      test(`${type} ${i === 0 ? "about strangers" : i}: ${sample.changes.join(", ") || "nothing"}`, () => {
        const frame = frameOf(type, sample);
        const before = { copy: scene(), people: people() };
        const after = { copy: copyAfter(before.copy, frame), people: peopleAfter(before.people, frame) };
        expect(changed(before, after)).toEqual([...sample.changes].sort());
        if (sample.changes.length === 0) expect(after.copy).toBe(before.copy);
        if (sample.changes.length === 0) expect(after.people).toBe(before.people);
      });
    }
  }
});

test("a change of one's own profile that comes late brings no presence of then back", () => {
  const before = scene();
  const data = { ...before.user, bio: "Written while away.", presence: "offline" };
  const after = copyAfter(before, { type: "ME_UPDATE", data, stream: ownStream, seq: 1, ts: long });
  expect(after.user).toEqual({ ...before.user, bio: "Written while away." });
});

test("a page that is open for days keeps the newest of what was said", () => {
  let copy = scene();
  const many = Array.from({ length: 2 * spanMost }, (_, i) =>
    message(`one of many ${i}`, "alice", "general"),
  );
  for (const data of many) {
    copy = copyAfter(copy, { type: "MESSAGE_CREATE", data, server_id: idOf("home"), ts: long });
  }
  const { live } = copy.windows.get(idOf("general")) ?? {};
  expect(live?.messages.length).toBeWithin(spanMost, spanMost + 50);
  expect(live?.hasOlder).toBe(true);
  expect(live?.messages[0]?.id).toBe(idOf(`one of many ${2 * spanMost - 1}`));
});

test("messages of which events were missed do not say which is the last one of their channel; the others do", () => {
  const general = idOf("general");
  const [last, live] = [scene().windows.get(general)?.live?.messages[0], { messages: [], hasOlder: false }];
  if (!last) throw new Error("the scene has messages");
  const lastIn = (copy: Copy) => copy.servers[0]?.channels.get(general)?.last_message_id;
  expect(lastIn(withWindow(scene(), general, { live }))).toBeNull();
  expect(lastIn(withWindow(scene(), general, { live, isStale: true }))).toBe(last.id);
  expect(lastIn(withWindow(scene(), general, { far: live }))).toBe(last.id);
  const data = { id: last.id, channel_id: general };
  const gone = { type: "MESSAGE_DELETE", data, server_id: idOf("home"), ts: long };
  const stale = withWindow(scene(), general, { live: { messages: [last], hasOlder: true }, isStale: true });
  expect(lastIn(copyAfter(stale, gone))).toBe(last.id);
  expect(lastIn(copyAfter(scene(), gone))).toBe(idOf("first"));
});
