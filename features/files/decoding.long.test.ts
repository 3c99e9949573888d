// The process that decodes a picture: its output, when it is killed, and that its output is validated.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import sharp from "sharp";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { standStill } from "../../tests/house/machine/standing-still.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { decodersOf, isReading, memoryOf, stoppedDecoder } from "../../tests/house/material/decoders.ts";
import {
  greedyAvif,
  hugePng,
  movingGif,
  pictureFormats,
  pictureOf,
} from "../../tests/house/material/images.ts";
import { decode } from "./decoding.ts";
import { patienceMs } from "./picture-limits.ts";

const mib = 1024 * 1024;
const decoder = join(import.meta.dir, "picture-process.ts");

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

function fileOf(content: string | Uint8Array): string {
  const path = join(folder.path, crypto.randomUUID());
  writeFileSync(path, content);
  return path;
}

function decodeBytes(content: string | Uint8Array, signal = new AbortController().signal) {
  return decode(fileOf(content), signal);
}

/** Runs this program instead, as if a picture had taken the process over. */
function decodeBy(program: string) {
  return decode("any", new AbortController().signal, fileOf(program));
}

describe("a picture", () => {
  for (const format of pictureFormats)
    test(`${format}: its size as it is shown, and no preview while it is small`, async () => {
      for (const [orientation, width, height] of [
        [1, 800, 60],
        [6, 60, 800],
      ] as const) {
        const { picture } = await decodeBytes(
          await pictureOf(format, { width: 800, height: 60, orientation }),
        );
        expect(picture).toEqual({ width, height, preview: undefined });
      }
    });

  test("in a data folder that is named relative to the server's, as it is by default, is found", async () => {
    const path = fileOf(await pictureOf("png", { width: 90, height: 60 }));
    const before = process.cwd();
    process.chdir(folder.path);
    const { picture } = await decode(basename(path), new AbortController().signal).finally(() =>
      process.chdir(before),
    );
    expect(picture).toEqual({ width: 90, height: 60, preview: undefined });
  });

  test("a larger one has a preview of at most 800 × 800 without metadata, the right way up, each of the eight ways", async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const bytes = await pictureOf("jpeg", {
        width: 1600,
        height: 1000,
        orientation,
        exif: { IFD0: { Model: "Box" } },
      });
      const { picture } = await decodeBytes(bytes);
      const [width, height] = orientation < 5 ? [1600, 1000] : [1000, 1600];
      expect([orientation, picture?.width, picture?.height]).toEqual([orientation, width, height]);
      const preview = await sharp(picture?.preview).metadata();
      const { format, exif, xmp, icc, orientation: its } = preview;
      expect({ format, exif, xmp, icc, its }).toEqual({ format: "webp" } as never);
      expect([preview.width, preview.height]).toEqual([width / 2, height / 2]);
      const small = (one: Uint8Array | undefined) =>
        sharp(one).autoOrient().resize(8, 8, { fit: "fill" }).raw().toBuffer();
      const [shown, expected] = [await small(picture?.preview), await small(bytes)];
      const worst = Math.max(...shown.map((value, i) => Math.abs(value - (expected[i] ?? 0))));
      expect([orientation, worst < 40]).toEqual([orientation, true]);
    }
  });

  test("of a GIF that moves it is the first image", async () => {
    const { picture } = await decodeBytes(await movingGif(1000, 500, 5));
    expect([picture?.width, picture?.height]).toEqual([1000, 500]);
    const { pages, width, height } = await sharp(picture?.preview).metadata();
    expect([pages ?? 1, width, height]).toEqual([1, 800, 400]);
    const { dominant } = await sharp(picture?.preview).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect((await decodeBytes(await movingGif(90, 60, 12))).picture).toEqual({
      width: 90,
      height: 60,
      preview: undefined,
    });
  });

  test("one with other colours than a screen's: black and white, see-through, of a printer", async () => {
    const of = (channels: 3 | 4) =>
      sharp({
        create: { width: 900, height: 900, channels, background: { r: 0, g: 128, b: 0, alpha: 0.5 } },
      });
    for (const bytes of [
      await of(3).greyscale().png().toBuffer(),
      await of(4).png({ palette: true }).toBuffer(),
      await of(4).toColourspace("rgb16").png().toBuffer(),
      await of(3).toColourspace("cmyk").jpeg().toBuffer(),
      await of(4).webp({ lossless: true }).toBuffer(),
    ]) {
      const { picture } = await decodeBytes(bytes);
      expect([picture?.width, (await sharp(picture?.preview).metadata()).width]).toEqual([900, 800]);
    }
  });

  test("of 100 megapixels is one, of more is none", async () => {
    const { picture } = await decodeBytes(hugePng(10_000, 10_000));
    expect([picture?.width, picture?.height]).toEqual([10_000, 10_000]);
    expect(await decodeBytes(hugePng(10_001, 10_000))).toEqual({});
  });
});

describe("no picture", () => {
  test("broken, cut off, empty, or a bomb", async () => {
    const whole = await pictureOf("png", { width: 900, height: 900 });
    const photo = await pictureOf("jpeg", { width: 900, height: 900 });
    for (const [what, bytes] of Object.entries({
      nothing: Buffer.alloc(0),
      text: Buffer.from("hello"),
      "half a PNG": whole.subarray(0, whole.length / 2),
      "half a JPEG": photo.subarray(0, photo.length / 2),
      "half a small one": (await pictureOf("jpeg")).subarray(0, 400),
      "a PNG with a wrong byte": Buffer.from(whole).fill(0x55, whole.length - 60, whole.length - 30),
      "a row of a million": hugePng(60_000, 60_000, 1),
      "the largest there is": hugePng(2 ** 31 - 1, 2 ** 31 - 1, 1),
      "fewer rows than it says": hugePng(9000, 9000, 10),
    }))
      expect([what, await decodeBytes(bytes)]).toEqual([what, {}]);
  });

  test("what is no JPEG, PNG, GIF, WebP or AVIF is not even looked at: SVG, TIFF", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"/>';
    expect((await sharp(Buffer.from(svg)).metadata()).width).toBe(900);
    expect(await decodeBytes(svg)).toEqual({});
    expect(await decodeBytes(await sharp(Buffer.from(svg)).tiff().toBuffer())).toEqual({});
  });
});

/** Returns the peak memory of the decoders until one of them has ended. */
async function watched<T>(decoding: Promise<T>): Promise<{ result: T; most: number }> {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, ...decodersOf(process.pid).map(memoryOf));
  }, 5);
  const result = await decoding.finally(() => clearInterval(watch));
  return { result, most };
}

describe("a process that takes too much", () => {
  test("memory: it is ended at 512 MiB", async () => {
    // It grows by hundreds of megabytes a second, while this process may be held up.
    await until(async () => {
      const { result, most } = await watched(decodeBytes(greedyAvif));
      expect(result).toEqual({});
      // Decoded whole, it would take 2 GiB.
      expect(most).toBeLessThan(1536 * mib);
      expect(decodersOf(process.pid)).toEqual([]);
      return most > 300 * mib;
    }, "it is ended long before");
  });

  test("memory, without watching itself", async () => {
    const grow = "const all = []; setInterval(() => all.push(Buffer.alloc(16 * 1024 * 1024, 1)), 20)";
    const { result, most } = await watched(decodeBy(grow));
    expect(result).toEqual({});
    // In its ten seconds it would grow to 8 GiB.
    expect(most).toBeLessThan(1536 * mib);
  });

  test("time: it is ended when that is over, though it hears and does nothing any more", async () => {
    expect(patienceMs).toBe(10_000);
    const started = performance.now();
    const path = fileOf(hugePng(10_000, 10_000));
    const decoding = decode(path, new AbortController().signal, undefined, 3000);
    await stoppedDecoder();
    expect(await decoding).toEqual({});
    expect(performance.now() - started).toBeGreaterThan(2900);
    expect(decodersOf(process.pid)).toEqual([]);
  });

  const alone = (path: string, ...options: string[]) =>
    spawn(process.execPath, [...options, decoder, path], { stdio: "ignore", env: {} });

  test("it ends itself, too, where nobody watches it: after 10 s, and at 512 MiB", async () => {
    expect(await once(alone(fileOf(greedyAvif)), "exit")).toEqual([null, "SIGKILL"]);
    expect(await endOfOneThatStoodStill(10_200)).toEqual([null, "SIGKILL"]);
  });

  test("it ends itself after 5 s of processor time; that a busy machine gives it none does not count", async () => {
    const burning = fileOf(
      "for (let n = 0; process.cpuUsage().user < 5_000_000; ) for (let i = 0; i < 1e6; i++) n += i;",
    );
    const dear = alone(fileOf(hugePng(10_000, 10_000)), "--preload", burning);
    expect(await once(dear, "exit")).toEqual([null, "SIGKILL"]);
    expect(await endOfOneThatStoodStill(5200)).toEqual([0, null]);
  });

  async function endOfOneThatStoodStill(forMs: number) {
    const path = fileOf(hugePng(10_000, 10_000));
    const slow = alone(path);
    // It begins to watch its own limits before that.
    await until(() => isReading(slow.pid ?? 0, path), "it did not begin");
    standStill(slow.pid);
    await Bun.sleep(forMs);
    slow.kill("SIGCONT");
    return once(slow, "exit");
  }

  test("it is ended with the server", async () => {
    const server = new AbortController();
    const decoding = decodeBytes(hugePng(10_000, 10_000), server.signal);
    await until(() => decodersOf(process.pid).length === 1, "it did not start");
    server.abort();
    expect(await decoding).toEqual({ trouble: "the server ends" });
    expect(decodersOf(process.pid)).toEqual([]);
  });
});

describe("what such a process says", () => {
  const say = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;
  const fine = '{"width":900,"height":900}\n';

  test("counts as far as it can be true", async () => {
    expect((await decodeBy(say(fine))).picture).toEqual({ width: 900, height: 900, preview: undefined });
    const preview = "RIFF1234WEBPxyz";
    expect((await decodeBy(say(fine + preview))).picture?.preview).toEqual(Buffer.from(preview));
    for (const lie of [
      "",
      "\n",
      "[]\n",
      '{"width":900}\n',
      '{"width":0,"height":900}\n',
      '{"width":1.5,"height":900}\n',
      '{"width":"900","height":900}\n',
      '{"width":10001,"height":10000}\n',
      `${fine}<script>alert(1)</script>`,
    ])
      expect([lie, (await decodeBy(say(lie))).picture]).toEqual([lie, undefined]);
  });

  test("is no more than a preview may be long", async () => {
    const flood = `${say(`${fine}RIFF1234WEBP`)}; for (let i = 0; i < 64; i++) process.stdout.write(Buffer.alloc(1024 * 1024));`;
    expect((await decodeBy(flood)).picture?.preview?.length).toBeLessThanOrEqual(4 * mib);
  });

  test("of its own failure is told, not taken for a broken picture", async () => {
    expect((await decodeBy('throw new Error("no library")')).trouble).toContain("no library");
    expect((await decodeBy(`console.error("x".repeat(1e6)); process.exit(1)`)).trouble?.length).toBe(2000);
    const gone = await decode("any", new AbortController().signal, "/nowhere/at-all.ts");
    expect(gone.trouble).toContain("/nowhere/at-all.ts");
  });
});

test("it knows nothing of the server: none of its settings, and not its folder", async () => {
  const { trouble } = await decodeBy(
    "console.error(JSON.stringify([process.env, process.cwd()])); process.exit(1)",
  );
  expect(JSON.parse(trouble ?? "")).toEqual([{}, "/"]);
});
