// Pictures as people upload and see them: size, preview, and removed metadata.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import sharp from "sharp";
import { joined, pngChunk } from "../../tests/house/material/containers.ts";
import { decodersOf } from "../../tests/house/material/decoders.ts";
import {
  greedyAvif,
  hugePng,
  inVienna,
  movingGif,
  pictureFormats,
  pictureOf,
  xmpOfVienna,
} from "../../tests/house/material/images.ts";
import { onEachStore } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fetchFile, filesOn, formOf, samples, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import type { Message } from "../messages/contract.ts";
import type { Attachment } from "./contract.ts";

const quota = 2 ** 31;

/**
 * Larger than a preview, with all metadata that a picture can have; made once for both engines, as an AVIF takes time.
 */
const large = madeOnce({
  ...{ width: 880, height: 660, orientation: 6 },
  ...{ exif: inVienna, xmp: xmpOfVienna },
});
const small = madeOnce({ width: 800, height: 800 });
const wide = hugePng(10_000, 10_000);

function madeOnce(wish: Parameters<typeof pictureOf>[1]) {
  const made = new Map<string, Promise<Buffer>>();
  return (format: (typeof pictureFormats)[number]) => {
    const picture = made.get(format) ?? pictureOf(format, wish);
    made.set(format, picture);
    return picture;
  };
}

onEachStore("pictures", (house) => {
  let alice: TestPerson;
  let bob: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  beforeAll(async () => {
    [alice, bob] = [await house().person("alice"), await house().person("bob")];
    home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
  });

  const read = () => house().running.house.database.read;
  const bytesAt = async (path: string) => Buffer.from(await (await fetchFile(alice, path)).arrayBuffer());
  const extension = (format: string) => (format === "jpeg" ? "jpg" : format);
  const unknown = { width: null, height: null, preview_url: null };
  const show = (attachments: string[], by = alice) =>
    by.post<Message>(`/channels/${home.general.id}/messages`, { attachments });

  for (const format of pictureFormats)
    test(`${format}: size as it is shown, a preview, and no word of where it was taken`, async () => {
      const picture = await large(format);
      const { url, preview_url, ...more } = await upload(alice, `sunset.${extension(format)}`, picture);
      const kept = await bytesAt(url);
      expect(more).toEqual({
        name: `sunset.${extension(format)}`,
        size: kept.length,
        content_type: `image/${format}`,
        width: 660,
        height: 880,
        animated: false,
      });
      const words = ["GPSLatitude", "Box camera"].filter((word) => kept.includes(word));
      const { autoOrient } = await sharp(kept).metadata();
      expect([words, autoOrient]).toEqual([[], { width: 660, height: 880 }]);
      expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(picture).raw().toBuffer());

      expect(preview_url).toMatch(/^\/files\/[0-9a-f]{32}\.webp$/);
      const { headers } = await fetchFile(bob, preview_url ?? "");
      expect(headers.get("content-type")).toBe("image/webp");
      expect(headers.get("content-disposition")).toStartWith('attachment; filename="sunset.webp"');
      const shown = await sharp(await bytesAt(preview_url ?? "")).metadata();
      const { width, height, exif, xmp, icc } = shown;
      expect({ width, height, exif, xmp, icc }).toEqual({ width: 600, height: 800 } as never);
      expect(filesOn(house()).drafts).toEqual([]);
    });

  test("one that is small enough is its own preview, and is kept byte for byte", async () => {
    for (const format of pictureFormats) {
      const picture = await small(format);
      const answer = await upload(alice, `small.${extension(format)}`, picture);
      const { width, height, preview_url, size } = answer;
      expect({ width, height, preview_url }).toEqual({ width: 800, height: 800, preview_url: null });
      expect([size, picture.equals(await bytesAt(answer.url))]).toEqual([picture.length, true]);
    }
  });

  test("a GIF that moves goes on moving; its preview does not", async () => {
    const gif = await movingGif(900, 300, 4);
    const { url, width, height, preview_url } = await upload(alice, "dance.gif", gif);
    expect([width, height]).toEqual([900, 300]);
    expect(gif.equals(await bytesAt(url))).toBe(true);
    expect((await sharp(await bytesAt(preview_url ?? "")).metadata()).pages ?? 1).toBe(1);
    expect(await upload(alice, "step.gif", await movingGif(90, 30, 4))).toMatchObject({
      ...{ width: 90, height: 30, preview_url: null },
    });
  });

  test("100 megapixels are a picture; more, broken ones and bombs are files, byte for byte", async () => {
    expect(await upload(alice, "wide.png", wide)).toMatchObject({
      ...{ width: 10_000, height: 10_000, preview_url: expect.any(String) },
    });
    const whole = await pictureOf("jpeg", { width: 900, height: 900 });
    for (const [name, bytes] of Object.entries({
      "too wide.png": hugePng(10_001, 10_000),
      "bomb.png": hugePng(60_000, 60_000, 1),
      "greedy.avif": greedyAvif,
      "half.jpg": whole.subarray(0, whole.length / 2),
    })) {
      const { url, width, height, preview_url, size } = await upload(alice, name, bytes);
      expect([name, { width, height, preview_url }, size]).toEqual([name, unknown, bytes.length]);
      expect((await bytesAt(url)).equals(Buffer.from(bytes))).toBe(true);
    }
    expect(filesOn(house()).drafts).toEqual([]);
  });

  test("all other files have nulls, and nobody tries to decode them; SVG is not taken at all", async () => {
    for (const [extension, content] of Object.entries(samples)) {
      if (/^(jpe?g|png|gif|webp|avif)$/.test(extension)) continue;
      expect(await upload(alice, `a file.${extension}`, content)).toMatchObject(unknown);
      expect(decodersOf(process.pid)).toEqual([]);
    }
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>';
    for (const name of ["a.svg", "a.png"]) expect((await tryUpload(alice, name, svg)).status).toBe(415);
  });

  test("a message shows both; a preview cannot be attached by itself, not even by its owner", async () => {
    const photo = await upload(alice, "photo.jpg", await pictureOf("jpeg", { width: 1000, height: 500 }));
    const ear = await bob.listen();
    const { body } = await show([photo.url]);
    expect(body.attachments).toEqual([photo]);
    expect((await ear.next("MESSAGE_CREATE")).data.attachments as unknown).toEqual([photo]);
    ear.close();
    expect((await bob.get<Message>(`/messages/${body.id}`)).body.attachments).toEqual([photo]);
    for (const urls of [[photo.preview_url ?? ""], [photo.url, photo.preview_url ?? ""]])
      expectRefusal(await show(urls), "invalid_request");
    expectRefusal(await show([photo.preview_url ?? ""], bob), "invalid_request");
  });

  test("a bot's pictures are looked at like everybody's", async () => {
    const bot = await TestBot.make(alice);
    const form = formOf("photo.png", await pictureOf("png", { width: 900, height: 90 }));
    const { status, body } = await bot.call<Attachment>("POST", "/upload", form);
    expect([status, body.width, body.height]).toEqual([201, 900, 90]);
    expect((await fetchFile(alice, body.preview_url ?? "")).status).toBe(200);
  });

  test("a preview counts for the quota, and where it does not fit nothing of the upload is kept", async () => {
    const cid = await house().person("cid");
    const photo = await pictureOf("png", { width: 1000, height: 500 });
    const first = await upload(cid, "photo.png", photo);
    const preview = (await bytesAt(first.preview_url ?? "")).length;
    const sumOf = () => read().selectFrom("upload_sums").select("bytes").where("person_id", "=", cid.id);
    const { bytes } = await sumOf().executeTakeFirstOrThrow();
    expect(bytes).toBe(first.size + preview);
    const fill = (left: number) =>
      house().running.house.database.transaction((db) =>
        sql`update upload_sums set bytes = ${quota - left} where person_id = ${cid.id}`.execute(db),
      );
    const before = filesOn(house());
    await fill(first.size + preview - 1);
    expectRefusal(await tryUpload(cid, "photo.png", photo), "too_large");
    expect(filesOn(house())).toEqual(before);
    await fill(first.size + preview);
    await upload(cid, "photo.png", photo);
  });

  test("a picture that was made to be hard to look through is refused, and nothing of it is kept", async () => {
    const picture = await pictureOf("png");
    const before = filesOn(house());
    const texts = joined(pngChunk("tEXt", "exif:GPSAltitude\0"), pngChunk("tEXt", "A\0"));
    const odd = joined(picture.subarray(0, 33), Buffer.alloc(100_000, texts), picture.subarray(33));
    expectRefusal(await tryUpload(alice, "odd.png", odd), "unsupported_type");
    expect(filesOn(house())).toEqual(before);
  });

  test("a preview goes with its picture: its row at once, its file when files without a row are swept", async () => {
    const { url, preview_url } = await upload(
      alice,
      "gone.png",
      await pictureOf("png", { width: 900, height: 90 }),
    );
    const [name = "", preview = ""] = [url, preview_url ?? ""].map((path) => path.replace("/files/", ""));
    expect((await fetchFile(alice, preview_url ?? "")).status).toBe(200);
    await house().running.house.database.transaction((db) =>
      db.deleteFrom("uploads").where("filename", "=", name).execute(),
    );
    expect((await fetchFile(alice, preview_url ?? "")).status).toBe(404);
    const rows = await read()
      .selectFrom("uploads")
      .select("filename")
      .where("filename", "in", [name, preview])
      .execute();
    expect(rows).toEqual([]);
  });
});
