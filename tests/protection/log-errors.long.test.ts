// T7: errors of libraries repeat their input. The log lines of such errors hold no secret and no row.
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { Busboy } from "@fastify/busboy";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { RoomServiceClient } from "livekit-server-sdk";
import { createTransport } from "nodemailer";
import pg from "pg";
import { generateRequestDetails, setVapidDetails } from "web-push";
import { z } from "zod";
import { type OpenLog, openLog } from "../../server/telemetry/log.ts";
import { LiveKitDouble, livekitKey } from "../doubles/livekit.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";

const folder = temporaryFolder();
const media = new LiveKitDouble();
afterAll(() => {
  media.stop();
  folder.remove();
});

const password = "Sw0rdfish/of-the#test";
const key = "kV3".repeat(15).slice(0, 43);
const token = `hs_${"tK7-".repeat(11).slice(0, 43)}`;
const email = "bob@house.example";
const secrets = [password, encodeURIComponent(password), key, token.slice(3), email];
const webToken = /eyJ[\w-]+/;

/** The text that the log writes, at level debug. */
function written(tell: (log: OpenLog["log"]) => void, known: string[] = []): string {
  const path = join(folder.path, crypto.randomUUID());
  const { log } = openLog({ logLevel: "debug", secrets: known }, [], openSync(path, "w"));
  tell(log);
  log.flush();
  return readFileSync(path, "utf8");
}

async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing went wrong");
}

/** A fault of each library, and the text that its error must repeat for the test to mean something. */
const provoked: Record<string, { fault: () => unknown; repeats?: string | RegExp }> = {
  "LiveKit's SDK, whose server refuses a token": {
    fault: () =>
      new RoomServiceClient(media.url.replace("ws", "http"), livekitKey, "another secret").listRooms(),
    repeats: webToken,
  },
  "pg, with an address that is none": {
    fault: () => new pg.Client({ connectionString: `postgres://hearth:${password}@db:99999/chat` }).connect(),
  },
  "pg, with nobody there": {
    fault: () =>
      new pg.Client({
        connectionString: `postgres://hearth:${encodeURIComponent(password)}@127.0.0.1:1/chat`,
      }).connect(),
  },
  "a row that is there already, in bun:sqlite": {
    fault: () => {
      const db = new Database(":memory:");
      db.run("create table users (email text primary key)");
      for (const _ of "twice") db.query("insert into users values (?)").run(email);
    },
  },
  "nodemailer, with an address that is none": {
    fault: () => createTransport(`smtp://me:${password}@127.0.0.1:1`).sendMail({ to: email, text: token }),
  },
  "nodemailer, with nobody there": {
    fault: () =>
      createTransport(`smtp://me:${encodeURIComponent(password)}@127.0.0.1:1`).sendMail({
        to: email,
        text: token,
      }),
  },
  "web-push, with a wrong key": {
    fault: () => setVapidDetails(`mailto:${email}`, key, `${key}==`),
  },
  "web-push, with a wrong subscription": {
    fault: () =>
      generateRequestDetails(
        { endpoint: `https://push.example/${key}`, keys: { auth: "", p256dh: key } },
        "x",
      ),
  },
  "SimpleWebAuthn, registering": {
    fault: () =>
      verifyRegistrationResponse({
        response: {
          id: key,
          rawId: key,
          type: "public-key",
          clientExtensionResults: {},
          response: {
            clientDataJSON: Buffer.from(
              JSON.stringify({ type: "webauthn.create", challenge: key, origin: "x" }),
            ).toString("base64url"),
            attestationObject: key,
          },
        },
        expectedChallenge: `${key}x`,
        expectedOrigin: "https://house.example",
      }),
    repeats: key,
  },
  "SimpleWebAuthn, signing in": {
    fault: () =>
      verifyAuthenticationResponse({
        response: {
          id: key,
          rawId: key,
          type: "public-key",
          clientExtensionResults: {},
          response: { clientDataJSON: key, authenticatorData: key, signature: key },
        },
        expectedChallenge: key,
        expectedOrigin: "https://house.example",
        expectedRPID: "house.example",
        credential: { id: key, publicKey: new Uint8Array(3), counter: 0 },
      }),
  },
  "zod, with its input": {
    fault: () => z.object({ email: z.literal("x") }, `${token} for ${password}`).parse(token),
    repeats: token,
  },
  "busboy, with a broken form": {
    fault: () =>
      new Promise((_, failed) => {
        const form = new Busboy({ headers: { "content-type": `multipart/form-data; boundary=${key}` } });
        form.on("error", failed);
        form.end(`--${key}\r\nContent-Disposition: form-data; name="${token}"\r\n`);
      }),
  },
  "fetch, with a secret in the address": {
    fault: () => fetch(`http://me:${password}@127.0.0.1:1/?api_key=${key}`),
  },
  "an address that cannot be read": { fault: () => new URL(`smtp://me:${password}@:x/`) },
  "JSON that is none": { fault: () => JSON.parse(`${token} ${email}`) },
  "a stream, with all of these behind it": {
    fault: () =>
      new Promise((_, failed) => {
        const cause = Object.assign(new Error(`invalid token: ${token}`), { headers: { cookie: token } });
        const stream = new Writable({
          write: (_chunk, _encoding, done) => done(new Error(`no: ${key}`, { cause })),
        });
        stream.on("error", failed);
        stream.write("x");
      }),
    repeats: key,
  },
  "several at once": {
    fault: () => Promise.any([Promise.reject(new Error(token)), Promise.reject(new Error(`Bearer ${key}`))]),
  },
};

describe("the log tells of an error without the secrets in it:", () => {
  for (const [what, { fault, repeats }] of Object.entries(provoked)) {
    test(what, async () => {
      const error = await errorOf(fault);
      if (repeats) expect(`${error.message}\n${error.stack}`).toMatch(repeats);
      const line = written(
        (log) => {
          log.error({ err: error }, "it failed");
          log.warn({ reason: error.message, why: String(error) }, error.message);
        },
        [password],
      );
      for (const secret of secrets) expect(line).not.toContain(secret);
      expect(line).not.toMatch(/eyJ[\w-]{8}/);
      // The line is worth reading all the same.
      const [told] = line.split("\n").map((each) => JSON.parse(each || "{}"));
      expect(told).toMatchObject({ level: "error", msg: "it failed", err: { type: error.constructor.name } });
      expect(JSON.stringify(told.err).length).toBeGreaterThan(60);
    });
  }

  test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("PostgreSQL, with the row that is there already", async () => {
    const client = new pg.Client({ connectionString: Bun.env.HEARTH_TEST_POSTGRES });
    await client.connect();
    await client.query("create temporary table people (email text constraint people_email primary key)");
    const insert = () => client.query("insert into people values ($1)", [email]);
    await insert();
    const error = await errorOf(insert);
    await client.end();
    expect(JSON.stringify(error)).toContain(email);
    const line = written((log) => log.error({ err: error }, "it failed"));
    expect(line).not.toContain(email);
    expect(JSON.parse(line).err).toMatchObject({
      code: "23505",
      table: "people",
      constraint: "people_email",
    });
  });

  test("one of a million signs is told in short, and so is whatever else is as long", () => {
    const long = `${token} and `.repeat(100_000);
    const line = written((log) => {
      log.error({ err: new Error(long, { cause: new Error(long) }) }, "it failed");
      log.error({ said: Array.from({ length: 90 }, () => long) }, "it was told too much");
    });
    expect(line.length).toBeLessThan(100_000);
    expect(line).not.toContain(token);
    const [, second] = line.trim().split("\n");
    expect(JSON.parse(second ?? "")).toMatchObject({ level: "error", msg: "it was told too much" });
  });
});

test("LiveKit refuses Hearth's token and repeats it: the log says that voice is out of order, and not the token", async () => {
  const server = await startServer({
    settings: {
      DATA_DIR: join(folder.path, "voice"),
      LOG_LEVEL: "warn",
      ...media.settings,
      LIVEKIT_API_SECRET: "not the secret of LiveKit, though as long",
    },
  });
  const alice = await TestPerson.register(server, "alice");
  const home = await alice.makeServer();
  const asked = { server_id: home.id, name: "parlour", type: "voice" };
  const { id } = (await alice.post<{ id: string }>("/channels", asked)).body;
  const { status } = await alice.get(`/voice/rooms/${id}/participants`);
  await server.stop();
  expect(status).toBe(503);
  expect(server.stderr()).toContain("the media service does not answer as it should");
  expect(server.stderr()).toContain("invalid token: …");
  expect(server.stderr()).not.toMatch(webToken);
});

test("an error that nobody caught ends the process with a line of the log, and the token in it stays untold", async () => {
  for (const uncaught of ["Promise.reject(error)", "throw error"]) {
    const fault = join(folder.path, "fault.ts");
    writeFileSync(
      fault,
      `process.on("SIGUSR2", () => setTimeout(() => {
        const error = Object.assign(new Error("invalid token: ${token}"), { authorization: "Bearer ${key}" });
        process.emitWarning(error.message);
        setTimeout(() => { ${uncaught}; }, 100);
      }));`,
    );
    const main = join(import.meta.dir, "../../server/main.ts");
    const server = await startServer({
      command: [process.execPath, "--preload", fault, main],
      settings: { DATA_DIR: join(folder.path, "uncaught"), LOG_LEVEL: "warn" },
    });
    process.kill(server.pid, "SIGUSR2");
    await until(
      () => !isAlive(server.pid) && /"fatal".*\}\n$/.test(server.stderr()),
      "it goes on, or said nothing",
    );
    expect(server.stderr()).not.toContain(token.slice(3));
    expect(server.stderr()).not.toContain(key);
    const lines = server.stderr().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", err: { message: "invalid token: …" } },
      { level: "fatal", err: { message: "invalid token: …" } },
    ]);
  }
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a database that is not there keeps its password to itself", async () => {
  for (const address of [
    `postgres://hearth:${encodeURIComponent(password)}@127.0.0.1:1/chat`,
    "postgres://hearth:swordfish@[::/chat",
    "postgres://hearth:sword/fish@127.0.0.1:1/chat",
  ]) {
    const started = startServer({ settings: { DATA_DIR: join(folder.path, "none"), DATABASE_URL: address } });
    const { message } = await errorOf(() => started);
    expect(message).toContain("DATABASE_URL");
    for (const secret of [password, encodeURIComponent(password), "swordfish", "sword/fish"]) {
      expect(message).not.toContain(secret);
    }
  }
});
