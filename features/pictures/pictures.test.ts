// Pictures of other hosts: what users get, what the hosts see, and how often they are asked.
import { expect, spyOn, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { rasterTypes } from "../../protocol/raster.ts";
import { answering, heldBack, redirecting, silence } from "../../tests/doubles/picture-host.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { png, samples } from "../../tests/house/scenes/files.ts";
import { askFor, patientMs, pictureQuery, withPictureHost } from "../../tests/house/scenes/pictures.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import { picturesBytes } from "./finding.ts";
import { pictures } from "./handlers.ts";

withPictureHost("pictures of other hosts", (house, host) => {
  test("Alice gets each format with its own type, whatever the host says it is, and nothing a page could run", async () => {
    const alice = await house().person("alice");
    for (const [format, type] of Object.entries(rasterTypes)) {
      const content = Buffer.from(samples[format] ?? "");
      for (const said of ["text/html", "image/svg+xml", "image/bmp", undefined]) {
        const url = host().at(`/${format}/${said}`, answering(content, { "Content-Type": said }));
        const { status, headers, bytes } = await askFor(alice, url);
        expect([format, said, status, bytes.equals(content)]).toEqual([format, said, 200, true]);
        expect(headers.get("content-type")).toBe(type);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
        expect(headers.get("cache-control")).toBe("private, max-age=3600");
        expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
        expect(headers.get("set-cookie")).toBeNull();
      }
    }
  });

  test("from the disk, by the same address and spellings of it, it is the same answer; the host is asked once", async () => {
    const alice = await house().person("alice");
    const url = host().at("/once.png", answering(png));
    await askFor(alice, url);
    const first = await askFor(alice, url);
    for (const url of [
      "http://pictures.example/once.png",
      "HTTP://Pictures.Example:80/once.png#part",
      "http://pictures.example/a/../once.png",
    ]) {
      const again = await askFor(alice, url);
      expect([again.status, again.bytes.equals(first.bytes)]).toEqual([200, true]);
      for (const name of ["content-type", "etag", "cache-control", "content-security-policy"])
        expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(host().asked("/once.png")).toBe(1);
    await askFor(alice, "http://pictures.example/once.png?size=2");
    expect(host().asked("/once.png")).toBe(2);
  });

  test("a client that has it already is told so, also while it is new; one that has another version gets it", async () => {
    const alice = await house().person("alice");
    const url = "http://pictures.example/known.png";
    const etag = (await askFor(alice, url)).headers.get("etag") ?? "";
    // A hash, which does not reveal when the picture was first viewed.
    expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, headers, bytes } = await askFor(alice, url, { "If-None-Match": known });
      expect([known, status, bytes.length]).toEqual([known, 304, 0]);
      expect([headers.get("etag"), headers.get("cache-control")]).toEqual([etag, "private, max-age=3600"]);
    }
    const other = await askFor(alice, url, { "If-None-Match": '"other"' });
    expect([other.status, other.bytes.length]).toEqual([200, png.length]);
  });

  test("a part can be had, as of files: what there is of it, or that there is none", async () => {
    const alice = await house().person("alice");
    const url = "http://pictures.example/in-parts.png";
    const etag = (await askFor(alice, url)).headers.get("etag") ?? "";
    const part = await askFor(alice, url, { Range: "bytes=1-3" });
    expect([part.status, part.bytes.toString("latin1")]).toEqual([206, "PNG"]);
    expect(part.headers.get("content-range")).toBe(`bytes 1-3/${png.length}`);
    expect(part.headers.get("content-type")).toBe("image/png");
    expectRefusal(await askFor(alice, url, { Range: `bytes=${png.length}-` }), "range_not_satisfiable");
    for (const [condition, status] of [
      [etag, 206],
      ['"other"', 200],
    ] as const) {
      const answer = await askFor(alice, url, { Range: "bytes=1-3", "If-Range": condition });
      expect([condition, answer.status]).toEqual([condition, status]);
    }
  });

  test("the host hears what is asked for and that Hearth asks; nothing of who does", async () => {
    const alice = await house().person("alice");
    await askFor(alice, "http://pictures.example/heard.png?a=1&b=%20c", {
      Cookie: "theme=dark",
      Referer: "https://chat.example/servers/1",
      "Accept-Language": "de-AT",
      "X-Forwarded-For": "198.51.100.7",
      "User-Agent": "Mozilla/5.0",
      Accept: "image/svg+xml",
    });
    const head = host().heads.at(-1) ?? "";
    const [line, ...headers] = head.trimEnd().split("\r\n");
    expect(line).toBe("GET /heard.png?a=1&b=%20c HTTP/1.1");
    const heard = Object.fromEntries(headers.map((each) => each.toLowerCase().split(": ")));
    expect(heard).toEqual({
      host: "pictures.example",
      "user-agent": "hearth",
      accept: "image/avif, image/webp, image/png, image/jpeg, image/gif",
      "accept-encoding": "identity",
      connection: "close",
    });
  });

  test("a host by https must have the name's own certificate; a name in another script is asked in its plain form", async () => {
    const alice = await house().person("alice");
    expect((await askFor(alice, "https://push.example/sun.png")).status).toBe(200);
    expect(host().reached.at(-1)).toBe("93.184.216.34:443");
    expectRefusal(await askFor(alice, "https://pictures.example/sun.png"), "not_found");
    host().names.set("xn--bcher-kva.example", ["93.184.216.34"]);
    expect((await askFor(alice, "http://BÜCHER.example/sun.png")).status).toBe(200);
    expect(host().heads.at(-1)).toMatch(/^host: xn--bcher-kva\.example\r$/im);
  });

  test("a host that is an address is asked as one, also of the newer kind", async () => {
    const alice = await house().person("alice");
    for (const at of ["93.184.216.34", "[2606:4700::1111]"])
      expect([at, (await askFor(alice, `http://${at}/sun.png`)).status]).toEqual([at, 200]);
    expect(host().reached.slice(-2)).toEqual(["93.184.216.34:80", "2606:4700::1111:80"]);
  });

  test("three redirects are followed, to other names, paths and protocols; the fourth is too many", async () => {
    const alice = await house().person("alice");
    host().at("/r3", redirecting("https://push.example/r2", 301));
    host().at("/r2", redirecting("http://pictures.example/below/r1", 307));
    host().at("/below/r1", redirecting("../end.png", 308));
    const last = host().at("/end.png", answering(samples.gif ?? ""));
    const followed = await askFor(alice, "http://pictures.example/r3");
    expect([followed.status, followed.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expectRefusal(await askFor(alice, host().at("/r4", redirecting("/r3", 303))), "not_found");
    expect(host().asked("/end.png")).toBe(1);
    expect((await askFor(alice, last)).status).toBe(200);
    const loop = host().at("/loop", redirecting("/loop"));
    expectRefusal(await askFor(alice, loop), "not_found");
    expect(host().asked("/loop")).toBe(4);
  });

  test("only people are answered: not bots, and nobody without a session", async () => {
    const alice = await house().person("alice");
    const path = `/pictures?${pictureQuery("http://pictures.example/mine.png")}`;
    expectRefusal(await send(house(), undefined, "GET", path), "unauthenticated");
    expectRefusal(await (await TestBot.make(alice)).call("GET", path), "forbidden");
    expect(host().asked("/mine.png")).toBe(0);
  });

  test("what many ask for at once is fetched once", async () => {
    const people = [await house().person("alice"), await house().person("bob")];
    const shared = heldBack();
    const url = host().at("/shared.png", shared.manner);
    const asking = Array.from({ length: 20 }, (_, i) => askFor(people[i % 2] as TestPerson, url));
    await until(() => host().asked("/shared.png") > 0, "nobody asks");
    await Bun.sleep(50);
    shared.release();
    for (const { status, bytes } of await Promise.all(asking))
      expect([status, bytes.equals(png)]).toEqual([200, true]);
    expect((await askFor(people[0] as TestPerson, url)).status).toBe(200);
    expect(host().asked("/shared.png")).toBe(1);
  });

  test("a large one that is new comes whole to all who wait for it: it is sent from the disk", async () => {
    const alice = await house().person("alice");
    const large = Buffer.concat([png, Buffer.alloc(limits.picture_bytes_max - png.length)]);
    const held = heldBack(large);
    const url = host().at("/large.png", held.manner);
    // Together they would exceed the memory granted to slow readers.
    const asking = Array.from({ length: 12 }, () => askFor(alice, url));
    await until(() => host().asked("/large.png") > 0, "nobody asks");
    await Bun.sleep(50);
    held.release();
    for (const { status, bytes } of await Promise.all(asking))
      expect([status, bytes.equals(large)]).toEqual([200, true]);
    expect(host().asked("/large.png")).toBe(1);
  });

  test("a failure is remembered for a minute, also one that many waited for; then the host is asked again", async () => {
    const alice = await house().person("alice");
    const url = host().at("/later.png", answering("gone", {}, 503));
    expectRefusal(await askFor(alice, url), "not_found");
    host().at("/later.png", answering(png));
    expectRefusal(await askFor(alice, url), "not_found");
    expect(host().asked("/later.png")).toBe(1);
    host().names.set("inside.example", ["10.0.0.1"]);
    for (let time = 0; time < 2; time++)
      expectRefusal(await askFor(alice, "http://inside.example/1.png"), "invalid_request");
    const inAMinute = performance.now() + 60_001;
    const later = spyOn(performance, "now").mockImplementation(() => inAMinute);
    try {
      expect((await askFor(alice, url)).status).toBe(200);
    } finally {
      later.mockRestore();
    }
    expect(host().asked("/later.png")).toBe(2);
  });

  test("four fetches of one person are under way at once, then 429; of 32 in all, eight go to people who have none", async () => {
    const held = heldBack();
    const people = await Promise.all(Array.from({ length: 15 }, (_, i) => house().person(`reader${i}`)));
    const [first, second, late] = [people[0], people[1], people[14]] as [TestPerson, TestPerson, TestPerson];
    await askFor(first, "http://pictures.example/there.png");
    const asking: ReturnType<typeof askFor>[] = [];
    const askNew = (who: TestPerson) => {
      const url = host().at(`/held/${asking.length}.png`, held.manner);
      asking.push(askFor(who, url));
      return until(() => host().asked(new URL(url).pathname) === 1, "it was not asked for");
    };
    const isRefused = async (who: TestPerson) => {
      const refused = await askFor(who, "http://pictures.example/fifth.png");
      expectRefusal(refused, "rate_limited");
      expect(refused.headers.get("retry-after")).toBe("1");
    };
    for (let i = 0; i < 4; i++) await askNew(first);
    await isRefused(first);
    for (const who of people.slice(1, 6)) for (let i = 0; i < 4; i++) await askNew(who);
    for (const who of people.slice(6, 14)) {
      await askNew(who);
      await isRefused(who);
    }
    await isRefused(late);
    expect(host().asked("/fifth.png")).toBe(0);
    expect((await askFor(first, "http://pictures.example/there.png")).status).toBe(200);
    // Waiting for another person's fetch takes no slot.
    asking.push(askFor(second, "http://pictures.example/held/0.png"));
    held.release();
    for (const { status } of await Promise.all(asking)) expect(status).toBe(200);
    expect((await askFor(first, "http://pictures.example/fifth.png")).status).toBe(200);
  });

  test("a failure is logged with its host, and without the address, which may hold a secret", async () => {
    const alice = await house().person("alice");
    const url = host().at("/gone.png", answering("gone", {}, 404));
    using debug = spyOn(house().running.house.log, "debug");
    expectRefusal(await askFor(alice, `${url}?key=swordfish`), "not_found");
    const told = debug.mock.calls
      .map((call) => JSON.stringify(call))
      .filter((each) => each.includes("picture"));
    expect(told).toEqual([expect.stringContaining('"host":"pictures.example"')]);
    expect(told[0]).not.toMatch(/swordfish|gone\.png/);
  });

  test("an unknown host is asked for one picture first: 32 requests of a person wait for it, one more is 429", async () => {
    const [reader, other] = [await house().person("reader"), await house().person("other")];
    const held = heldBack();
    const ask = (who: TestPerson, path: string) => askFor(who, `http://first.pictures.example${path}`);
    host().at("/first/0.png", held.manner);
    const first = ask(reader, "/first/0.png");
    await until(() => host().asked("/first/0.png") === 1, "nobody asks");
    const waiting = Array.from({ length: 33 }, (_, i) => ask(reader, `/first/${i % 3}.png`));
    expectRefusal(await Promise.race(waiting), "rate_limited");
    const others = ask(other, "/first/0.png");
    held.release();
    for (const { status } of await Promise.all([first, others])) expect(status).toBe(200);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(host().heads.filter((head) => head.includes("/first/"))).toHaveLength(3);
    expect((await ask(reader, "/first/3.png")).status).toBe(200);
  });

  test("a host that was silent is left alone by the person who found it so, and by nobody else", async () => {
    const [finder, reader] = [await house().person("finder"), await house().person("reader")];
    const url = (path: string) => `http://mute.pictures.example${path}`;
    host().at("/mute/1.png", silence);
    host().serve(house(), 300);
    expectRefusal(await askFor(finder, url("/mute/1.png")), "not_found");
    host().serve(house(), patientMs);
    expectRefusal(await askFor(finder, url("/mute/2.png")), "not_found");
    expect(host().asked("/mute/2.png")).toBe(0);
    expect((await askFor(reader, url("/mute/2.png"))).status).toBe(200);
    expect((await askFor(finder, url("/mute/3.png"))).status).toBe(200);
  });

  test("a person who asked for too many silent addresses has to wait, and another person has not", async () => {
    const [waster, reader] = [await house().person("waster"), await house().person("reader")];
    host().serve(house(), 200);
    const asked: string[] = [];
    await until(async () => {
      const path = `/waste/${asked.length}.png`;
      asked.push(path);
      const { status, body } = await askFor(waster, host().apart(path, silence));
      if (status === 429) expect((body as { error: string }).error).toContain("did not come in time");
      return status === 429;
    }, "no waste is counted");
    host().serve(house(), patientMs);
    expect(host().asked(asked.at(-1) ?? "")).toBe(0);
    expect((await askFor(reader, host().apart("/not-wasted.png", answering(png)))).status).toBe(200);
  });

  test("after a restart what was kept is there, and its host is not asked", async () => {
    const alice = await house().person("alice");
    const url = host().at("/lasting.webp", answering(samples.webp ?? ""));
    await askFor(alice, url);
    const before = await askFor(alice, url);
    const held = await picturesBytes(house().running.house);
    await house().restart();
    host().serve(house(), patientMs);
    expect(await picturesBytes(house().running.house)).toBe(held);
    const after = await askFor(alice, url);
    expect([after.status, after.bytes.equals(before.bytes)]).toEqual([200, true]);
    for (const name of ["content-type", "etag"])
      expect(after.headers.get(name)).toBe(before.headers.get(name));
    expect(host().asked("/lasting.webp")).toBe(1);
  });

  test("a house that closes ends the fetches that are under way", async () => {
    const other = await makeHouse("SQLite", {}, undefined, true);
    await other.open();
    try {
      // None of them would end by itself within a test's time.
      host().serve(other, patientMs);
      const alice = await other.person("alice");
      const asking = askFor(alice, host().at("/never.png", silence));
      await until(() => host().asked("/never.png") === 1, "it was not asked for");
      await pictures.close?.(other.running.house);
      expectRefusal(await asking, "not_found");
      await until(() => host().open === 0, "a connection is still open");
    } finally {
      await other.end();
    }
  });
});
