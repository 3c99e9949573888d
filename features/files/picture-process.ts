// The program of the process that decodes one picture, given by its path: prints its size and, if it is larger than a
// preview, writes a preview. The picture comes from a stranger, and the decoder is native code, so nothing else is in
// this process: no socket, no setting, no other picture.
import { writeFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import {
  mostMemory,
  mostPixels,
  patienceMs,
  previewSide,
  processorMs,
  undecodable,
  watchMs,
} from "./picture-limits.ts";

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
  await look(process.argv[2] ?? "");
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
  // Reads the first image of an animation. Files with mere warnings are accepted, as every browser shows them.
  const picture = sharp(path, { limitInputPixels: mostPixels, failOn: "error" });
  const { autoOrient, orientation = 1 } = await picture.metadata();
  const { width, height } = autoOrient;
  const isSmall = width <= previewSide && height <= previewSide;
  // Only decoding shows whether a picture can be decoded.
  const preview = isSmall ? await picture.raw().toBuffer() : await previewOf(picture, orientation);
  process.stdout.write(`${JSON.stringify({ width, height })}\n`);
  if (!isSmall) process.stdout.write(preview);
}

async function previewOf(picture: Sharp, orientation: number): Promise<Buffer> {
  // Rotates after resizing: rotating first would need the whole picture in memory.
  const { data, info } = await picture
    .resize(previewSide, previewSide, { fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { angle, isMirrored } = turns[orientation] ?? { angle: 0, isMirrored: false };
  return sharp(data, { raw: info }).rotate(angle).flop(isMirrored).webp().toBuffer();
}
