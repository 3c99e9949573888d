// A process is killed while it decodes pictures: an upload ends at once, and another process makes the missing preview.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inspectBacklog } from "../../features/files/backlog.ts";
import type { Attachment } from "../../features/files/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { startServer } from "../house/machine/process.ts";
import { standStill } from "../house/machine/standing-still.ts";
import { until } from "../house/machine/waiting.ts";
import { decodersOf } from "../house/material/decoders.ts";
import { hugePng, pictureOf } from "../house/material/images.ts";
import { at, canCluster, openCluster } from "../house/open/cluster.ts";
import { tryUpload, upload } from "../house/scenes/files.ts";
import { canStore, startS3 } from "../house/servers/s3.ts";

const can = canCluster && canStore && process.platform === "linux";

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
}

describe.skipIf(!can)(can ? "pictures" : "pictures (skipped: no PostgreSQL, Redis or S3 store here)", () => {
  test("that a killed process was looking at are looked at by another, and nothing of them is left over", async () => {
    await using s3 = await startS3();
    await using cluster = await openCluster(1, s3.settings("both"));
    const [other] = cluster.houses;
    await other!.quiet();
    const [alice, bob] = [await other!.person("alice"), await other!.person("bob")];
    const home = await alice.makeServer();
    const photo = await upload(alice, "photo.png", hugePng(9000, 9000));
    // As after an upload without a free decoder in time.
    const { database } = other!.running.house;
    const filename = photo.url.replace("/files/", "");
    const owePreview = () =>
      database.transaction(async (db) => {
        await db.deleteFrom("uploads").where("preview_of", "=", filename).execute();
        await db
          .updateTable("uploads")
          .set({ width: null, height: null, is_inspected: 0 })
          .where("filename", "=", filename)
          .execute();
      });
    const isOwed = async () => {
      const row = database.read.selectFrom("uploads").select("is_inspected").where("filename", "=", filename);
      return (await row.executeTakeFirstOrThrow()).is_inspected === 0;
    };
    await owePreview();

    const { id } = await alice.say(home.general.id, "look", { attachments: [photo.url] });
    const tall = await pictureOf("png", { width: 900 });
    const settings = cluster.settings("one");
    /** Returns whether both pictures were being decoded when the process was killed. */
    async function killsInTime(): Promise<boolean> {
      const one = await startServer({ settings });
      const decoders = new Set<number>();
      const isHeld = (count: number) => {
        for (const pid of decodersOf(one.pid)) if (!decoders.has(pid) && standStill(pid)) decoders.add(pid);
        return decoders.size >= count;
      };
      await until(async () => isHeld(1) || !(await isOwed()), "no picture is looked at");
      let outcome: string | undefined;
      const sending = tryUpload(at(one.url, bob), "tall.png", tall).then(
        ({ status }) => (outcome = `${status}`),
        () => (outcome = "cut off"),
      );
      await until(() => isHeld(2) || outcome !== undefined, "no second picture is looked at");
      await one.kill();
      for (const pid of decoders) kill(pid);
      return (await sending) === "cut off" && (await isOwed());
    }
    // A decoder is killed after ten seconds, and one that was not seen in time has ended: then try again.
    while (!(await killsInTime())) await owePreview();

    const shown = async () => (await alice.get<Message>(`/messages/${id}`)).body.attachments as Attachment[];
    expect(await shown()).toMatchObject([{ width: null, preview_url: null }]);
    while (await inspectBacklog.run(other!.running.house));
    expect(await shown()).toMatchObject([
      { width: 9000, height: 9000, preview_url: expect.stringContaining("/") },
    ]);
    expect(await upload(bob, "tall.png", tall)).toMatchObject({
      width: 900,
    });

    const drafts = () => readdirSync(join(settings.DATA_DIR ?? "", "uploads", "tmp"));
    expect(drafts().length).toBeGreaterThan(0);
    const again = await startServer({ settings });
    expect(drafts()).toEqual([]);
    await again.stop();
  });
});
