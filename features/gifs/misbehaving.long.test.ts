// A malicious GIF provider: each search ends with an error, frees its slot, and delays nobody else.
import { afterAll, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { gifKey } from "../../tests/doubles/gif-provider.ts";
import { afterHead, MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { endlessInterims } from "../../tests/doubles/misdeeds.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { askedAtOnce } from "../../tests/house/scenes/asked-at-once.ts";
import { askProvider } from "./asking.ts";

const patienceMs = 2000;
/** Longer than a test may take. */
const hourMs = 3600_000;
/** The slots for searches. */
const places = 32;

const services = await MisbehavingBackends.open();
const interims = await MisbehavingBackends.open(endlessInterims);
const silence = (_socket: Socket): void => {};
let answer = silence;
let asked = 0;
const port = await services.listen("the provider", (socket) => {
  asked++;
  afterHead(socket, () => answer(socket));
});
afterAll(() => {
  services.close();
  interims.close();
});

onOneProcess(
  "a provider of GIFs that means ill",
  (house) => {
    test("each misdeed, all at once: no GIFs, with a reason that does not tell the key", async () => {
      const found = await askedAtOnce(house(), services, async ({ url }) => {
        const given = { provider: "klipy", key: gifKey, url } as const;
        const { gifs, reason } = {
          reason: "",
          ...(await askProvider(given, { words: "cats", limit: 1 }, patienceMs)),
        };
        return gifs ? "GIFs" : reason;
      });
      for (const [what, reason] of Object.entries(found))
        expect([what, reason]).toEqual([
          what,
          expect.stringMatching(/^(no connection|too large|not the shape|status \d+$)/),
        ]);
    });

    test("interim answers without end are ended by their count, whatever time there is", async () => {
      const found = await askedAtOnce(house(), interims, async ({ url }) => {
        const given = { provider: "klipy", key: gifKey, url } as const;
        return JSON.stringify(await askProvider(given, { words: "cats", limit: 1 }, hourMs));
      });
      expect(Object.values(found)).toEqual(
        endlessInterims.map(() => '{"reason":"no connection, or too slow"}'),
      );
    });

    test("an answer that is packed unasked is taken as it is, and not unfolded", async () => {
      const body = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      let head = "";
      const packed = await services.listen("what packs its answer", (socket) =>
        afterHead(socket, (asked) => {
          head = asked;
          socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
          socket.end(body);
        }),
      );
      const given = { provider: "klipy", key: gifKey, url: `http://127.0.0.1:${packed}` } as const;
      const answer = await askProvider(given, { words: "cats", limit: 1 }, 30_000);
      expect(head.toLowerCase()).toContain("\r\naccept-encoding: identity\r\n");
      // Decompressed, it would be too large.
      expect(answer).toMatchObject({ reason: "not the shape that was expected", status: 200 });
    });

    test("every place that silence held is given back", async () => {
      answer = silence;
      asked = 0;
      const alice = await house().person("alice");
      const search = (words: string) => alice.get(`/gifs/search?q=${words}`);
      const all = Array.from({ length: places }, (_, i) => search(`silence${i}`));
      await until(() => asked >= places, "the provider was not asked");
      expect((await search("onemore")).status).toBe(503);
      expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([503]));
      const body = JSON.stringify({ result: true, data: { data: [] } });
      answer = (socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      const again = await Promise.all(Array.from({ length: places }, (_, i) => search(`answer${i}`)));
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    });
  },
  { GIF_API_KEY: gifKey, GIF_API_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: "silent" },
);
