// Sequential uploads of 12-megapixel photos: the cost of a preview in its own process, and the latency meanwhile.
import sharp from "sharp";
import { median } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { endedProcessorMs, processorMs } from "../process-stats.ts";
import type { Findings } from "../report.ts";
import { startHearth } from "../servers.ts";

const size = { width: 4000, height: 3000 };
const askEveryMs = 4;

export async function measureImages(scale: Scale, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  const { people } = await setStage(hearth.origin, 1);
  const { token } = people[0]!;
  const { pid } = hearth.target;
  const photo = await makePhoto();
  // The first upload loads code that stays in memory; only later ones are measured.
  await upload(hearth.origin, token, photo);
  const [before, decodingBefore] = [processorMs(pid), endedProcessorMs(pid)];
  const quiet = waitsMeanwhile(`${hearth.origin}/healthz`);
  await Bun.sleep(scale.seconds * 1000);
  const waitedBefore = await quiet.end();
  const waits = waitsMeanwhile(`${hearth.origin}/healthz`);
  const answers: number[] = [];
  for (let i = 0; i < scale.pictures; i++) answers.push(await upload(hearth.origin, token, photo));
  const waited = await waits.end();
  const workload = "images";
  const each = (ms: number) => ms / scale.pictures;
  const megapixels = (size.width * size.height) / 1e6;
  return {
    rows: [
      {
        workload,
        figure: `processor time of a preview elsewhere, ${megapixels} megapixels`,
        value: each(endedProcessorMs(pid) - decodingBefore),
        unit: "ms",
        target: { below: 1000 },
      },
      {
        workload,
        figure: "p99 of a small answer meanwhile",
        value: p99(waited),
        unit: "ms",
        target: { below: 20 },
      },
      { workload, figure: "the same while there is no picture", value: p99(waitedBefore), unit: "ms" },
      {
        workload,
        figure: "processor time of the server itself",
        value: each(processorMs(pid) - before),
        unit: "ms",
      },
      { workload, figure: "median of an upload's answer", value: median(answers), unit: "ms" },
    ],
    raw: { workload, answers, waited, waitedBefore },
  };
}

/** Makes a JPEG with the noise of a camera: one without it would decode faster. */
async function makePhoto(): Promise<Blob> {
  const { width, height } = size;
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < pixels.length; i++) {
    const pixel = Math.floor(i / 3);
    pixels[i] = ((pixel % width) + Math.floor(pixel / width)) / 32 + Math.random() * 24;
  }
  const photo = sharp(pixels, { raw: { width, height, channels: 3 } }).jpeg({ quality: 85 });
  return new Blob([new Uint8Array(await photo.toBuffer())]);
}

/** Returns how long the upload took, in milliseconds. */
async function upload(origin: string, token: string, photo: Blob): Promise<number> {
  const form = new FormData();
  form.set("file", photo, "photo.jpg");
  const started = performance.now();
  const response = await fetch(`${origin}/api/v1/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const answer = (await response.json()) as { width?: unknown; preview_url?: unknown };
  const ms = performance.now() - started;
  if (answer.width !== size.width || !answer.preview_url)
    throw new Error(`an upload answered ${response.status}: ${JSON.stringify(answer)}`);
  return ms;
}

/** Requests a URL repeatedly until `end`, which resolves to the latency of each request in milliseconds. */
function waitsMeanwhile(url: string): { end(): Promise<number[]> } {
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const started = performance.now();
      await (await fetch(url)).arrayBuffer();
      waits.push(performance.now() - started);
      await Bun.sleep(askEveryMs);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      return waits;
    },
  };
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}
