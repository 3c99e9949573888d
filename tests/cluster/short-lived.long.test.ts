// Short-lived values are shared by three processes: each can end what another began, and limits hold for all together.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import pg from "pg";
import { sightChanged } from "../../server/gateway/sight.ts";
import { runCommand } from "../../server/operator/listen.ts";
import { serverStream } from "../../server/place.ts";
import { Authenticator } from "../doubles/authenticator.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import { setupCodeIn, type TestHouse } from "../house/open/engines.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { askToken, inside, type Parlour, parlour } from "../house/scenes/parlour.ts";
import { verdict, verdicts } from "../permissions/verdict.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";
/** The address of the proxy before all processes. */
const publicUrl = "http://localhost:5555";
const media = new LiveKitDouble();
afterAll(() => media.stop());

describe.skipIf(!canCluster)(`three processes${title}`, () => {
  let cluster: OpenCluster;
  let first: TestHouse;
  let second: TestHouse;
  let third: TestHouse;

  beforeAll(async () => {
    const unlimited = { RATE_AUTH: "9999/9999", RATE_ALL: "9999/9999", RATE_INVITES: "9999/9999" };
    const limits = { RATE_LIMITS: "on", ...unlimited };
    const settings = { ...media.settings, ...limits, PUBLIC_URL: publicUrl, LOG_LEVEL: "silent" };
    cluster = await openCluster(3, settings);
    [first, second, third] = cluster.houses as [TestHouse, TestHouse, TestHouse];
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  const login = (house: TestHouse, name: string, password: string) =>
    send(house, undefined, "POST", "/auth/login/password", { email: name, password });

  describe("passkeys", () => {
    test("registering begins on one and ends on another, and so does signing in, each once", async () => {
      const alice = await first.person("alice");
      const [one, other] = [new TestBrowser(first), new TestBrowser(second)];
      const key = new Authenticator(publicUrl);
      const begun = await one.beginRegistration(alice);
      const made = key.create(begun.publicKey);
      const registered = await Promise.all(
        [one, other].map((browser) => browser.finishRegistration(alice, begun.cookie, made)),
      );
      expect(verdicts(registered).toSorted()).toEqual(["201", "400 invalid_request"]);

      const { cookie, publicKey } = await other.beginLogin();
      const signed = key.get(publicKey);
      const entered = await Promise.all(
        cluster.houses.map((house) => new TestBrowser(house).finishLogin(cookie, signed)),
      );
      expect(verdicts(entered).toSorted()).toEqual([
        "200",
        "401 invalid_credentials",
        "401 invalid_credentials",
      ]);
    });

    test("no cookie lies in the database", async () => {
      const { cookie } = await new TestBrowser(first).beginLogin();
      const rows = await first.running.house.database.read.selectFrom("short_lived").selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(cookie.split("=")[1] ?? "?");
    });
  });

  describe("failed logins", () => {
    let alice: TestPerson;
    beforeEach(async () => {
      alice = await first.person("alice");
    });

    test("five that are spread make further ones wait on each, and in no row stands a name", async () => {
      for (let i = 0; i < 5; i++) {
        const answer = await login(cluster.houses[i % 3]!, alice.username, "wrong horse battery");
        expect(verdict(answer)).toBe("401 invalid_credentials");
      }
      for (const house of cluster.houses) {
        const answer = await login(house, alice.username, alice.password);
        expect(verdict(answer)).toBe("429 rate_limited");
        // A minute from the first attempt; five of them take part of it on a busy machine.
        expect(Number(answer.headers.get("retry-after"))).toBeWithin(20, 61);
      }
      const rows = await first.running.house.database.read.selectFrom("short_lived").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(alice.username);
    });

    test("of sixty guesses at the same moment five are looked at", async () => {
      const guesses = Array.from({ length: 60 }, (_, i) =>
        login(cluster.houses[i % 3]!, alice.username, "wrong horse battery"),
      );
      const answers = verdicts(await Promise.all(guesses)).toSorted();
      const refused = Array(55).fill("429 rate_limited");
      expect(answers).toEqual([...Array(5).fill("401 invalid_credentials"), ...refused]);
    });

    test("a success on one wipes them away on all", async () => {
      for (let i = 0; i < 4; i++) await login(first, alice.username, "wrong horse battery");
      expect(verdict(await login(second, alice.username, alice.password))).toBe("200");
      for (let i = 0; i < 4; i++) await login(third, alice.username, "wrong horse battery");
      expect(verdict(await login(first, alice.username, alice.password))).toBe("200");
    });
  });

  describe("voice", () => {
    let scene: Parlour;
    /** Bob, whose calls go to another process than Alice's. */
    let bob: TestPerson;
    beforeEach(async () => {
      scene = await parlour(first, media);
      bob = at(second.url, scene.bob);
    });
    const isOut = () => until(() => media.guest(scene.room, bob.id) === undefined, "Bob stays in the room");

    test("a session that ends on one puts its person out of the room that was asked for on another", async () => {
      await media.join((await askToken(bob, scene.room)).body.token);
      await until(async () => (await inside(scene.alice, scene.room)).length === 1, "Bob is not there");
      expect((await at(third.url, bob).post("/auth/logout")).status).toBe(204);
      await isOut();
      await until(async () => (await inside(scene.alice, scene.room)).length === 0, "Bob is still shown");
    });

    test("a token whose session ended elsewhere lets nobody in, also after its process went", async () => {
      const [, , another] = cluster.houses;
      const { token } = (await askToken(at(another!.url, bob), scene.room)).body;
      expect((await at(another!.url, bob).post("/auth/logout")).status).toBe(204);
      await another!.restart();
      // The process that gets the webhook has not heard of the session.
      media.webhookUrl = `${another!.url}/api/v1/voice/webhook`;
      const hers = await scene.alice.listen();
      await media.join(token);
      await isOut();
      await hers.settle();
      expect(hers.heard("VOICE_JOIN")).toEqual([]);
      expect(await inside(scene.alice, scene.room)).toEqual([]);
    });

    test("the operator learns on one of a webhook that came to another", async () => {
      await media.tell("room_finished", "hearth-doctor-of-the-test", {});
      for (const { running } of cluster.houses) {
        const { lines } = await runCommand(running.house, ["voice-webhooks"]);
        expect(lines[0]).toMatch(/^The last webhook of LiveKit came \d+ s ago\.$/);
        const trial = await runCommand(running.house, ["voice-webhooks", "hearth-doctor-of-the-test"]);
        expect(trial.lines).toEqual(["came"]);
      }
    });
  });

  test("a channel that was deleted and swept on one is taken out of sight on another", async () => {
    const alice = await first.person("alice");
    const home = await alice.makeServer();
    const asked = { server_id: home.id, name: "brief", type: "text" };
    const { id } = (await alice.post<{ id: string }>("/channels", asked)).body;
    expect((await alice.delete(`/channels/${id}`)).status).toBe(204);
    const { read } = second.running.house.database;
    const row = () => read.selectFrom("channels").select("id").where("id", "=", id).executeTakeFirst();
    await until(async () => (await row()) === undefined, "it is not swept");
    const after = { stream: serverStream(home.id), after: 0 };
    const lost = { gained: new Set<string>(), lost: new Set(["viewers"]), held: new Set<string>(), after };
    const frames = await second.running.house.read((unit) => unit.ask(sightChanged, home.id, lost));
    const deleted = frames.flat().filter((frame) => frame.includes("CHANNEL_DELETE"));
    expect(deleted.filter((frame) => frame.includes(id))).toHaveLength(1);
  });

  test("while the database takes no writes, what would be kept is refused with 503, and reading goes on", async () => {
    const alice = await first.person("alice");
    const database = new pg.Client({ connectionString: first.settings.DATABASE_URL });
    await database.connect();
    const name = new URL(first.settings.DATABASE_URL ?? "").pathname.slice(1);
    const reconnect = () =>
      database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
        [name],
      );
    const begin = () => send(first, undefined, "POST", "/auth/webauthn/login/begin");
    try {
      await database.query(`alter database ${name} set default_transaction_read_only = on`);
      await reconnect();
      await until(async () => (await alice.get("/servers")).status === 200, "nothing can be read");
      expect(verdict(await begin())).toBe("503 unavailable");
      expect(verdict(await login(first, alice.username, alice.password))).toBe("503 unavailable");
      expect((await alice.get("/servers")).status).toBe(200);
    } finally {
      await database.query("set default_transaction_read_only = off");
      await database.query(`alter database ${name} reset default_transaction_read_only`);
      await reconnect();
      await database.end();
    }
    await until(async () => (await begin()).status === 200, "it does not recover");
  });
});

describe.skipIf(!canCluster)(`set-up codes of three processes${title}`, () => {
  let cluster: OpenCluster;
  beforeAll(async () => {
    cluster = await openCluster(3, { HOST: "0.0.0.0", LOG_LEVEL: "silent" });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  let made = 0;
  const register = (house: TestHouse, setup_code: string | undefined) => {
    const username = `early_${++made}`;
    const email = `${username}@people.example`;
    const body = { username, email, display_name: "Early", password: "correct horse battery" };
    return send<{ id: string }>(house, undefined, "POST", "/auth/register", { ...body, setup_code });
  };

  test("count on each, as long as their process runs; another one replaces them all", async () => {
    const [first, second, third] = cluster.houses as [TestHouse, TestHouse, TestHouse];
    const { needSetupCode } = await import("../../features/instance/access.ts");
    const counts = (house: TestHouse, code: string | undefined) =>
      needSetupCode(house.running.house, new Headers(), code).then(
        () => true,
        () => false,
      );
    const codes = cluster.houses.map(({ setupCode }) => setupCode);
    expect(new Set(codes).size).toBe(3);
    for (const house of cluster.houses)
      for (const code of codes) expect([code, await counts(house, code)]).toEqual([code, true]);

    await third.restart();
    expect(await counts(first, codes[2])).toBe(false);
    expect(await counts(first, third.setupCode)).toBe(true);
    expect(await counts(third, codes[0])).toBe(true);

    const { lines } = await runCommand(second.running.house, ["setup-code"]);
    const another = setupCodeIn(lines.join("\n"));
    const { keepCodes } = await import("../../features/instance/setup.ts");
    for (const { running } of cluster.houses) await keepCodes.run(running.house);
    for (const code of [...codes, third.setupCode])
      expect(verdict(await register(first, code))).toBe("403 registration_closed");
    expect(verdict(await register(third, another))).toBe("201");
    expect(await counts(first, another)).toBe(true);
  });
});
