// Several processes upload to one S3 store: each serves the others' files at once.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { files } from "../../features/files/handlers.ts";
import { pictureOf } from "../house/material/images.ts";
import { at, canCluster, openCluster } from "../house/open/cluster.ts";
import { fetchFile, filesOn, upload } from "../house/scenes/files.ts";
import { canStore, startS3 } from "../house/servers/s3.ts";

const can = canCluster && canStore;

describe.skipIf(!can)(can ? "uploads" : "uploads (skipped: no PostgreSQL, Redis or S3 store here)", () => {
  test("on one process are there on another, and no process sweeps what another has just taken", async () => {
    await using s3 = await startS3();
    await using cluster = await openCluster(2, s3.settings("both"));
    const [one, other] = cluster.houses;
    const alice = await one!.person("alice");
    const photo = await pictureOf("png", { width: 900, height: 90 });
    const urls: string[] = [];
    for (const [i, house] of [one!, other!, one!, other!].entries()) {
      const here = at(house.url, alice);
      urls.push((await upload(here, `${i}.txt`, `file ${i}`)).url);
      urls.push((await upload(here, `${i}.png`, photo)).preview_url ?? "");
    }
    for (const house of [one!, other!]) {
      while (await files.jobs?.[0]?.run(house.running.house));
      expect(filesOn(house).kept).toEqual([]);
    }
    for (const house of [one!, other!])
      for (const url of urls) expect((await fetchFile(at(house.url, alice), url)).status).toBe(200);
    expect(await (await fetchFile(at(other!.url, alice), urls[0]!)).text()).toBe("file 0");
    expect(readdirSync(s3.folderOf("both")).filter((name) => name.endsWith(".txt"))).toHaveLength(4);
  });
});
