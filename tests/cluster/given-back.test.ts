// Access that ends and is restored at once: a process that hears of the end late closes no socket opened after it.
import { afterAll, beforeAll, beforeEach, describe, expect, type Mock, spyOn, test } from "bun:test";
import { closeCode } from "../../protocol/closing.ts";
import type { Bus, BusItem } from "../../server/bus/bus.ts";
import { soon, until } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { Ear } from "../house/people/ear.ts";
import { send, type TestPerson } from "../house/people/people.ts";

/** A person or bot whose access ends on one process, and whose socket is on the late one. */
interface Listener {
  id: string;
  /** The present token. */
  token(): string;
  /** Ends their access on the one process, and restores it. */
  endAndGiveBack(): Promise<unknown>;
}

const title = canCluster ? "three processes" : "three processes (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(title, () => {
  let cluster: OpenCluster;
  let [one, late]: TestHouse[] = [];
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    cluster = await openCluster(3);
    [one, late] = cluster.houses;
    alice = await one!.person("alice");
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    home = await alice.makeServer();
  });

  const operator = async (...words: string[]) => expect((await one!.command(words)).ok).toBe(true);

  async function stopAndLetGoOn(id: string): Promise<void> {
    await operator("disable", id);
    await operator("enable", id);
  }

  async function makeBot(): Promise<TestBot> {
    const bot = await TestBot.make(alice);
    await bot.enter(home.id);
    return bot;
  }

  async function bringBob(): Promise<TestPerson> {
    const bob = await one!.person("bob");
    await alice.bringIn(home.id, bob);
    return bob;
  }

  async function signIn(bob: TestPerson): Promise<void> {
    const login = { email: bob.username, password: bob.password };
    const { headers } = await send(one!, undefined, "POST", "/auth/login/password", login);
    bob.token = headers.get("x-session-token") ?? "";
  }

  async function botWith(end: (bot: TestBot) => Promise<unknown>): Promise<Listener> {
    const bot = await makeBot();
    return { id: bot.id, token: () => bot.token, endAndGiveBack: () => end(bot) };
  }

  async function bobWith(end: (bob: TestPerson) => Promise<unknown>): Promise<Listener> {
    const bob = await bringBob();
    return { id: bob.id, token: () => bob.token, endAndGiveBack: () => end(bob).then(() => signIn(bob)) };
  }

  const ends: Record<string, () => Promise<Listener>> = {
    "a bot is disabled and enabled": () => botWith((bot) => stopAndLetGoOn(bot.id)),
    "a bot's token is renewed": () =>
      botWith(async (bot) => {
        const { body } = await alice.post<{ token: string }>(`/bots/${bot.id}/regenerate-token`);
        bot.token = body.token;
      }),
    "a person is disabled and enabled": () => bobWith((bob) => stopAndLetGoOn(bob.id)),
    "the operator ends a person's sessions": () => bobWith((bob) => operator("end-sessions", bob.id)),
    "a person signs out": () => bobWith((bob) => bob.post("/auth/logout")),
    "a person changes the password elsewhere": () =>
      bobWith(async (bob) => {
        const elsewhere = at(one!.url, bob);
        await signIn(elsewhere);
        const password = "another horse battery";
        const passwords = { current_password: bob.password, new_password: password };
        expect((await elsewhere.put("/auth/me/password", passwords)).status).toBe(204);
        bob.password = password;
      }),
  };

  for (const [what, prepare] of Object.entries(ends)) {
    test(`${what}: of two sockets on a process that hears it late, the one that came after goes on`, async () => {
      const { id, token, endAndGiveBack } = await prepare();
      const before = await Ear.open(late!.url, token());
      const notices = holdBack(late!.running.house.bus, id);
      await endAndGiveBack();
      const after = await Ear.open(late!.url, token());
      await until(() => notices.held.some(({ kind }) => kind === "sessions-ended"), "no end was told");
      // Once for Redis, and once for the database, which brings the same notice.
      for (let i = 0; i < 2; i++) notices.deliver();
      notices.letThrough();
      expect((await soon(before.closed)).code).toBe(closeCode.sessionEnded.code);
      await alice.say(home.general.id, "Still here?");
      await Promise.race([
        after.next("MESSAGE_CREATE"),
        after.closed.then(({ code }) => Promise.reject(new Error(`closed with ${code}`))),
      ]);
      after.close();
    });
  }

  test("a bot's socket that signs in across its end is told to come again, and the next end finds it", async () => {
    const bot = await makeBot();
    const { house } = late!.running;
    const notices = holdBack(house.bus, bot.id);
    const { authenticators } = house;
    let isFirst = true;
    const interrupted = authenticators.map<(typeof authenticators)[number]>((authenticate) => (...given) => {
      const caller = authenticate(...given);
      if (caller === undefined || !isFirst) return caller;
      isFirst = false;
      return Promise.resolve(caller).then(async (known) => {
        await stopAndLetGoOn(bot.id);
        return known;
      });
    });
    Object.assign(house, { authenticators: interrupted });
    const across = await Ear.connect(late!.url);
    across.say("AUTH", { token: bot.token });
    expect((await soon(across.closed)).code).toBe(closeCode.restart.code);
    Object.assign(house, { authenticators });
    notices.letThrough();
    const again = await Ear.open(late!.url, bot.token);
    await operator("disable", bot.id);
    expect((await soon(again.closed)).code).toBe(closeCode.sessionEnded.code);
  });
});

/** Holds back the notices on this bus that end one account's access or invalidate its cached tokens. */
function holdBack(bus: Bus, userId: string) {
  const held: BusItem[] = [];
  const take = bus.take.bind(bus);
  const isOfEnd = (item: BusItem) =>
    (item.kind === "sessions-ended" && item.userId === userId) ||
    (item.kind === "dropped" && (item.cache === "bots" || item.cache === "sessions"));
  const spy: Mock<Bus["take"]> = spyOn(bus, "take").mockImplementation((items) => {
    held.push(...items.filter(isOfEnd));
    take(items.filter((item) => !isOfEnd(item)));
  });
  return { held, deliver: () => take(held), letThrough: () => spy.mockRestore() };
}
