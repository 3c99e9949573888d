// A private S3 store for tests: Versity's gateway on a free port over a temporary folder, ended with this process.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../machine/folder.ts";
import { freePort } from "../machine/port.ts";
import { standStill } from "../machine/standing-still.ts";
import { until } from "../machine/waiting.ts";

/** The gateway's binary; `S3_SERVER` names one that is not on the PATH. */
const program = Bun.env.S3_SERVER ?? Bun.which("versitygw");

/** True if an S3 store is available here; test titles say so where it is not. */
export const canStore = program !== null;

export const s3Key = { S3_ACCESS_KEY_ID: "hearth-tests", S3_SECRET_ACCESS_KEY: "secret-of-the-tests" };

export interface PrivateS3 extends AsyncDisposable {
  /** The endpoint, without a bucket. */
  url: string;
  /** Settings of a Hearth with its uploads in this bucket; creates the bucket's folder. */
  settings(bucket: string): Record<string, string>;
  /** The folder that holds a bucket's objects as files. */
  folderOf(bucket: string): string;
  removeBucket(bucket: string): void;
  /** Stops the gateway by SIGSTOP; its connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
  /** Starts it again on the same port, with all its objects. */
  start(): Promise<void>;
}

interface S3Options {
  /** Paths of a certificate and its key, to serve TLS. */
  tls?: { cert: string; key: string };
}

export async function startS3({ tls }: S3Options = {}): Promise<PrivateS3> {
  if (!program) throw new Error("there is no S3 store here");
  const folder = temporaryFolder();
  const address = `127.0.0.1:${await freePort()}`;
  const url = `${tls ? "https" : "http"}://${address}`;
  const folderOf = (bucket: string) => join(folder.path, "buckets", bucket);
  // Metadata beside the objects, so that the folder needs no extended attributes.
  const sidecar = join(folder.path, "facts");
  for (const each of [folderOf(""), sidecar]) mkdirSync(each);
  const certificate = tls ? ["--cert", tls.cert, "--key", tls.key] : [];
  const words = ["--port", address, ...certificate, "--keep-alive", "--quiet", "posix", "--sidecar", sidecar];
  const env = { ROOT_ACCESS_KEY: s3Key.S3_ACCESS_KEY_ID, ROOT_SECRET_KEY: s3Key.S3_SECRET_ACCESS_KEY };
  let server: ChildProcess | undefined;
  let end = async () => {};

  async function start(): Promise<void> {
    const started = spawn(program as string, [...words, folderOf("")], { env, stdio: "ignore" });
    server = started;
    const ended = new Promise((resolve) => started.once("exit", resolve));
    const reap = () => started.kill("SIGKILL");
    process.on("exit", reap);
    end = async () => {
      reap();
      await ended;
      process.off("exit", reap);
    };
    await untilOpen(url);
  }

  await start();
  return {
    url,
    settings(bucket) {
      mkdirSync(folderOf(bucket), { recursive: true });
      return { S3_URL: `${url}/${bucket}`, ...s3Key };
    },
    folderOf,
    removeBucket: (bucket) => rmSync(folderOf(bucket), { recursive: true, force: true }),
    freeze: () => void standStill(server?.pid),
    thaw: () => void server?.kill("SIGCONT"),
    stop: () => end(),
    start,
    async [Symbol.asyncDispose]() {
      await end();
      folder.remove();
    },
  };
}

/** Waits until the server answers, with any status. */
async function untilOpen(url: string): Promise<void> {
  const tls = { rejectUnauthorized: false };
  const answers = async () => (await fetch(url, { tls }).catch(() => undefined)) !== undefined;
  await until(answers, "the S3 store does not start");
}
