// The program of the process that decodes one picture, given by its path: prints its size and, if it is larger than a
// preview, writes a preview. Given a square as well, it writes that square as an own picture in its sizes. The picture
// comes from a stranger, and the decoder is native code, so nothing else is in this process: no socket, no setting, no
// other picture.
import { writeFileSync } from "node:fs";
import sharp, { type OutputInfo, type Sharp } from "sharp";
import {
  avatarSides,
  mostMemory,
  mostPixels,
  patienceMs,
  previewSide,
  processorMs,
  undecodable,
  watchMs,
} from "./picture-limits.ts";
import { isInside, middleSquare, type Square, storedCorner } from "./squares.ts";

/** The only decoders that are enabled: those of the formats that may be uploaded. */
const decoders = ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`);

/** By orientation: the clockwise rotation of the picture in degrees, and whether it is mirrored then. */
const turns: Readonly<Record<number, { angle: number; isMirrored: boolean }>> = {
  1: { angle: 0, isMirrored: false },
  2: { angle: 0, isMirrored: true },
  3: { angle: 180, isMirrored: false },
  4: { angle: 180, isMirrored: true },
  5: { angle: 270, isMirrored: true },
  6: { angle: 90, isMirrored: false },
  7: { angle: 90, isMirrored: true },
  8: { angle: 270, isMirrored: false },
};

endItself();
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: decoders });
// The server needs the processor, too.
sharp.concurrency(1);
try {
  const [path = "", square] = process.argv.slice(2);
  await (square === undefined ? look(path) : drawAvatar(path, JSON.parse(square)));
} catch {
  process.exitCode = undecodable;
}

/**
 * Ends this process at its limits. The server watches, too; but it may have ended, be busy, or have no way to watch on
 * this system.
 */
function endItself(): void {
  const watch = () => {
    const { user, system } = process.cpuUsage();
    const isSlow = (user + system) / 1000 > processorMs || performance.now() > patienceMs;
    if (isSlow || process.memoryUsage.rss() > mostMemory) process.kill(process.pid, "SIGKILL");
  };
  setInterval(watch, watchMs).unref();
  try {
    // When the machine is out of memory, Linux ends this process and not the server.
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not Linux, or not permitted.
  }
}

async function look(path: string): Promise<void> {
  const picture = opened(path);
  const { autoOrient, orientation = 1 } = await picture.metadata();
  const { width, height } = autoOrient;
  const isSmall = width <= previewSide && height <= previewSide;
  // Only decoding shows whether a picture can be decoded.
  const preview = isSmall ? await picture.raw().toBuffer() : await previewOf(picture, orientation);
  process.stdout.write(`${JSON.stringify({ width, height })}\n`);
  if (!isSmall) process.stdout.write(preview);
}

/** Reads the first image of an animation. Files with mere warnings are accepted, as every browser shows them. */
function opened(path: string): Sharp {
  return sharp(path, { limitInputPixels: mostPixels, failOn: "error" });
}

/** Without a square it is the middle one. Nothing is drawn of one that is not inside the picture. */
async function drawAvatar(path: string, given: Square | null): Promise<void> {
  const picture = opened(path);
  const { autoOrient, orientation = 1 } = await picture.metadata();
  const { width, height } = autoOrient;
  const square = given ?? middleSquare({ width, height });
  const drawn: Buffer[] = [];
  if (isInside(square, { width, height })) {
    const [largest] = avatarSides;
    const { size } = square;
    const { data, info } = await picture
      .extract({ ...storedCorner(square, orientation, { width, height }), width: size, height: size })
      .resize(largest, largest)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { angle, isMirrored } = turns[orientation] ?? { angle: 0, isMirrored: false };
    const upright = await pixels(data, info).rotate(angle).flop(isMirrored).raw().toBuffer();
    for (const side of avatarSides)
      drawn.push(await pixels(upright, info).resize(side, side).webp().toBuffer());
  }
  const lengths = drawn.map(({ byteLength }) => byteLength);
  process.stdout.write(`${JSON.stringify({ width, height, lengths })}\n`);
  for (const bytes of drawn) process.stdout.write(bytes);
}

async function previewOf(picture: Sharp, orientation: number): Promise<Buffer> {
  // Rotates after resizing: rotating first would need the whole picture in memory.
  const { data, info } = await picture
    .resize(previewSide, previewSide, { fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { angle, isMirrored } = turns[orientation] ?? { angle: 0, isMirrored: false };
  return pixels(data, info).rotate(angle).flop(isMirrored).webp().toBuffer();
}

/** Takes pixels on; `info` itself would say that half-transparent colours are still multiplied, which they are not. */
function pixels(data: Buffer, { width, height, channels }: OutputInfo): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}
