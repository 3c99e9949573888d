// Uploads in an S3 store behave as on the disk: also in parts, slowly, and while the store is unavailable.
import { afterAll, expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "../../tests/house/machine/waiting.ts";
import { pictureOf } from "../../tests/house/material/images.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fetchFile, filesOn, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { canStore, startS3 } from "../../tests/house/servers/s3.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { checkStore } from "./doctor.ts";
import { files } from "./handlers.ts";
import { letFilesGo } from "./letting-go.ts";
import { newFilename } from "./naming.ts";

const hourMs = 3600_000;
const mebibyte = 1024 * 1024;

const s3 = canStore ? await startS3() : undefined;
afterAll(() => s3?.[Symbol.asyncDispose]());

function story(): void {
  if (!s3) {
    test.skip("uploads in an S3 store (skipped: none is installed)", () => {});
    return;
  }
  // The houses of both engines have the same bucket, as if by mistake.
  const settings = s3.settings("uploads");
  const bucket = s3.folderOf("uploads");
  const nameOf = (url: string) => url.replace("/files/", "");
  const age = (name: string, ms: number) => {
    const then = new Date(Date.now() - ms);
    utimesSync(join(bucket, name), then, then);
  };

  onEachEngine(
    "uploads in an S3 store",
    (house) => {
      test("are there for all as they were sent, whole and in parts, and nothing stays on this disk", async () => {
        const [alice, bob] = [await house().person("alice"), await house().person("bob")];
        const text = "Every line of it is another. ".repeat(100_000).slice(0, 2 * mebibyte + 3);
        const { url } = await upload(alice, "long.txt", text);
        expect(filesOn(house())).toEqual({ kept: [], drafts: [] });
        expect(readdirSync(bucket)).toContain(nameOf(url));
        const whole = await fetchFile(bob, url);
        expect([whole.status, whole.headers.get("accept-ranges")]).toEqual([200, "bytes"]);
        expect((await whole.text()) === text).toBe(true);
        const part = await fetchFile(bob, url, { Range: "bytes=262100-524300" });
        expect([part.status, part.headers.get("content-range")]).toEqual([
          206,
          `bytes 262100-524300/${text.length}`,
        ]);
        expect((await part.text()) === text.slice(262100, 524301)).toBe(true);
        const end = await fetchFile(bob, url, { Range: "bytes=-5" });
        expect(await end.text()).toBe(text.slice(-5));
        const head = await fetchFile(bob, url, {}, "HEAD");
        expect([head.status, await head.text()]).toEqual([200, ""]);
        const empty = await upload(alice, "empty.txt", "");
        expect(await (await fetchFile(bob, empty.url)).text()).toBe("");
      });

      test("have previews, where they are large pictures", async () => {
        const alice = await house().person("alice");
        const photo = await upload(alice, "photo.png", await pictureOf("png", { width: 900, height: 90 }));
        const preview = await fetchFile(alice, photo.preview_url ?? "");
        expect([preview.status, preview.headers.get("content-type")]).toEqual([200, "image/webp"]);
        expect((await preview.bytes()).length).toBeGreaterThan(100);
      });

      test("wait for a slow reader, who keeps no more of them in memory than a piece", async () => {
        const alice = await house().person("alice");
        const { url } = await upload(alice, "long.txt", "x".repeat(20 * mebibyte));
        const unread = () =>
          house().all.reduce((sum, { house: { metrics } }) => sum + metrics.unreadBytes, 0);
        const { hostname, port } = new URL(house().url);
        const reader = connect(Number(port), hostname);
        await new Promise<void>((begun) => {
          reader.once("data", () => {
            reader.pause();
            begun();
          });
          reader.write(
            `GET ${url} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${alice.token}\r\n\r\n`,
          );
        });
        await until(() => unread() === 256 * 1024, "what waits is not counted");
        reader.destroy();
        await until(() => unread() === 0, "what nobody waits for is still counted");
      });

      test("that a crash left without a row are gone after an hour; those of another house are not", async () => {
        const alice = await house().person("alice");
        const { blobs, database } = house().running.house;
        await database.transaction((db) =>
          db
            .updateTable("instance")
            .set({ value: Bun.randomUUIDv7("hex", Date.now() - 48 * hourMs) })
            .where("key", "=", "epoch")
            .execute(),
        );
        await house().restart();
        await house().quiet();
        const leave = async (of = house().running.house.blobs) => {
          const name = newFilename("txt");
          const draft = await of.draft();
          await draft.write(new TextEncoder().encode("nobody knows of this"));
          await draft.keep(name);
          await draft.discard();
          return name;
        };
        const { url } = await upload(alice, "kept.txt", "still here");
        // The blobs of before the restart belong to another epoch.
        const [fresh, old, other] = [await leave(), await leave(), await leave(blobs)];
        const foreign = newFilename("txt");
        writeFileSync(join(bucket, foreign), "put there by hand");
        for (const name of [nameOf(url), old, other, foreign]) age(name, 2 * hourMs);
        while (await files.jobs?.[0]?.run(house().running.house));
        const left = readdirSync(bucket);
        expect(left).not.toContain(old);
        for (const name of [fresh, other, foreign, nameOf(url)]) expect(left).toContain(name);
        // Nor is another Hearth's file that a deleted message had; its removal is not retried.
        const { house: running } = house().running;
        await running.database.transaction((db) =>
          db.insertInto("file_releases").values({ filename: other, due_at: Date.now() }).execute(),
        );
        await letFilesGo.run(running);
        expect(readdirSync(bucket)).toContain(other);
        const releases = running.database.read.selectFrom("file_releases").selectAll();
        expect(await releases.where("filename", "=", other).execute()).toEqual([]);
        expect(await (await fetchFile(alice, url)).text()).toBe("still here");
      });

      test("of deleted messages go while the store is away, and their bytes when it is back", async () => {
        await house().quiet();
        const alice = await house().person("alice");
        const home = await alice.makeServer();
        const { url } = await upload(alice, "gone.txt", "soon gone");
        const { id } = await alice.say(home.general.id, "Look!", { attachments: [url] });
        await alice.delete(`/messages/${id}`);
        const { running } = house();
        const due_at = Date.now() - 1;
        await running.house.database.transaction((db) =>
          db.updateTable("file_releases").set({ due_at }).execute(),
        );
        await s3.stop();
        expect(await letFilesGo.run(running.house)).toBe(false);
        expect((await fetchFile(alice, url)).status).toBe(404);
        expect(readdirSync(bucket)).toContain(nameOf(url));
        await s3.start();
        const isGone = async () => {
          await letFilesGo.run(running.house);
          return !readdirSync(bucket).includes(nameOf(url));
        };
        await until(isGone, "the bytes stay");
        const left = running.house.database.read.selectFrom("file_releases").selectAll();
        expect(await left.execute()).toEqual([]);
      });

      test("are refused while the store is away, and taken again when it is back", async () => {
        const alice = await house().person("alice");
        const { url } = await upload(alice, "kept.txt", "still here");
        const { config } = house().running.house;
        expect(await checkStore(config)).toMatchObject({ state: "ok" });
        await s3.stop();
        expect(await checkStore(config)).toMatchObject({
          state: "wrong",
          says: expect.stringMatching(
            /^Uploads cannot be kept \(S3_URL\): the S3 store at 127\.0\.0\.1:\d+ cannot/,
          ),
        });
        expect(verdict(await tryUpload(alice, "a.txt", "hello"))).toBe("503 unavailable");
        const read = await fetchFile(alice, url);
        expect([read.status, read.headers.get("retry-after")]).toEqual([503, "2"]);
        expect(JSON.stringify(await read.json())).not.toMatch(/127\.0\.0\.1|S3/);
        const ready = await fetch(`${house().url}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([
          200,
          expect.stringMatching(
            /^ready\nNo uploads are taken: the S3 store at 127.0.0.1:\d+ cannot be reached\n$/,
          ),
        ]);
        const home = await alice.makeServer();
        await alice.say(home.general.id, "talk goes on");
        expect(filesOn(house()).drafts).toEqual([]);
        await s3.start();
        for (const { url } of house().all)
          await until(
            async () => (await (await fetch(`${url}/readyz`)).text()) === "ready\n",
            "it does not go on",
          );
        await until(async () => (await tryUpload(alice, "a.txt", "hello")).status === 201, "none is taken");
        expect(await (await fetchFile(alice, url)).text()).toBe("still here");
      });
    },
    settings,
  );
}

story();
