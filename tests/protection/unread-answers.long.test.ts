// Large answers that clients do not read: their total is bounded, the client with the most loses its oldest, and others
// get theirs.
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, onOneProcess, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { request } from "./raw.ts";

const text = "🦊".repeat(4000);
const most = 5 * 1024 * 1024;
/** Three large pages fit into a quarter of the backlog, a fourth does not. */
const settings = { BACKLOG_MIB: "20", RATE_LIMITS: "off" };

/** A channel whose newest page is 1.6 MB. */
async function largePage(house: TestHouse, ...readers: TestPerson[]): Promise<string> {
  const olga = await house.person("olga");
  const home = await olga.makeServer();
  await olga.bringIn(home.id, ...readers);
  for (let said = 0; said < 100; said++) await olga.say(home.general.id, text);
  return `/channels/${home.general.id}/messages?limit=100`;
}

/** A client that sends requests one after the other on one connection, and reads the answers only when told to. */
class Reader {
  readonly socket: Socket;
  readonly #house: TestHouse;
  readonly #request: string;
  asked = 0;
  heard = "";
  isClosed = false;

  constructor(house: TestHouse, { token }: TestPerson, path: string) {
    const { hostname, port } = new URL(house.url);
    this.#house = house;
    this.#request = request("GET", `/api/v1${path}`, [`Authorization: Bearer ${token}`]);
    this.socket = connect(Number(port), hostname).pause();
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    this.socket.on("data", (chunk: Buffer) => {
      this.heard += chunk.toString("latin1");
    });
  }

  async ask(): Promise<void> {
    const answered = () =>
      this.#house.running.house.metrics.operations.get("listMessages")?.byStatus.get(200) ?? 0;
    const before = answered();
    this.asked++;
    this.socket.write(this.#request);
    await until(() => answered() > before, "it was not answered");
  }

  /** Sends requests until this many bytes wait in the server: the first answers fit into the buffers of the system. */
  async leaveUnread(bytes: number): Promise<this> {
    do {
      if (this.asked === 10) throw new Error("nothing waits of ten unread answers");
      await this.ask();
      await Bun.sleep(100);
    } while (this.#house.running.house.metrics.unreadBytes < bytes);
    return this;
  }

  /** The number of answers received completely. */
  get whole(): number {
    return this.heard.split("\r\n0\r\n\r\n").length - 1;
  }
}

onOneProcess(
  "large answers that are not read",
  (house) => {
    test("hold no more than is allowed; whoever has one, or reads slowly, gets it whole", async () => {
      const [mallory, bob, carol] = [
        await house().person("mallory"),
        await house().person("bob"),
        await house().person("carol"),
      ];
      const path = await largePage(house(), mallory, bob, carol);
      const { metrics } = house().running.house;
      const slow = await new Reader(house(), carol, path).leaveUnread(1);
      const pageBytes = metrics.unreadBytes;
      const readers: Reader[] = [];
      for (const pages of [2, 3, 3, 3, 3, 3]) {
        readers.push(await new Reader(house(), mallory, path).leaveUnread(pages * pageBytes));
        expect(metrics.unreadBytes).toBeLessThanOrEqual(most);
      }

      const page = await bob.get<{ content: string }[]>(path);
      expect(page.body.map(({ content }) => content)).toEqual(Array.from({ length: 100 }, () => text));

      // Reads a little at a time, then makes another request on the same connection.
      slow.socket.on("data", () => {
        slow.socket.pause();
        setTimeout(() => slow.socket.resume(), 1);
      });
      slow.socket.resume();
      await until(() => slow.whole === slow.asked, "a slow reader did not get all of it");
      slow.socket.write(request("GET", "/healthz"));
      await until(() => slow.heard.endsWith("alive\n"), "the connection did not go on");

      // Beside Carol's and Bob's answers there was room for Mallory's last.
      for (const { socket } of readers) socket.resume();
      const isOver = (reader: Reader) => reader.isClosed || reader.whole === reader.asked;
      await until(() => readers.every(isOver), "what was given up was not closed");
      const kept = readers.map(({ whole, asked }) => whole === asked);
      expect(kept).toEqual([false, false, false, false, false, true]);
      for (const { socket } of readers) socket.destroy();
      await until(() => metrics.unreadBytes === 0, "what nobody waits for still counts");
    });

    test("count no more when their connections go away", async () => {
      const mallory = await house().person("mallory");
      const path = await largePage(house(), mallory);
      const { metrics } = house().running.house;
      const reader = await new Reader(house(), mallory, path).leaveUnread(1);
      reader.socket.destroy();
      await until(() => metrics.unreadBytes === 0, "it still counts");
    });
  },
  settings,
);

test("HEAD of a large page leaves nothing waiting, and the page says whether there is more", async () => {
  const house = await makeHouse("SQLite", settings);
  await house.open();
  try {
    const alice = await house.person("alice");
    const path = await largePage(house, alice);
    for (const method of ["HEAD", "GET"]) {
      const response = await fetch(`${house.url}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${alice.token}` },
      });
      expect([response.status, response.headers.get("x-has-more")]).toEqual([200, "false"]);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      if (method === "GET") expect(await response.json()).toHaveLength(100);
      else expect(await response.text()).toBe("");
      await until(() => house.running.house.metrics.unreadBytes === 0, `${method} left something waiting`);
    }
  } finally {
    await house.end();
  }
});
