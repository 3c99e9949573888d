// Many frames of one person at once: each type in its turn, and of changes of presence only the last is written.
import { expect, test } from "bun:test";
import { onEachEngine, type TestHouse } from "../../tests/house/engines.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { wireWith } from "../../tests/house/wire.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

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

function commits(house: TestHouse): number {
  return house.running.house.metrics.commits;
}

onEachEngine("frames that come at once", (house) => {
  test("sixty changes of presence over three sockets are a commit or two, and the last one holds", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    const gateway = new Gateway(running, running.bus);
    const lines = await Promise.all([1, 2, 3].map(() => lineTo(gateway, alice)));
    const before = commits(house());
    const all = Array.from({ length: 60 }, (_, i) =>
      lines[i % 3]?.says("PRESENCE_UPDATE", { status: i % 2 === 0 ? "idle" : "dnd" }),
    );
    await Promise.all([...all, lines[0]?.says("PRESENCE_UPDATE", { status: "away" })]);
    const after = commits(house());
    expect(after - before).toBeGreaterThanOrEqual(1);
    expect(after - before).toBeLessThanOrEqual(2);
    expect((await alice.get("/auth/me")).body.presence as unknown).toBe("dnd");
    expect(lines[0]?.heard.filter((type) => type === "ERROR")).toHaveLength(1);
    gateway.close("restart");
  });

  test("a PING after them is answered when they are written", async () => {
    const alice = await house().person("alice");
    const { house: running } = house().running;
    const gateway = new Gateway(running, running.bus);
    const line = await lineTo(gateway, alice);
    const before = commits(house());
    void line.says("PRESENCE_UPDATE", { status: "idle" });
    await line.says("PING");
    expect(commits(house()) - before).toBe(1);
    expect(line.heard.at(-1)).toBe("PONG");
    gateway.close("restart");
  });
});
