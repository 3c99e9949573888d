// Callers without a valid token are rate-limited by address before any lookup; known callers never are.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { onOneProcess } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { nobodysId, send, type TestPerson } from "../house/people/people.ts";
import { letFlow } from "../house/scenes/flow.ts";
import { verdict, verdicts } from "../permissions/verdict.ts";
import { expectRefusal } from "../routes/error-body.ts";
import { request } from "./raw.ts";

const burst = 10;
const tries = 40;
const bad = `hs_${"x".repeat(43)}`;

const media = new LiveKitDouble();
afterAll(() => media.stop());

interface Hook {
  id: string;
  token: string;
}

onOneProcess(
  "strangers",
  (house) => {
    let alice: TestPerson;
    let hook: Hook;
    beforeAll(async () => {
      alice = await house().person("alice");
    });
    beforeEach(async () => {
      letFlow(house());
      const home = await alice.makeServer();
      hook = (await alice.post<Hook>(`/channels/${home.general.id}/webhooks`, { name: "Builds" })).body;
    });

    let addresses = 0;
    const anAddress = () => ({ "X-Forwarded-For": `203.0.113.${++addresses}` });

    /** Makes `count` calls at once. */
    const all = <T>(call: (i: number) => Promise<T>, count = tries) =>
      Promise.all(Array.from({ length: count }, (_, i) => call(i)));
    const refused = (answers: { status: number }[]) => answers.filter(({ status }) => status === 429).length;
    const execute = (
      id: string,
      token: string,
      from: Record<string, string>,
      body: unknown = { content: "x" },
    ) => send(house(), undefined, "POST", `/webhooks/${id}/${token}`, body, from);
    const wrongHook = (i: number) =>
      [`01890000-0000-7000-8000-${String(i).padStart(12, "0")}`, `hw_${"g".repeat(43)}`] as const;

    test("calls of ever other webhooks that do not exist are counted together, and told so", async () => {
      const from = anAddress();
      const answers = await all((i) => execute(...wrongHook(i), from));
      expect(refused(answers)).toBeGreaterThanOrEqual(tries - burst - 5);
      expect(new Set(verdicts(answers))).toEqual(new Set(["404 not_found", "429 rate_limited"]));
      for (const answer of answers.filter(({ status }) => status === 429)) {
        expectRefusal(answer, "rate_limited");
        expect(answer.headers.get("x-ratelimit-limit")).toBe(String(burst));
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      }
      // Another address has its own bucket, and IPv6 addresses share one for each /64.
      expect(verdict(await execute(...wrongHook(1), anAddress()))).toBe("404 not_found");
      const six = await all((i) => execute(...wrongHook(i), { "X-Forwarded-For": `2001:db8::${i + 1}` }));
      expect(refused(six)).toBeGreaterThanOrEqual(tries - burst - 5);
    });

    test("tokens that nobody has are counted together, however they are brought", async () => {
      const from = anAddress();
      const answers = await all((i) => {
        const token = bad.slice(0, -2) + String(i).padStart(2, "0");
        const brought: Record<string, string> | undefined = [
          { Authorization: `Bearer ${token}` },
          { Cookie: `app_session=${token}` },
          { Authorization: `Bot ${token.replace("hs_", "hb_")}` },
        ][i % 3];
        return send(house(), undefined, "GET", "/auth/me", undefined, { ...from, ...brought });
      });
      expect(refused(answers)).toBeGreaterThanOrEqual(tries - burst - 5);
      expect(new Set(verdicts(answers))).toEqual(new Set(["401 unauthenticated", "429 rate_limited"]));
    });

    test("who is known is let in from an address whose strangers are stopped; so are webhooks with their token", async () => {
      const from = anAddress();
      const bot = await TestBot.make(alice);
      for (const who of [alice, bot]) expect(verdict(await who.get("/servers"))).toBe("200");
      const misses = await all((i) => execute(...wrongHook(i), from), burst + 5);
      expect(refused(misses)).toBeGreaterThan(0);
      const mine = await all(() => send(house(), alice.token, "GET", "/auth/me", undefined, from));
      expect(new Set(verdicts(mine))).toEqual(new Set(["200"]));
      const bots = await all(() =>
        send(house(), undefined, "GET", "/servers", undefined, {
          ...from,
          Authorization: `Bot ${bot.token}`,
        }),
      );
      expect(new Set(verdicts(bots))).toEqual(new Set(["200"]));
    });

    test("after a restart a whole office comes back from one address at once", async () => {
      const people = await all(() => house().person("clerk"), 3 * burst);
      const { token } = people[0] as TestPerson;
      await house().restart();
      const from = anAddress();
      // Ten at a time: as many lookups as may run at the same moment here.
      for (let i = 0; i < people.length; i += burst) {
        const back = people
          .slice(i, i + burst)
          .map((who) => send(house(), who.token, "GET", "/auth/me", undefined, from));
        expect(new Set(verdicts(await Promise.all(back)))).toEqual(new Set(["200"]));
      }
      // Many windows of one person need one lookup.
      await house().restart();
      const windows = await all(() => send(house(), token, "GET", "/auth/me", undefined, anAddress()));
      expect(new Set(verdicts(windows))).toEqual(new Set(["200"]));
    });

    test("what comes from memory is not counted: pages, unknown paths, /instance, calls without any token", async () => {
      const from = anAddress();
      await all((i) => execute(...wrongHook(i), from), burst + 5);
      for (const path of ["/healthz", "/docs/", "/nothing", "/api/v1/instance", "/api/v1/auth/me"]) {
        const answers = await all(() => fetch(house().url + path, { headers: from }));
        expect(refused(answers)).toBe(0);
      }
      const foreign = await all(() => execute(...wrongHook(0), { ...from, Origin: "https://evil.example" }));
      expect(new Set(verdicts(foreign))).toEqual(new Set(["403 untrusted_origin"]));
    });

    test("calls with the right token use up nothing of the strangers', not even past the webhook's own rate", async () => {
      const from = anAddress();
      const answers = await all(() => execute(hook.id, hook.token, from));
      expect(new Set(verdicts(answers))).toEqual(new Set(["204", "429 rate_limited"]));
      // The bucket is still full, so all ten misses pass.
      const misses = await all((i) => execute(...wrongHook(100 + i), from), burst);
      expect(new Set(verdicts(misses))).toEqual(new Set(["404 not_found"]));
    });

    test("a webhook is looked up before its query and body: 404 comes before 400, and without waiting", async () => {
      for (const [id, token] of [wrongHook(7), [hook.id, wrongHook(7)[1]]] as const) {
        expect(verdict(await execute(`${id}`, `${token}?wait=maybe`, anAddress(), "{"))).toBe(
          "404 not_found",
        );
        const head = request("POST", `/webhooks/${id}/${token}`, [
          "Content-Length: 20000",
          "X-Forwarded-For: 198.51.100.1",
        ]);
        expect(await firstLine(house().url, head)).toContain("404");
      }
      expect(verdict(await execute(hook.id, `${hook.token}?wait=maybe`, anAddress(), "{"))).toBe(
        "400 invalid_request",
      );
      const foreign = { ...anAddress(), Origin: "https://evil.example" };
      expect(verdict(await execute(...wrongHook(8), foreign, "{"))).toBe("403 untrusted_origin");
    });

    test("webhooks of the media service are counted until their signature is true, which is before their body", async () => {
      const url = "/voice/webhook";
      const forged = { Authorization: "Bearer forged", "Content-Type": "application/webhook+json" };
      const from = anAddress();
      const answers = await all(() => send(house(), undefined, "POST", url, "{}", { ...from, ...forged }));
      expect(new Set(verdicts(answers))).toEqual(new Set(["401 bad_signature", "429 rate_limited"]));
      const head = request("POST", `/api/v1${url}`, ["Content-Length: 20000", "Authorization: forged"]);
      expect(await firstLine(house().url, head)).toContain("401");
      const body = JSON.stringify({
        id: nobodysId,
        event: "room_started",
        createdAt: Math.floor(Date.now() / 1000),
      });
      const signed = { ...anAddress(), ...(await media.signatureOf(body)) };
      for (let i = 0; i < tries; i++)
        expect(verdict(await send(house(), undefined, "POST", url, body, signed))).toBe("204");
    });
  },
  {
    ...{ RATE_LIMITS: "on", RATE_STRANGERS: `1/${burst}`, TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "silent" },
    ...{ RATE_AUTH: "9999/9999", RATE_ALL: "9999/9999", RATE_INVITES: "9999/9999" },
    ...media.settings,
  },
);

/** The status line of the answer to a request whose body never arrives. */
function firstLine(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.once("data", (chunk: Buffer) => {
      socket.destroy();
      resolve(chunk.toString("latin1").split("\r\n")[0] ?? "");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(""));
  });
}

describe("with RATE_LIMITS=off", () => {
  onOneProcess("strangers are not counted", (house) => {
    test("however often they try", async () => {
      const answers = await Promise.all(
        Array.from({ length: 300 }, () => send(house(), bad, "GET", "/auth/me")),
      );
      expect(new Set(verdicts(answers))).toEqual(new Set(["401 unauthenticated"]));
    });
  });
});
