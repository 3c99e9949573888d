// Own pictures of people: put up, cut to a square, served to anybody, replaced and taken away.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import sharp from "sharp";
import { limits } from "../../protocol/limits.ts";
import { inVienna, movingGif, pictureFormats, pictureOf } from "../../tests/house/material/images.ts";
import { makeHouse, onEachStore } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fetchPicture, inSize, putPicture } from "../../tests/house/scenes/avatars.ts";
import { filesOn, formOf, samples } from "../../tests/house/scenes/files.ts";
import { hoursLater } from "../../tests/house/scenes/forgotten.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import type { Me, User } from "../accounts/contract.ts";
import { selectSizes, sumOfUploads } from "../files/store.ts";

const mine = "/auth/me/avatar";
const publicUrl = "https://chat.example";
const address = /^https:\/\/chat\.example\/avatars\/[0-9a-f]{32}\.webp$/;

onEachStore(
  "own pictures",
  (house) => {
    let alice: TestPerson;
    let bob: TestPerson;
    let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

    beforeAll(async () => {
      await house().quiet();
      [alice, bob] = [await house().person("alice"), await house().person("bob")];
      home = await alice.makeServer();
      await alice.bringIn(home.id, bob);
    });

    const put = (content: Uint8Array | string, square = {}) => putPicture<Me>(alice, mine, content, square);
    const metadataOf = async (response: Response) => sharp(await response.bytes()).metadata();
    const status = async (url: unknown) => (await fetchPicture(house(), url)).status;
    const uploads = async () => [...(await selectSizes(house().running.house.database.read)).keys()];

    test("Alice puts one up: it is hers at once, for all, in every place, and what is told of it", async () => {
      const { body: before } = await alice.get<Me>("/auth/me");
      const said = await alice.say(home.general.id, "Do you know me?");
      const [hers, his] = [await alice.listen(), await bob.listen()];
      const { status, body: me } = await put(await pictureOf("jpeg", { width: 300, height: 200 }));
      expect(status).toBe(200);
      expect(me.avatar).toMatch(address);
      expect(me).toEqual({ ...before, avatar: me.avatar, presence: me.presence });
      expect((await hers.next("ME_UPDATE")).data).toMatchObject({ id: alice.id, avatar: me.avatar });
      expect((await his.next("USER_UPDATE")).data).toMatchObject({ id: alice.id, avatar: me.avatar });
      const shown = [
        (await alice.get<Me>("/auth/me")).body,
        (await bob.get<User>(`/users/${alice.id}`)).body,
        (await bob.get<{ id: string; author: User }[]>(`/channels/${home.general.id}/messages`)).body.find(
          ({ id }) => id === said.id,
        )?.author,
      ];
      expect(shown.map((each) => each?.avatar)).toEqual([me.avatar, me.avatar, me.avatar]);
    });

    test("anybody gets it in three sizes, as a WebP that never changes and says nothing of its camera", async () => {
      const exif = { ...inVienna };
      const { body } = await put(await pictureOf("jpeg", { width: 640, height: 400, exif }));
      for (const [url, side] of [
        [body.avatar, 256],
        [inSize(body.avatar, 64), 64],
        [inSize(body.avatar, 512), 512],
      ] as const) {
        const answer = await fetchPicture(house(), url, { Origin: "https://elsewhere.example" });
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
        const { headers } = answer;
        expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(headers.get("content-disposition")).toBe("inline");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
        expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
        expect(headers.get("set-cookie")).toBeNull();
        const { format, width, height, exif: said, orientation } = await metadataOf(answer);
        expect({ format, width, height, said, orientation }).toEqual({
          ...{ format: "webp", width: side, height: side, said: undefined, orientation: undefined },
        });
        const known = { "If-None-Match": headers.get("etag") ?? "" };
        expect((await fetchPicture(house(), url, known)).status).toBe(304);
        for (const Range of ["bytes=0-9", "bytes=99999999-"]) {
          const whole = await fetchPicture(house(), url, { Range });
          expect([whole.status, (await metadataOf(whole)).width]).toEqual([200, side]);
        }
      }
      const prefixed = await fetch(`${house().url}/api/v1${new URL(String(body.avatar)).pathname}`);
      expect(prefixed.status).toBe(200);
    });

    test("half-transparent colours stay as they are, at the middle of a side of any length", async () => {
      const half = { r: 200, g: 100, b: 50, alpha: 0.5 };
      for (const side of [64, 100, 512, 900]) {
        const create = { width: side, height: side, channels: 4, background: half } as const;
        const { body } = await put(await sharp({ create }).png().toBuffer());
        const shown = await (await fetchPicture(house(), inSize(body.avatar, 512))).bytes();
        const { data } = await sharp(shown).raw().toBuffer({ resolveWithObject: true });
        const middle = [...data.subarray(4 * (256 * 512 + 256)).subarray(0, 4)];
        for (const [at, value] of [200, 100, 50, 128].entries())
          expect(Math.abs((middle[at] ?? 0) - value)).toBeLessThan(6);
      }
    });

    test("every format is taken by what is inside, the first image of one that moves, and small ones grow", async () => {
      for (const format of pictureFormats)
        expect([format, (await put(await pictureOf(format))).status]).toEqual([format, 400]);
      for (const format of pictureFormats) {
        const { status, body } = await put(await pictureOf(format, { width: 64, height: 64 }));
        expect([format, status]).toEqual([format, 200]);
        const { width, pages } = await metadataOf(await fetchPicture(house(), inSize(body.avatar, 512)));
        expect([width, pages]).toEqual([512, undefined]);
      }
      const { body } = await put(await movingGif(100, 100, 3));
      expect((await metadataOf(await fetchPicture(house(), body.avatar))).pages).toBeUndefined();
    });

    test("refused are other files, too small and too large ones, damaged ones, and leave nothing", async () => {
      const before = [filesOn(house()), await uploads()];
      const { body: me } = await alice.get<Me>("/auth/me");
      const png = await pictureOf("png", { width: 100, height: 100 });
      for (const [content, code] of [
        ["no picture", "unsupported_type"],
        ["<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'/>", "unsupported_type"],
        [samples.pdf ?? "", "unsupported_type"],
        ["", "unsupported_type"],
        [await pictureOf("png", { width: 63, height: 100 }), "invalid_request"],
        [await pictureOf("png", { width: 100, height: 63 }), "invalid_request"],
        [png.subarray(0, 60), "invalid_request"],
        [Buffer.concat([png, Buffer.alloc(limits.avatar_bytes_max)]), "too_large"],
      ] as const)
        expectRefusal(await put(content), code);
      expectRefusal(await alice.put(mine, {}), "unsupported_type");
      expectRefusal(await alice.put(mine, new FormData()), "invalid_request");
      const two = formOf("one", png);
      two.append("file", new File([new Uint8Array(png)], "two"));
      expectRefusal(await alice.put(mine, two), "invalid_request");
      expect([filesOn(house()), await uploads()]).toEqual(before);
      expect((await alice.get<Me>("/auth/me")).body.avatar).toBe(me.avatar);
    });

    test("the square is the middle one, or the one that the form names, before or after the file", async () => {
      const picture = await pictureOf("png", { width: 300, height: 150 });
      const colourOf = async (url: unknown) => {
        const { data } = await sharp(await (await fetchPicture(house(), url)).bytes())
          .resize(1, 1)
          .raw()
          .toBuffer({ resolveWithObject: true });
        return (data[0] ?? 0) > (data[1] ?? 0) ? "red" : "teal";
      };
      expect(await colourOf((await put(picture)).body.avatar)).toBe("teal");
      const corner = { x: 0, y: 0, size: 50 };
      expect(await colourOf((await put(picture, corner)).body.avatar)).toBe("red");
      const fieldsFirst = new FormData();
      for (const [name, value] of Object.entries(corner)) fieldsFirst.append(name, String(value));
      fieldsFirst.append("file", new File([new Uint8Array(picture)], "picture"));
      expect(await colourOf((await alice.put<Me>(mine, fieldsFirst)).body.avatar)).toBe("red");
      expect((await put(picture, { x: 150, y: 0, size: 150 })).status).toBe(200);
      for (const square of [
        ...[
          { x: 151, y: 0, size: 150 },
          { x: 0, y: 1, size: 150 },
          { x: 0, y: 0, size: 151 },
        ],
        ...[
          { x: -1, y: 0, size: 50 },
          { x: 0.5, y: 0, size: 50 },
          { x: 0, y: 0, size: 0 },
        ],
        ...[{ x: 0, y: 0 }, { size: 50 }, { x: "left", y: 0, size: 50 }, { x: "", y: 0, size: 50 }],
      ])
        expectRefusal(await put(picture, square), "invalid_request");
    });

    test("a square of a picture that its camera turned is meant as it is shown", async () => {
      const [width, height] = [160, 100];
      const stripes = Buffer.alloc(width * height * 3);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) stripes.set([x + 50, y + 100, 255 - x], (y * width + x) * 3);
      const small = (bytes: Uint8Array) => sharp(bytes).resize(6, 6, { fit: "fill" }).raw().toBuffer();
      for (let orientation = 1; orientation <= 8; orientation++) {
        const bytes = await sharp(stripes, { raw: { width, height, channels: 3 } })
          .withMetadata({ orientation })
          .png()
          .toBuffer();
        const { body } = await put(bytes, { x: 10, y: 25, size: 70 });
        const upright = await sharp(bytes).autoOrient().png().toBuffer();
        const meant = await sharp(upright)
          .extract({ left: 10, top: 25, width: 70, height: 70 })
          .png()
          .toBuffer();
        const shown = await small(await (await fetchPicture(house(), body.avatar)).bytes());
        const expected = await small(meant);
        const farthest = Math.max(...expected.map((value, i) => Math.abs(value - (shown[i] ?? 999))));
        expect([orientation, farthest < 12]).toEqual([orientation, true]);
      }
    });

    test("a replaced one goes after 24 hours, in all sizes; the present one stays", async () => {
      const [first, second] = [
        await put(await pictureOf("png", { width: 64, height: 64 })),
        await put(await pictureOf("png", { width: 80, height: 80 })),
      ];
      expect(second.body.avatar).not.toBe(first.body.avatar);
      await hoursLater(house(), 23);
      expect([await status(first.body.avatar), await status(second.body.avatar)]).toEqual([200, 200]);
      await hoursLater(house(), 1);
      for (const url of [first.body.avatar, inSize(first.body.avatar, 64), inSize(first.body.avatar, 512)])
        expect(await status(url)).toBe(404);
      await hoursLater(house(), 1000);
      expect(await status(second.body.avatar)).toBe(200);
    });

    test("taken away, the derived one is back, which is told once; its address goes after 24 hours", async () => {
      const { body } = await put(await pictureOf("png", { width: 64, height: 64 }));
      const ear = await alice.listen();
      expect((await alice.delete(mine)).status).toBe(204);
      expect((await alice.delete(mine)).status).toBe(204);
      const { body: me } = await alice.get<Me>("/auth/me");
      expect(me.avatar).toStartWith("https://www.gravatar.com/avatar/");
      expect((await ear.next("ME_UPDATE")).data).toMatchObject({ avatar: me.avatar });
      await ear.settle();
      expect(ear.heard("ME_UPDATE")).toHaveLength(1);
      await hoursLater(house(), 24);
      expect(await status(body.avatar)).toBe(404);
    });

    test("it is in backups and no leftover; it counts for nobody's room, and is no attachment and no file", async () => {
      const { read } = house().running.house.database;
      const room = await sumOfUploads(read, alice.id);
      const { body } = await put(await pictureOf("png", { width: 64, height: 64 }));
      const [name = ""] = /[0-9a-f]{32}/.exec(String(body.avatar)) ?? [];
      const files = [512, 256, 64].map((side) => `${name}-${side}.webp`);
      expect(await uploads()).toEqual(expect.arrayContaining(files));
      expect(await sumOfUploads(read, alice.id)).toBe(room);
      for (const file of files) {
        const attachments = [`/files/${file}`];
        expectRefusal(
          await alice.post(`/channels/${home.general.id}/messages`, { content: "Mine.", attachments }),
          "invalid_request",
        );
        expectRefusal(await alice.get(`/files/${file}`), "not_found");
      }
      await alice.delete(mine);
      await hoursLater(house(), 24);
      expect(await sumOfUploads(read, alice.id)).toBe(room);
      expect((await uploads()).filter((each) => files.includes(each))).toEqual([]);
    });

    test("a PATCH of the profile leaves it, and cannot name one", async () => {
      const { body } = await put(await pictureOf("png", { width: 64, height: 64 }));
      const patched = await alice.patch<Me>("/auth/me", {
        avatar: "https://evil.example/a.png",
        bio: "Here.",
      });
      expect([patched.status, patched.body.avatar]).toEqual([200, body.avatar]);
    });

    test("unknown names and other files are not there", async () => {
      const { body } = await put(await pictureOf("png", { width: 64, height: 64 }));
      const path = new URL(String(body.avatar)).pathname;
      for (const wrong of [
        `/avatars/${"0".repeat(32)}.webp`,
        ...["-256.webp", "-128.webp", "-64.png", ".png", ""].map((end) => path.replace(".webp", end)),
      ]) {
        const { status } = await fetch(house().url + wrong, { headers: { Accept: "application/json" } });
        expect([wrong, status]).toEqual([wrong, 404]);
      }
    });
  },
  { PUBLIC_URL: publicUrl },
);

test("AVATAR_URL=off concerns derived ones only", async () => {
  const house = await makeHouse("SQLite", { AVATAR_URL: "off" });
  await house.open();
  try {
    const alice = await house.person("alice");
    const { body } = await putPicture<Me>(alice, mine, await pictureOf("png", { width: 64, height: 64 }));
    expect(body.avatar).toStartWith(`${house.url}/avatars/`);
    await alice.delete(mine);
    expect((await alice.get<Me>("/auth/me")).body.avatar).toBeNull();
  } finally {
    await house.end();
  }
});

test("its address has the present PUBLIC_URL; two a minute may be put up, five at once", async () => {
  const house = await makeHouse("SQLite", { RATE_LIMITS: "on" });
  await house.open();
  try {
    const alice = await house.person("alice");
    const picture = await pictureOf("png", { width: 64, height: 64 });
    let name = "";
    for (let i = 0; i < 5; i++) {
      const { status, body } = await putPicture<Me>(alice, mine, picture);
      expect(status).toBe(200);
      name = new URL(String(body.avatar)).pathname;
    }
    expectRefusal(await putPicture(alice, mine, picture), "rate_limited");
    house.settings.PUBLIC_URL = publicUrl;
    await house.restart();
    expect((await alice.get<Me>("/auth/me")).body.avatar).toBe(publicUrl + name);
  } finally {
    await house.end();
  }
});

test("a commit that fails leaves no files, and the picture as it was", async () => {
  const house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  await house.open();
  try {
    const alice = await house.person("alice");
    const { body: before } = await alice.get<Me>("/auth/me");
    await house.running.house.database.transaction((db) =>
      sql`create trigger full before insert on uploads begin select raise(abort, 'full'); end`.execute(db),
    );
    const answer = await putPicture(alice, mine, await pictureOf("png", { width: 64, height: 64 }));
    expect(verdict(answer)).toBe("500 internal");
    expect(filesOn(house)).toEqual({ kept: [], drafts: [] });
    expect((await alice.get<Me>("/auth/me")).body.avatar).toBe(before.avatar);
  } finally {
    await house.end();
  }
});
