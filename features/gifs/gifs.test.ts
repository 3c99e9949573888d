// Searching for GIFs: the results of each provider, how few requests it gets, and that its key stays here.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { GifProviderDouble, gifKey } from "../../tests/doubles/gif-provider.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { startServer } from "../../tests/house/machine/process.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, onEachEngine, onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { type Loose, send, TestPerson } from "../../tests/house/people/people.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import { findGifs, gifPatience } from "./asking.ts";
import type { Gif } from "./contract.ts";

const double = new GifProviderDouble();
afterAll(() => double.stop());
beforeEach(() => {
  double.asked.length = 0;
  double.instead = undefined;
});

const settings = { ...double.settings, LOG_LEVEL: "silent" };

onEachEngine(
  "GIFs",
  (house) => {
    test("Alice looks for cats: 24 of them, each with an address, a preview and a size", async () => {
      const alice = await house().person("alice");
      const { status, body } = await alice.get<Gif[]>("/gifs/search?q=cats");
      expect([status, body.length]).toEqual([200, 24]);
      expect(body[0]).toEqual({
        id: "8041071659251608",
        title: "cats 0",
        url: "https://static.klipy.example/md/0.gif",
        preview_url: "https://static.klipy.example/sm/0.gif",
        width: 400,
        height: 200,
      });
      const trending = await alice.get<Gif[]>("/gifs/trending");
      expect([trending.status, trending.body[3]?.title]).toEqual([200, "trending 3"]);
      expect(double.asked[1]?.searchParams.has("q")).toBe(false);
    });

    test("as many as are wanted, from 1 to 50", async () => {
      const alice = await house().person("alice");
      for (const [limit, count] of [
        [1, 1],
        [0, 1],
        [-5, 1],
        [50, 50],
        [51, 50],
        [9999, 50],
      ]) {
        const { body } = await alice.get<Gif[]>(`/gifs/search?q=dogs&limit=${limit}`);
        expect([limit, body.length]).toEqual([limit, count]);
      }
      expectRefusal(await alice.get("/gifs/search?q=dogs&limit=many"), "invalid_request");
      expectRefusal(await alice.get("/gifs/trending?limit=1.5"), "invalid_request");
    });

    test("words are 1 to 100 characters, and arrive as they were typed, not as parameters", async () => {
      const alice = await house().person("alice");
      for (const query of ["", "?q=", "?q=%20%20", `?q=${"x".repeat(101)}`, "?q=a%00b", "?q=a&q=b"])
        expectRefusal(await alice.get(`/gifs/search${query}`), "invalid_request");
      expect(double.asked).toEqual([]);
      const words = "x&api_key=mine&per_page=1#/../?q=猫 +%";
      const { status } = await alice.get(`/gifs/search?q=${encodeURIComponent(words)}&key=mine`);
      expect(status).toBe(200);
      expect([...(double.asked[0]?.searchParams.entries() ?? [])].sort()).toEqual([
        ["content_filter", "medium"],
        ["customer_id", "hearth"],
        ["page", "1"],
        ["per_page", "24"],
        ["q", words],
      ]);
      expect(
        (await alice.get(`/gifs/search?q=${"🐈".repeat(100)}`.replaceAll("🐈", "%F0%9F%90%88"))).status,
      ).toBe(200);
    });

    test("only people may look, not bots and not strangers", async () => {
      const alice = await house().person("alice");
      expectRefusal(await send(house(), undefined, "GET", "/gifs/trending"), "unauthenticated");
      const bot = (await alice.post<{ token: string }>("/bots", { name: "Beeper", description: "" })).body;
      const asBot = { Authorization: `Bot ${bot.token}` };
      expectRefusal(await send(house(), undefined, "GET", "/gifs/trending", undefined, asBot), "forbidden");
      expect(double.asked).toEqual([]);
    });

    test("the instance says that there are GIFs", async () => {
      const { body } = await send<Record<string, Loose>>(house(), undefined, "GET", "/instance");
      expect(String(body.features?.gifs)).toBe("true");
    });
  },
  settings,
);

// Each process has a cache of its own.
onOneProcess(
  "GIFs that are looked for again",
  (house) => {
    test("the same wish is asked once, also by many at once, and remembered", async () => {
      const [alice, bob] = [await house().person("alice"), await house().person("bob")];
      let open = () => {};
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      double.instead = async (request) => {
        await opened;
        double.instead = undefined;
        return fetch(request);
      };
      const first = Promise.all(
        [alice, bob, alice, bob].map((who) => who.get<Gif[]>("/gifs/search?q=Frogs")),
      );
      await until(() => double.asked.length > 0, "the provider was not asked");
      open();
      expect((await first).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const frogs = () =>
        double.asked.filter((url) => url.searchParams.get("q")?.toLowerCase() === "frogs").length;
      // The test double fetches from itself once, to answer the requests that it held back.
      expect(frogs()).toBe(2);
      expect((await bob.get("/gifs/search?q=frogs")).status).toBe(200);
      expect(frogs()).toBe(2);
      await bob.get("/gifs/search?q=frogs&limit=5");
      expect(frogs()).toBe(3);
    });

    test("32 different wishes may wait for the provider; one more is refused, one of theirs is not", async () => {
      const alice = await house().person("alice");
      const patience = gifPatience(house().running.house);
      const usual = patience.ms;
      const open = Promise.withResolvers<void>();
      double.instead = async () => {
        await open.promise;
        return Response.json({ result: true, data: { data: [] } });
      };
      // The requests wait until they are released.
      patience.ms = 3600_000;
      try {
        const waiting = Array.from({ length: 32 }, (_, i) => alice.get(`/gifs/search?q=wish${i}`));
        await until(() => double.asked.length === 32, "the provider was not asked");
        const refused = await alice.get("/gifs/search?q=onemore");
        expectRefusal(refused, "unavailable");
        expect(refused.headers.get("retry-after")).toBe("5");
        const same = alice.get("/gifs/search?q=wish7");
        open.resolve();
        const answers = await Promise.all([...waiting, same]);
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        expect(double.asked).toHaveLength(32);
        expect((await alice.get("/gifs/search?q=onemore")).status).toBe(200);
      } finally {
        open.resolve();
        patience.ms = usual;
      }
    });

    test("of 200 wishes the answers are remembered; what was asked for longest ago is asked for again", async () => {
      const { house: running } = house().running;
      const words = Array.from({ length: 201 }, (_, i) => `thing ${i}`);
      const find = (each: string | undefined) => findGifs(running, { words: each, limit: 8 });
      for (const each of words) expect(await find(each)).toHaveLength(8);
      expect(double.asked).toHaveLength(201);
      for (const each of words.slice(1)) await find(each);
      expect(double.asked).toHaveLength(201);
      await find(words[0]);
      expect(double.asked).toHaveLength(202);
    });
  },
  settings,
);

describe("a provider that behaves badly", () => {
  const odd: Record<string, () => Response | Promise<Response>> = {
    "is down": () => new Response(`no, ${gifKey}`, { status: 500 }),
    "refuses the key": () => Response.json({ key: gifKey }, { status: 403 }),
    "sends elsewhere": () => Response.redirect(`${double.url}/elsewhere`, 302),
    "sends what is no JSON": () => new Response("<html>"),
    "sends another shape": () => Response.json({ result: true, data: null }),
    "says that it failed": () => Response.json({ result: false, data: { data: [] } }),
    "sends too much": () =>
      Response.json({ result: true, data: { data: [] }, more: "x".repeat(1024 * 1024) }),
    "never ends": () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            await Bun.sleep(50);
            controller.enqueue(new TextEncoder().encode(" "));
          },
        }),
      ),
    "never answers": () => new Promise(() => {}),
  };
  const inHouse = async (more: Record<string, string>, look: (house: TestHouse) => Promise<void>) => {
    const house = await makeHouse("SQLite", { ...settings, ...more });
    await house.open();
    await look(house).finally(() => house.end());
  };

  test("is 503, without its key or its words; and it may recover", () =>
    inHouse({}, async (house) => {
      const alice = await house.person("alice");
      const patience = gifPatience(house.running.house);
      const usual = patience.ms;
      for (const [name, instead] of Object.entries(odd)) {
        patience.ms = name.startsWith("never") ? 300 : usual;
        double.instead = instead;
        const answer = await soon(alice.get("/gifs/search?q=cats"));
        expect([name, answer.status]).toEqual([name, 503]);
        expectRefusal(answer, "unavailable");
        expect(JSON.stringify(answer.body) + JSON.stringify([...answer.headers])).not.toContain("s3cret");
      }
      expect(double.asked.some((url) => url.pathname === "/elsewhere")).toBe(false);
      double.instead = undefined;
      patience.ms = usual;
      expect((await alice.get("/gifs/search?q=cats")).status).toBe(200);
    }));

  test("is 503 when nobody is there at all", () =>
    inHouse({ GIF_API_URL: "http://127.0.0.1:9" }, async (house) => {
      expectRefusal(await (await house.person("alice")).get("/gifs/trending"), "unavailable");
    }));

  test("its key is in no line of the log", async () => {
    const folder = temporaryFolder();
    const gone = new GifProviderDouble();
    const server = await startServer({
      settings: { DATA_DIR: folder.path, LOG_LEVEL: "info", ...gone.settings },
    });
    try {
      const alice = await TestPerson.register(server, "alice");
      for (const name of ["is down", "sends what is no JSON", "sends another shape"]) {
        gone.instead = odd[name];
        expectRefusal(await alice.get("/gifs/search?q=secretcats"), "unavailable");
      }
      gone.stop();
      expectRefusal(await alice.get("/gifs/trending"), "unavailable");
    } finally {
      gone.stop();
      await server.stop();
      folder.remove();
    }
    expect(server.stderr().match(/"provider":"klipy"/g)?.length).toBe(4);
    expect(server.stderr()).not.toMatch(/s3cret|secretcats/);
  });

  test("of its list, what cannot be shown is left out", () =>
    inHouse({}, async (house) => {
      const good = { gif: { url: "https://a.example/1.gif", width: 10, height: 10 } };
      const bad = { gif: { url: "javascript:alert(1)", width: 10, height: 10 } };
      const data = [
        { id: 1, title: null, file: { hd: good } },
        { id: 2, title: "script", file: { md: bad, sm: good } },
        { id: 3, title: "script in the preview", file: { md: good, sm: bad } },
        { type: "ad", content: "<iframe>" },
        { id: 4, title: "without files", file: {} },
        null,
        "text",
      ];
      double.instead = () => Response.json({ result: true, data: { data } });
      const { body } = await (await house.person("alice")).get<Gif[]>("/gifs/trending");
      expect(body.map(({ id, title }) => [id, title])).toEqual([["1", ""]]);
    }));

  test("of a GIF the size that fits best is shown, and the next where that is missing", () =>
    inHouse({}, async (house) => {
      const size = (name: string) => ({ gif: { url: `https://a.example/${name}`, width: 1, height: 1 } });
      const [hd, md, sm, xs] = ["hd", "md", "sm", "xs"].map(size);
      const files = [{ hd, md, sm, xs }, { hd, sm }, { hd, xs }, { hd }, { sm, xs }, { xs }];
      const data = files.map((file, id) => ({ id, title: "", file }));
      double.instead = () => Response.json({ result: true, data: { data } });
      const { body } = await (await house.person("alice")).get<Gif[]>("/gifs/trending");
      expect(body.map((gif) => [gif.url, gif.preview_url].map((url) => url.split("/").at(-1)))).toEqual([
        ["md", "sm"],
        ["hd", "sm"],
        ["hd", "xs"],
        ["hd", "hd"],
        ["sm", "sm"],
      ]);
    }));

  test("without a key GIFs are not configured, and nobody is asked", () =>
    inHouse({ GIF_API_KEY: "" }, async (house) => {
      const alice = await house.person("alice");
      for (const path of ["/gifs/search?q=cats", "/gifs/trending"])
        expectRefusal(await alice.get(path), "not_configured");
      expect(double.asked).toEqual([]);
    }));

  test("giphy is asked in its own way", () =>
    inHouse({ GIF_PROVIDER: "giphy" }, async (house) => {
      const alice = await house.person("alice");
      const { body } = await alice.get<Gif[]>("/gifs/search?q=cats&limit=3");
      expect(body.length).toBe(3);
      expect(body[0]).toEqual({
        id: "giphy0",
        title: "cats 0",
        url: "https://media.giphy.example/medium/0.gif",
        preview_url: "https://media.giphy.example/200w/0.gif",
        width: 400,
        height: 200,
      });
      expect((await alice.get<Gif[]>("/gifs/trending")).body.length).toBe(24);
      expect(double.asked.map((url) => url.searchParams.get("rating"))).toEqual(["pg-13", "pg-13"]);
    }));
});
