// Rejected pictures: forbidden URLs (400), and hosts that have none or are malicious (404).
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { limits } from "../../protocol/limits.ts";
import { answering, type Manner, redirecting, silence, trickling } from "../../tests/doubles/picture-host.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { png } from "../../tests/house/scenes/files.ts";
import { askFor, patientMs, picturesOn, withPictureHost } from "../../tests/house/scenes/pictures.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";

/** Addresses of this machine and its network, in all spellings that reach them. */
const inward = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0x7f000001",
  "0x7f.1",
  "127.0.0.1.",
  "１２７.０.０.１",
  "0",
  "10.0.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:8.8.8.8]",
  "[64:ff9b::7f00:1]",
  "[fe80::1]",
  "[fd00::1]",
  "[2002:7f00:1::]",
  "localhost",
  "LOCALHOST.",
  "pictures.localhost",
  "router",
  "printer.local",
  "metadata.google.internal",
];

const oddAddresses = [
  "ftp://pictures.example/1.png",
  "file:///etc/passwd",
  "data:image/png;base64,iVBORw0KGgo=",
  "javascript:alert(1)",
  "gopher://pictures.example/",
  "http://pictures.example:8080/1.png",
  "http://pictures.example:22/1.png",
  "https://pictures.example:8443/1.png",
  "http://alice@pictures.example/1.png",
  "http://alice:secret@pictures.example/1.png",
  "http://:secret@pictures.example/1.png",
  "http://pictures.example@127.0.0.1/1.png",
];

withPictureHost("addresses that may not be asked", (house, host) => {
  test("what is no address of a public host on the usual ports is 400, names its field, and is not looked up", async () => {
    const alice = await house().person("alice");
    const long = `http://pictures.example/${"x".repeat(limits.url_max)}`;
    const short = long.slice(0, limits.url_max);
    for (const url of [
      ...["", "pictures", "//pictures.example/1.png", "/files/1.png", "http://", "http://[::1"],
      ...oddAddresses,
      ...inward.map((each) => `http://${each}/1.png`),
      ...inward.map((each) => `https://${each}/1.png`),
      long,
      // Short as typed, but long once it is escaped.
      `http://pictures.example/${"ä".repeat(500)}`,
    ]) {
      const answer = await askFor(alice, url);
      expect([url, answer.status]).toEqual([url, 400]);
      expectRefusal(answer, "invalid_request");
      expect((answer.body as { fields: { path: string }[] }).fields[0]?.path).toBe("url");
    }
    expect([host().heads, host().reached, picturesOn(house()).kept]).toEqual([[], [], []]);
    expect((await askFor(alice, short)).status).toBe(200);
    for (const query of ["", "?url=http://a.example/&url=http://b.example/", "?uri=http://a.example/"])
      expectRefusal(await alice.get(`/pictures${query}`), "invalid_request");
  });

  test("ports 80 and 443 may be named", async () => {
    const alice = await house().person("alice");
    for (const [url, reached] of [
      ["http://pictures.example:80/named.png", "93.184.216.34:80"],
      ["https://push.example:443/named.png", "93.184.216.34:443"],
    ] as const) {
      expect((await askFor(alice, url)).status).toBe(200);
      expect(host().reached.at(-1)).toBe(reached);
    }
    // Hosts may speak either protocol on either port; this one does not.
    expectRefusal(await askFor(alice, "https://push.example:80/named.png"), "not_found");
    expect(host().reached.at(-1)).toBe("93.184.216.34:80");
  });

  test("a redirect to such an address is 400, and is not followed: at once, or as the last of three", async () => {
    const alice = await house().person("alice");
    const targets = [...inward.map((each) => `http://${each}/1.png`), ...oddAddresses, "//127.0.0.1/1.png"];
    for (const [i, target] of targets.entries()) {
      const answer = await askFor(alice, host().at(`/to/${i}`, redirecting(target)));
      expect([target, answer.status]).toEqual([target, 400]);
      expectRefusal(answer, "invalid_request");
    }
    host().at("/b", redirecting("/c"));
    host().at("/c", redirecting("http://169.254.169.254/latest/meta-data"));
    expectRefusal(await askFor(alice, host().at("/a", redirecting("/b"))), "invalid_request");
    expect(host().reached.filter((each) => !each.startsWith("93.184.216.34:"))).toEqual([]);
  });

  test("a name that leads inward is 400 and is not connected to, with one address among public ones as well", async () => {
    const alice = await house().person("alice");
    const leads = [
      ["127.0.0.1"],
      ["10.0.0.1"],
      ["169.254.169.254"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      ["fd00::1"],
      ["93.184.216.34", "192.168.1.1"],
      ["192.168.1.1", "93.184.216.34"],
    ];
    const before = host().reached.length;
    for (const [i, addresses] of leads.entries()) {
      host().names.set(`inward${i}.example`, addresses);
      expectRefusal(await askFor(alice, `http://inward${i}.example/1.png`), "invalid_request");
    }
    expect(host().reached.length).toBe(before);
    const redirected = host().at("/inward", redirecting("http://inward0.example/1.png"));
    expectRefusal(await askFor(alice, redirected), "invalid_request");
    expect(host().reached.length).toBe(before + 1);
  });

  test("a name that turns inward between two requests is not followed there", async () => {
    const alice = await house().person("alice");
    host().names.set("rebound.example", ["93.184.216.34"]);
    expect((await askFor(alice, "http://rebound.example/1.png")).status).toBe(200);
    expect(host().reached.at(-1)).toBe("93.184.216.34:80");
    const before = host().reached.length;
    host().names.set("rebound.example", ["127.0.0.1"]);
    expectRefusal(await askFor(alice, "http://rebound.example/2.png"), "invalid_request");
    // The name is resolved once per connection, which goes to the address that was checked.
    expect(host().reached.length).toBe(before);
  });
});

const large = Buffer.concat([png, Buffer.alloc(limits.picture_bytes_max - png.length)]);

/** A body without a length, delimited by the end of the connection. */
function unmeasured(body: Uint8Array, more: Record<string, string> = {}): Manner {
  return answering(body, { "Content-Length": undefined, ...more });
}

/** Disconnects in the middle, after the header and a part of the body. */
function cutOff(head: string, body: Uint8Array): Manner {
  return (socket) => {
    socket.write(`HTTP/1.1 200 So\r\n${head}\r\n\r\n`);
    socket.end(body);
  };
}

withPictureHost("hosts that have no picture", (house, host) => {
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const bomb = gzipSync(Buffer.concat([png, Buffer.alloc(64 * 1024 * 1024)]));
  const cases: Record<string, Manner> = {
    "an SVG": answering(svg, { "Content-Type": "image/svg+xml" }),
    "an SVG that is called a PNG": answering(svg, { "Content-Type": "image/png" }),
    "a page": answering("<!doctype html><title>Hello</title>", { "Content-Type": "text/html" }),
    "a page that is called a JPEG": answering("<!doctype html>", { "Content-Type": "image/jpeg" }),
    "a text": answering("just a text", { "Content-Type": "text/plain" }),
    "a film": answering("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", { "Content-Type": "image/png" }),
    nothing: answering("", { "Content-Type": "image/png" }),
    "no content": answering("", {}, 204),
    "a picture that it says is missing": answering(png, {}, 404),
    "a picture that it says failed": answering(png, {}, 500),
    "a part of a picture": answering(png, { "Content-Range": "bytes 0-9/100" }, 206),
    "a picture for a password": answering(png, { "WWW-Authenticate": "Basic" }, 401),
    "a redirect to nowhere": answering("", {}, 302),
    "a redirect that is no address": redirecting("http://["),
    "a bomb": answering(bomb, { "Content-Encoding": "gzip" }),
    "a picture that is compressed": answering(gzipSync(png), { "Content-Encoding": "gzip" }),
    "a picture that is compressed in an unknown way": answering(png, { "Content-Encoding": "rot13" }),
    "a byte too much, and says so": answering(Buffer.concat([large, Buffer.alloc(1)])),
    "a byte too much, and does not say so": unmeasured(Buffer.concat([large, Buffer.alloc(1)])),
    "a length that is too much for what is there": cutOff("Content-Length: 99999999999", png),
    "less than it says": cutOff(`Content-Length: ${png.length + 100}`, png),
    "a chunk that is cut off": cutOff("Transfer-Encoding: chunked", Buffer.from("fff\r\nGIF89a")),
    "chunks without an end": cutOff(
      "Transfer-Encoding: chunked",
      Buffer.concat([Buffer.from(`${png.length.toString(16)}\r\n`), png, Buffer.from("\r\n")]),
    ),
    "no HTTP": (socket) => socket.end("hello\r\n\r\n"),
    "no answer": (socket) => socket.destroy(),
    "headers without an end": (socket) => {
      socket.write("HTTP/1.1 200 So\r\n");
      const timer = setInterval(() => socket.write(`X-More: ${"x".repeat(8000)}\r\n`), 5);
      socket.on("close", () => clearInterval(timer));
    },
  };

  for (const [what, manner] of Object.entries(cases)) {
    test(`${what}: 404, and nothing is kept`, async () => {
      const alice = await house().person("alice");
      const path = `/${encodeURIComponent(what)}`;
      expectRefusal(await askFor(alice, host().at(path, manner)), "not_found");
      expect(host().asked(path)).toBe(1);
      expect(picturesOn(house())).toEqual({ kept: [], drafts: [] });
    });
  }

  test("a name that nobody knows, or that has no address: 404", async () => {
    const alice = await house().person("alice");
    host().names.set("empty.example", []);
    const before = host().reached.length;
    for (const name of ["unknown.example", "empty.example"])
      expectRefusal(await askFor(alice, `http://${name}/1.png`), "not_found");
    expect(host().reached.length).toBe(before);
  });

  test("a host where nobody listens: 404; at another of its addresses it is found", async () => {
    const alice = await house().person("alice");
    host().down.add("198.41.0.4").add("2606:4700::1111");
    host().names.set("down.example", ["198.41.0.4"]);
    expectRefusal(await askFor(alice, "http://down.example/1.png"), "not_found");
    host().names.set("half.example", ["2606:4700::1111", "198.41.0.4", "93.184.216.34"]);
    expect((await askFor(alice, "http://half.example/1.png")).status).toBe(200);
  });

  test("the largest picture that is taken, with and without its length, and in chunks", async () => {
    const alice = await house().person("alice");
    const chunked = Buffer.concat([
      Buffer.from(`${large.length.toString(16)}\r\n`),
      large,
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    const manners = [
      answering(large),
      unmeasured(large),
      cutOff("Transfer-Encoding: chunked\r\nConnection: close", chunked),
    ];
    for (const [i, manner] of manners.entries()) {
      const { status, bytes } = await askFor(alice, host().at(`/large/${i}`, manner));
      expect([i, status, bytes.equals(large)]).toEqual([i, 200, true]);
    }
  });

  test("what says nothing, trickles, does not end, or redirects slowly ends, and its connection too", async () => {
    const patienceMs = 1000;
    host().serve(house(), patienceMs);
    const slowly = (manner: Manner, ms: number): Manner => {
      return (socket, head) => setTimeout(() => manner(socket, head), ms);
    };
    const slow: Record<string, Manner> = {
      silent: silence,
      trickling: trickling(png, Buffer.of(0), 20),
      "steady, without an end": trickling(png, Buffer.alloc(20_000), 20),
      "a head letter by letter": (socket) => {
        socket.write("HTTP/1.1 200 So\r\nX-Slow: ");
        const timer = setInterval(() => socket.write("x"), 50);
        socket.on("close", () => clearInterval(timer));
      },
      "redirecting slowly": slowly(redirecting("/second"), 0.4 * patienceMs),
    };
    host().at("/second", slowly(redirecting("/third"), 0.4 * patienceMs));
    host().at("/third", slowly(answering(png), 0.4 * patienceMs));
    const asking = Object.entries(slow).map(async ([what, manner]) => {
      const who = await house().person("patient");
      const begun = performance.now();
      const answer = await askFor(who, host().apart(`/slow/${encodeURIComponent(what)}`, manner));
      expect([what, answer.status]).toEqual([what, 404]);
      return performance.now() - begun;
    });
    for (const tookMs of await Promise.all(asking)) expect(tookMs).toBeGreaterThan(0.8 * patienceMs);
    host().serve(house(), patientMs);
    await until(() => host().open === 0, "a connection is still open");
    expect(picturesOn(house()).drafts).toEqual([]);
  });

  test("what is refused for its head ends at once, though its body goes on: too long, compressed, or no success", async () => {
    const alice = await house().person("alice");
    for (const [i, head] of [
      "200 So\r\nContent-Length: 9000000",
      "200 So\r\nContent-Encoding: br",
      "500 So",
      "302 So\r\nLocation: ftp://pictures.example/",
    ].entries()) {
      const url = host().at(`/head/${i}`, (socket) => {
        socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
        const timer = setInterval(() => socket.write(png), 20);
        socket.on("close", () => clearInterval(timer));
      });
      expect((await soon(askFor(alice, url))).status).toBe(i === 3 ? 400 : 404);
      await until(() => host().open === 0, "the connection is still open");
    }
  });

  test("what floods is cut off at the first byte that is too much", async () => {
    const alice = await house().person("alice");
    const url = host().at("/flood", (socket) => {
      socket.write("HTTP/1.1 200 So\r\nContent-Type: image/png\r\n\r\n");
      socket.write(png);
      const timer = setInterval(() => socket.write(Buffer.alloc(1024 * 1024)), 1);
      socket.on("close", () => clearInterval(timer));
    });
    expectRefusal(await soon(askFor(alice, url)), "not_found");
    await until(() => host().open === 0, "the connection is still open");
  });
});
