// How `hearth` parses its arguments: help, settings, wrong commands, and starting by npx.
import { describe, expect, test } from "bun:test";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { TestPerson } from "../house/people/people.ts";
import { hearth, run } from "./hearth.ts";

describe("hearth help", () => {
  test("names every command, also when it is asked for among other words", async () => {
    for (const words of ["help", "--help", "admin --help", "-h"]) {
      const { exitCode, stdout, stderr } = await hearth(words);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      for (const each of [
        "serve",
        "admin users",
        "admin disable <user>",
        "doctor voice",
        "settings",
        "backup <file>",
        "restore <file>",
      ])
        expect(stdout).toContain(`hearth ${each}`);
    }
  });

  test("no word at all shows it as well, with code 2", async () => {
    const { exitCode, stdout } = await hearth("");
    expect(exitCode).toBe(2);
    expect(stdout).toContain("hearth serve");
  });
});

test("what is not understood is one sentence, and code 2", async () => {
  await expectNotUnderstood([
    "explode",
    "serve now",
    "settings PORT",
    "doctor everything",
    "doctor voice loud",
  ]);
});

test("one file, and only restore checks it", async () => {
  await expectNotUnderstood([
    "backup",
    "backup one two",
    "restore",
    "restore --check",
    "doctor --check",
    "backup --check a",
  ]);
});

async function expectNotUnderstood(all: readonly string[]): Promise<void> {
  for (const wrong of all) {
    const { exitCode, stdout, stderr } = await hearth(wrong);
    expect({ wrong, exitCode, stdout }).toEqual({ wrong, exitCode: 2, stdout: "" });
    expect(stderr).toEndWith(" See hearth help.\n");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
}

describe("hearth settings", () => {
  const given = {
    DATABASE_URL: "postgres://hearth:swordfish@db.example:5433/chat?password=carp",
    SMTP_URL: "smtp://salmon:trout@mail.example:587?pass=perch",
    MAIL_FROM: "hearth@house.example",
    GIF_API_KEY: "herring",
    LIVEKIT_URL: "wss://voice.example",
    LIVEKIT_API_KEY: "key",
    LIVEKIT_API_SECRET: "pike",
  };

  test("shows what is in force and where it comes from, and no secret", async () => {
    const { exitCode, stdout } = await hearth("settings --port 9001", { ...given, PORT: "9000" });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^PORT +9001 +argument$/m);
    expect(stdout).toMatch(/^MAIL_FROM +hearth@house\.example +environment$/m);
    expect(stdout).toMatch(/^HOST +127\.0\.0\.1 +default$/m);
    expect(stdout).toMatch(/^RATE_LIMITS +on +default$/m);
    expect(stdout).toMatch(/^DATABASE_URL +postgres:\/\/hearth:…@db\.example:5433\/chat/m);
    expect(stdout).toMatch(/^SMTP_URL .*mail\.example:587 /m);
    expect(stdout).toMatch(/^GIF_API_KEY +\(hidden\) +environment$/m);
    for (const secret of ["swordfish", "carp", "salmon", "trout", "perch", "herring", "pike"])
      expect(stdout).not.toContain(secret);
  });

  test("a wrong value is shown, named in a sentence, and code 1", async () => {
    const { exitCode, stdout, stderr } = await hearth("settings", { PORT: "a lot" });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^PORT +a lot +environment$/m);
    expect(stderr).toMatch(/^The setting PORT must be .*\.\n$/);
  });

  test("a setting that does not exist is told", async () => {
    const { exitCode, stderr } = await hearth("settings --prot 9000");
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith("There is no setting --prot.");
  });
});

describe("the way there", () => {
  test("npx hearth works in the checkout", async () => {
    const { PATH = "", HOME = "" } = Bun.env;
    const { exitCode, stdout } = await run(["npx", "--no-install", "hearth", "help"], { PATH, HOME });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("hearth admin users");
  });

  test("the launcher passes words, settings and the exit code on, from any folder", async () => {
    const folder = temporaryFolder();
    const { PATH = "" } = Bun.env;
    const launcher = `${import.meta.dir}/../../bin/hearth.js`;
    const ended = await run(["node", launcher, "admin", "explode"], { PATH }, folder.path);
    expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ended.stderr).toStartWith("There is no hearth admin explode.");
    folder.remove();
  });

  test("hearth serve is npm start: it says where it is, and leaves in order", async () => {
    const folder = temporaryFolder();
    const { PATH = "" } = Bun.env;
    const server = await startServer({
      settings: { PATH, DATA_DIR: folder.path },
      command: ["node", "bin/hearth.js", "serve", "--registration", "open"],
    });
    await TestPerson.register(server, "alice");
    await server.stop();
    const listed = await hearth("admin users", { DATA_DIR: folder.path });
    expect(listed.stdout).toContain("alice");
    folder.remove();
  });
});
