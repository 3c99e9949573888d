// Downloading: access, headers, ranges, and that nothing else can be reached.
import { expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onEachStore, onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { fetchFile, png, upload } from "../../tests/house/scenes/files.ts";
import { request, sayRaw } from "../../tests/protection/raw.ts";
import { expectErrorBody } from "../../tests/routes/error-body.ts";

async function tell(house: TestHouse) {
  const alice = await house.person("alice");
  return { alice, digits: await upload(alice, "digits.txt", "0123456789") };
}

async function refusal(response: Response) {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

onEachStore("downloading", (house) => {
  const story = () => tell(house());

  test("a file comes as an attachment that does nothing in a browser, below the root and below /api/v1", async () => {
    const { alice, digits } = await story();
    for (const path of [digits.url, `/api/v1${digits.url}`]) {
      const answer = await fetchFile(alice, path);
      expect([answer.status, await answer.text()]).toEqual([200, "0123456789"]);
      const { headers } = answer;
      expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(headers.get("content-length")).toBe("10");
      expect(headers.get("content-disposition")).toBe(
        "attachment; filename=\"digits.txt\"; filename*=UTF-8''digits.txt",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("sandbox");
      expect(headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
      expect(headers.get("accept-ranges")).toBe("bytes");
      expect(headers.get("etag")).toMatch(/^"[0-9a-f]{32}\.txt"$/);
    }
    expect(
      (await fetchFile(alice, (await upload(alice, "a.png", png)).url)).headers.get("content-type"),
    ).toBe("image/png");
  });

  test("its name comes back whole, and can end no header", async () => {
    const alice = await house().person("alice");
    for (const [name, plain, encoded] of [
      ["naïve 猫.txt", "na_ve _.txt", "na%C3%AFve%20%E7%8C%AB.txt"],
      ['say "hi"; x=y.txt', "say _hi_; x=y.txt", "say%20%22hi%22%3B%20x%3Dy.txt"],
      ["it's (100%)*.txt", "it's (100_)*.txt", "it%27s%20%28100%25%29%2A.txt"],
    ] as const) {
      const { headers } = await fetchFile(alice, (await upload(alice, name, "x")).url);
      expect(headers.get("content-disposition")).toBe(
        `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
      );
    }
  });

  test("anybody with a session may fetch it, a bot too; nobody else", async () => {
    const { digits } = await story();
    const bob = await house().person("bob");
    expect((await fetchFile(bob, digits.url)).status).toBe(200);
    for (const path of [digits.url, `/api/v1${digits.url}`]) {
      const nobody = await fetch(house().url + path);
      expect(nobody.status).toBe(401);
      expectErrorBody(await refusal(nobody));
    }
  });

  test("HEAD tells what GET would", async () => {
    const { alice, digits } = await story();
    const [get, head] = [await fetchFile(alice, digits.url), await fetchFile(alice, digits.url, {}, "HEAD")];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    // An object from the S3 store is streamed, for which the runtime sends no length.
    if (house().engine === "SQLite") expect(head.headers.get("content-length")).toBe("10");
    for (const name of ["etag", "content-type", "content-disposition", "cache-control"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });

  test("a part of it, as Range asks", async () => {
    const { alice, digits } = await story();
    for (const [range, text, told] of [
      ["bytes=0-0", "0", "bytes 0-0/10"],
      ["bytes=2-4", "234", "bytes 2-4/10"],
      ["bytes=7-", "789", "bytes 7-9/10"],
      ["bytes=-3", "789", "bytes 7-9/10"],
      ["bytes=-30", "0123456789", "bytes 0-9/10"],
      ["bytes=8-99999999999999999999", "89", "bytes 8-9/10"],
      ["Bytes=1-2", "12", "bytes 1-2/10"],
    ] as const) {
      const answer = await fetchFile(alice, digits.url, { Range: range });
      expect({ range, status: answer.status, text: await answer.text() }).toEqual({
        range,
        status: 206,
        text,
      });
      expect(answer.headers.get("content-range")).toBe(told);
      expect(answer.headers.get("content-length")).toBe(String(text.length));
      expect(answer.headers.get("content-security-policy")).toBe("sandbox");
    }
  });

  test("a range that nobody can read, or several, is passed over; one beyond the end is 416", async () => {
    const { alice, digits } = await story();
    for (const range of [
      "bytes=",
      "bytes=-",
      "bytes=a-b",
      "bytes=4-2",
      "bytes=0-1,3-4",
      "lines=1-2",
      "1-2",
      // Long enough to show whether the time grows quadratically.
      `bytes=0-${" ".repeat(12_000)}x`,
      `bytes${" ".repeat(12_000)}=0-1x`,
    ]) {
      const answer = await fetchFile(alice, digits.url, { Range: range });
      expect({ range, status: answer.status, text: await answer.text() }).toEqual({
        range,
        status: 200,
        text: "0123456789",
      });
    }
    for (const range of ["bytes=10-", "bytes=10-20", "bytes=-0"]) {
      const answer = await refusal(await fetchFile(alice, digits.url, { Range: range }));
      expect([range, answer.status, answer.headers.get("content-range")]).toEqual([range, 416, "bytes */10"]);
      expectErrorBody(answer);
    }
    const empty = await upload(alice, "empty.txt", "");
    expect((await fetchFile(alice, empty.url, { Range: "bytes=0-" })).status).toBe(416);
    expect(await (await fetchFile(alice, empty.url)).text()).toBe("");
  });

  test("whoever has it is told so, and a range on a condition asks for the same file", async () => {
    const { alice, digits } = await story();
    const etag = (await fetchFile(alice, digits.url)).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await fetchFile(alice, digits.url, { "If-None-Match": known, Range: "bytes=0-1" });
      expect([answer.status, await answer.text(), answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await fetchFile(alice, digits.url, { "If-None-Match": '"other"' })).status).toBe(200);
    for (const [condition, status] of [
      [etag, 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      ["Sat, 21 Nov 2026 00:00:00 GMT", 200],
    ] as const) {
      const answer = await fetchFile(alice, digits.url, { "If-Range": condition, Range: "bytes=0-1" });
      expect([condition, answer.status]).toEqual([condition, status]);
    }
  });
});

onOneProcess("the folder of uploads", (house) => {
  test("nothing outside can be reached, however it is spelled", async () => {
    const { alice } = await tell(house());
    const folder = house().running.house.config.dataDir;
    writeFileSync(join(folder, "outside.txt"), "secret");
    const name = `${"a".repeat(32)}.txt`;
    const link = join(folder, "uploads", name);
    symlinkSync(join(folder, "outside.txt"), link);
    writeFileSync(join(folder, "uploads", `${"b".repeat(32)}.txt`), "of nobody's upload");
    const spellings = [
      "../outside.txt",
      "..%2foutside.txt",
      "..%2Foutside.txt",
      "%2e%2e/outside.txt",
      "%2e%2e%2foutside.txt",
      "..%5coutside.txt",
      "..\\outside.txt",
      "%252e%252e%252foutside.txt",
      "..%c0%afoutside.txt",
      "%00",
      `${name}%00.png`,
      `${name}/`,
      `/${name}`,
      "tmp",
      "tmp%2fx",
      "",
      ".",
      encodeURIComponent(link),
      name,
      `${"b".repeat(32)}.txt`,
      `${"A".repeat(32)}.txt`,
    ];
    for (const prefix of ["/files/", "/api/v1/files/"]) {
      for (const spelling of spellings) {
        // Raw, because a client would normalise the URL first.
        const lines = [`Authorization: Bearer ${alice.token}`];
        const answer = await sayRaw(
          house().url,
          request("GET", prefix + spelling, [...lines, "Connection: close"]),
        );
        expect({ spelling, status: answer.status }).toEqual({
          spelling,
          status: answer.status === 400 ? 400 : 404,
        });
        expect(answer.text).not.toContain("secret");
      }
    }
    rmSync(link);
  });

  test("a link in the place of an upload is not followed, and a lost file is 404", async () => {
    const { alice, digits } = await tell(house());
    const folder = house().running.house.config.dataDir;
    const place = join(folder, "uploads", digits.url.slice("/files/".length));
    rmSync(place);
    expect((await fetchFile(alice, digits.url)).status).toBe(404);
    symlinkSync("/etc/hostname", place);
    expect((await fetchFile(alice, digits.url)).status).toBe(404);
  });
});
