// The program of a process that decodes one picture, the one at the path that it is given, and ends: it says how large
// the picture is, and writes a preview of one that is larger than that. Strangers made the picture, and what decodes it
// is native code, so nothing else is in this process: no socket, no setting, no other picture.
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

/** Files of other formats than those of pictures that may be uploaded are not even looked at. */
const decoders = ["Jpeg", "Png", "Nsgif", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}`);

/** By orientation: how far a picture has to be turned to the right, and whether it is mirrored then. */
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
// The processor is the server's, too.
sharp.concurrency(1);
try {
  await look(process.argv[2] ?? "");
} catch {
  process.exitCode = undecodable;
}

/** The server watches, too; but it may have ended, or be busy, or not be told on this system. */
function endItself(): void {
  const watch = () => {
    const { user, system } = process.cpuUsage();
    const isSlow = (user + system) / 1000 > processorMs || performance.now() > patienceMs;
    if (isSlow || process.memoryUsage.rss() > mostMemory) process.kill(process.pid, "SIGKILL");
  };
  setInterval(watch, watchMs).unref();
  try {
    // Where the whole machine is short of memory, Linux ends this process and not the server.
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Another system, or one that does not allow it.
  }
}

async function look(path: string): Promise<void> {
  // Of a picture that moves this is the first image. What is only a warning is shown by every browser.
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
  // Turned once it is small: a picture that is turned first has to be in memory whole.
  const { data, info } = await picture
    .resize(previewSide, previewSide, { fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { angle, isMirrored } = turns[orientation] ?? { angle: 0, isMirrored: false };
  return sharp(data, { raw: info }).rotate(angle).flop(isMirrored).webp().toBuffer();
}
