// Parallel uploads of large files, none of which may be held in memory as a whole.
import { randomBytes } from "node:crypto";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { forgetPeakMemory, peakMemory, residentMemory } from "../process-stats.ts";
import type { Findings } from "../report.ts";
import { startHearth } from "../servers.ts";

const mib = 1024 * 1024;

export async function measureUploads(scale: Scale, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  const { people } = await setStage(hearth.origin, scale.uploads);
  const { pid } = hearth.target;
  const bytes = zipOf(scale.uploadMib * mib);
  // The first upload loads code that stays in memory; only later ones are measured.
  await upload(hearth.origin, people[0]!.token, bytes.slice(0, mib));
  const before = residentMemory(pid).all;
  forgetPeakMemory(pid);
  const started = performance.now();
  await Promise.all(people.map(({ token }) => upload(hearth.origin, token, bytes)));
  const seconds = (performance.now() - started) / 1000;
  const most = peakMemory(pid);
  const workload = "uploads";
  return {
    rows: [
      {
        workload,
        figure: `memory grown, ${scale.uploadMib} MiB × ${scale.uploads} in parallel`,
        value: (most - before) / mib,
        unit: "MiB",
        target: { below: 60 },
      },
      { workload, figure: "taken in", value: (scale.uploadMib * scale.uploads) / seconds, unit: "MiB/s" },
    ],
    raw: { workload, before, most, seconds },
  };
}

/** Returns incompressible bytes with the header of a zip file. */
function zipOf(size: number): Blob {
  const bytes = randomBytes(size);
  bytes.set([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00]);
  return new Blob([bytes]);
}

async function upload(origin: string, token: string, bytes: Blob): Promise<void> {
  const form = new FormData();
  form.set("file", bytes, "bench.zip");
  const response = await fetch(`${origin}/api/v1/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  if (response.status !== 201)
    throw new Error(`an upload answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
