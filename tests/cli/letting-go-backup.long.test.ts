// Files of deleted messages go at each stage of a backup: the backup completes and reports them, and a restore lets
// them go, too.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { headName, letGoName } from "../../cli/archive/head.ts";
import { letFilesGo } from "../../features/files/letting-go.ts";
import { selectSizes } from "../../features/files/store.ts";
import { longestPiece } from "../../server/blobs/blobs.ts";
import { type FaultyStore, startFaultyStore } from "../doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { at } from "../house/open/cluster.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { fetchFile, upload } from "../house/scenes/files.ts";
import { aDayLater } from "../house/scenes/forgotten.ts";
import { canStore, type PrivateS3, startS3 } from "../house/servers/s3.ts";
import { expectDone, expectRefused, hearth } from "./hearth.ts";

const { PATH = "" } = Bun.env;
const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const nameOf = (url: string) => url.replace("/files/", "");

for (const engine of engines) {
  const title = `a backup on ${engine} beside which files go`;
  describe.skipIf(!canStore)(canStore ? title : `${title} (skipped: no S3 store is installed)`, () => {
    let s3: PrivateS3;
    let store: FaultyStore;
    let folder: TemporaryFolder;
    let house: TestHouse;
    beforeAll(async () => {
      [s3, folder] = [await startS3(), temporaryFolder()];
      store = await startFaultyStore(s3.url);
      house = await makeHouse(engine, s3.settings("uploads"));
      await house.open();
      await house.quiet();
    });
    afterAll(async () => {
      await house?.end();
      await store?.[Symbol.asyncDispose]();
      await s3?.[Symbol.asyncDispose]();
      folder?.remove();
    });

    /** Makes the file due as if its message had been deleted a day ago. */
    async function letGo(url: string): Promise<void> {
      const { database } = house.running.house;
      const due_at = Date.now() - 1;
      await database.transaction((db) =>
        db.updateTable("file_releases").set({ due_at }).where("filename", "=", nameOf(url)).execute(),
      );
      while (await letFilesGo.run(house.running.house));
    }

    test("ends and counts them; what it gives back is checked, starts, and lets them go as well", async () => {
      const alice = await house.person("alice");
      const home = await alice.makeServer();
      const file = async (name: string, text: string) => (await upload(alice, name, text)).url;
      const kept = await file("kept.txt", "still here");
      const lost = await file("lost.txt", "lost by the store");
      const early = await file("early.txt", "gone before the store is listed");
      const asked = await file("asked.txt", "gone before it is asked for");
      const begun = await file("begun.txt", "half of it ".repeat(longestPiece));
      for (const url of [early, asked, begun]) {
        const { id } = await alice.say(home.general.id, "Look!", { attachments: [url] });
        await alice.delete(`/messages/${id}`);
      }
      await house.running.house.blobs.remove(nameOf(lost));
      const moments: [string, (asked: IncomingMessage) => boolean][] = [
        [early, ({ url }) => url?.includes("list-type") === true],
        [asked, ({ method, url }) => method === "HEAD" && url?.endsWith(nameOf(asked)) === true],
        [
          begun,
          ({ url, headers }) => url?.endsWith(nameOf(begun)) === true && /=[1-9]/.test(headers.range ?? ""),
        ],
      ];
      store.before = async (request) => {
        const at = moments.findIndex(([, isNow]) => isNow(request));
        const [moment] = at < 0 ? [] : moments.splice(at, 1);
        if (moment) await letGo(moment[0]);
      };

      const target = join(folder.path, `${engine}.tar`);
      const settings = { PATH, ...house.settings };
      const made = await hearth(`backup ${target}`, { ...settings, S3_URL: `${store.url}/uploads` });
      expectDone(
        made,
        /has the database and 1 upload, .* MB; 3 more went with deleted messages meanwhile\.\n/,
      );
      expect(made.stdout).toContain(
        `1 upload that the database names is not in the S3 store (${nameOf(lost)})`,
      );
      expect(moments).toEqual([]);
      const gone = [early, asked, begun].map(nameOf);
      const listed = JSON.parse(execFileSync("tar", ["-xOf", target, letGoName]).toString());
      expect(listed.sort()).toEqual([...gone].sort());
      expect(JSON.parse(execFileSync("tar", ["-xOf", target, headName]).toString()).format).toBe(2);
      const check = await hearth(`restore --check ${target}`, settings);
      expectDone(check, "1 more was missing already when it was made. 3 more went with deleted messages");

      const other = await makeHouse(engine, {});
      try {
        expectDone(await hearth(`restore ${target}`, { PATH, ...other.settings }), "start Hearth");
        const uploads = join(other.settings.DATA_DIR ?? "", "uploads");
        expect(readdirSync(uploads)).toEqual([nameOf(kept)]);
        expect((await hearth("doctor", { PATH, ...other.settings })).stdout).not.toMatch(
          /^wrong +(database|integrity|folder)/m,
        );
        await other.open();
        await other.quiet();
        const restored = () => selectSizes(other.running.house.database.read);
        expect([...(await restored()).keys()].sort()).toEqual([kept, lost].map(nameOf).concat(gone).sort());
        const there = at(other.url, alice);
        expect((await fetchFile(there, early)).status).toBe(404);
        await aDayLater(other);
        expect([...(await restored()).keys()].sort()).toEqual([kept, lost].map(nameOf).sort());
        expect(await (await fetchFile(there, kept)).text()).toBe("still here");
      } finally {
        await other.end();
      }
    });

    test("that the store alone has lost still ends it", async () => {
      const alice = await house.person("bob");
      const { url } = await upload(alice, "unlisted.txt", "taken away under the backup");
      store.before = async (request) => {
        if (request.method === "HEAD" && request.url?.endsWith(nameOf(url)))
          await house.running.house.blobs.remove(nameOf(url));
      };
      const target = join(folder.path, `${engine}-lost.tar`);
      const made = await hearth(`backup ${target}`, {
        PATH,
        ...house.settings,
        S3_URL: `${store.url}/uploads`,
      });
      expectRefused(made, "changed while it was copied");
      writeFileSync(join(s3.folderOf("uploads"), nameOf(url)), "taken away under the backup");
    });
  });
}
