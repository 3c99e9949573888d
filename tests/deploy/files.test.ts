// The files of deploy/ and the Dockerfile, checked against the settings, each other, and linters.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../server/config/config.ts";
import { settings } from "../../server/config/settings.ts";
import { run } from "../cli/hearth.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { endProcess, spawnServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import {
  askedFor,
  composeOf,
  filledIn,
  hearthsOf,
  pairsIn,
  project,
  settingsOfImage,
  textOf,
  variables,
} from "./deployment.ts";

const one = composeOf("deploy/compose.yaml");
const many = composeOf("deploy/cluster/compose.yaml");
const folder = temporaryFolder();
afterAll(() => folder.remove());

const told: [where: string, settings: Record<string, string>][] = [
  ...[one, many].flatMap((compose) =>
    hearthsOf(compose).map(([name, { environment = {} }]): [string, Record<string, string>] => [
      name,
      { ...settingsOfImage(), ...environment },
    ]),
  ),
  ["hearth.service", pairsIn(textOf("deploy/hearth.service"), "Environment=")],
];

describe("what Hearth is told", () => {
  test.each(told)("by %s are settings that there are, with values that they take", (_, given) => {
    expect(Object.keys(given).filter((name) => !(name in settings))).toEqual([]);
    expect(() => readConfig([], given)).not.toThrow();
    expect(given.DATA_DIR).toStartWith("/");
  });

  test("is all that three processes need, and the same for each but its folder", () => {
    const three = hearthsOf(many);
    expect(three).toHaveLength(3);
    const { databaseUrl, redisUrl, s3, livekit, publicUrl } = readConfig([], three[0]?.[1].environment);
    for (const needed of [databaseUrl, redisUrl, s3, livekit]) expect(needed).toBeDefined();
    expect(publicUrl).toBe("https://chat.example.org");
    const folders = three.flatMap(([, { volumes = [] }]) =>
      volumes.filter((each) => each.endsWith(":/data")),
    );
    expect(new Set(folders).size).toBe(3);
    const [first, ...others] = three.map(([, { volumes: _, environment, ...service }]) => {
      const { BACKUP_DIR: _own, ...shared } = environment ?? {};
      return { ...service, environment: shared };
    });
    for (const other of others) expect(other).toEqual(first!);
  });

  test("lets one process of the three make backups, in a volume that is its user's", () => {
    const makers = hearthsOf(many).filter(([, { environment }]) => environment?.BACKUP_DIR);
    expect(makers).toHaveLength(1);
    const [[, maker] = []] = makers;
    const folder = maker?.environment?.BACKUP_DIR ?? "";
    expect(maker?.volumes?.map((each) => each.split(":")[1])).toContain(folder);
    expect(textOf("Dockerfile")).toMatch(new RegExp(`install -d -o hearth .*${folder}$`, "m"));
  });

  test.each([
    ["one machine", one],
    ["three processes", many],
  ])("of %s: its folder is kept, and the proxy whose word it takes is Caddy", (_, { services, networks }) => {
    const caddy = services.caddy?.networks as Record<string, { ipv4_address: string }>;
    const address = caddy.inside?.ipv4_address ?? "";
    expect(networks.inside?.ipam.config[0]?.subnet).toBe(address.replace(/\d+$/, "0/24"));
    for (const [, { environment, volumes = [] }] of hearthsOf({ services, networks, volumes: {} })) {
      expect(environment?.TRUSTED_PROXIES).toBe(address);
      expect(volumes[0]).toEndWith(`:${settingsOfImage().DATA_DIR}`);
    }
  });
});

describe("the files agree", () => {
  test("every variable is one of those in the example, and no secret stands in it", () => {
    const example = pairsIn(textOf("deploy/cluster/example.env"));
    expect(askedFor("deploy/cluster/compose.yaml").sort()).toEqual(Object.keys(example).sort());
    for (const [name, value] of Object.entries(example))
      if (/PASSWORD|SECRET/.test(name)) expect(value).toBe("");
    expect(askedFor("deploy/compose.yaml")).toEqual(["HEARTH_HOST"]);
  });

  test("who waits for a service waits for one that says how it is", () => {
    for (const { services } of [one, many])
      for (const { depends_on = {} } of Object.values(services))
        for (const [name, { condition }] of Object.entries(depends_on)) {
          const service = services[name];
          const isHealthKnown = service?.healthcheck !== undefined || service?.image === "hearth";
          expect([name, condition === "service_completed_successfully" || isHealthKnown]).toEqual([
            name,
            true,
          ]);
        }
    expect(textOf("Dockerfile")).toMatch(/^HEALTHCHECK .* CMD \["\/opt\/hearth\/hearth", "ready"\]$/m);
  });

  test("the service tries for half an hour to start again, with words that systemd 252 of Debian 12 knows", () => {
    const text = textOf("deploy/hearth.service");
    const numberOf = (name: string) => Number(new RegExp(`^${name}=(\\d+)(min)?$`, "m").exec(text)?.[1]);
    const [pauseS, starts, withinMin] = ["RestartSec", "StartLimitBurst", "StartLimitIntervalSec"].map(
      numberOf,
    );
    const triedMin = (starts! * pauseS!) / 60;
    expect(triedMin).toBeWithin(25, 35);
    // Otherwise systemd would forget earlier starts before it counts enough of them to give up.
    expect(triedMin * 2).toBeLessThan(withinMin! + 1);
    expect(text).not.toMatch(/^(RestartSteps|RestartMaxDelaySec)=/m);
  });

  test("no log of a container grows without end, and no password shows in a command", () => {
    for (const { services } of [one, many])
      for (const [name, { logging, command = [] }] of Object.entries(services)) {
        expect([name, Object.keys(logging?.options ?? {})]).toEqual([name, ["max-size", "max-file"]]);
        for (const [variable, value] of Object.entries(variables))
          if (/PASSWORD|SECRET/.test(variable)) expect(command.join(" ")).not.toContain(value);
      }
  });

  test("the image can dump the PostgreSQL that it is deployed with", () => {
    const [, client] = /postgresql-client-(\d+)/.exec(textOf("Dockerfile")) ?? [];
    expect(many.services.postgres?.image).toBe(`postgres:${client}`);
  });

  test("the image runs as nobody else than the owner of its folder, and gets the signals itself", () => {
    const text = textOf("Dockerfile");
    expect(text).toMatch(/^USER 10001:10001$/m);
    expect(text).toMatch(/--uid 10001 --gid hearth/);
    expect(text).toMatch(/^ENTRYPOINT \["/m);
    for (const [, service] of [...hearthsOf(one), ...hearthsOf(many)])
      expect(service).toMatchObject({ read_only: true, tmpfs: ["/tmp:size=64m"], cap_drop: ["ALL"] });
  });
});

/** Expects a linter to find nothing. */
async function expectClean(words: string[], env: Record<string, string> = {}, cwd = project): Promise<void> {
  const { exitCode, stdout, stderr } = await run(
    words,
    { PATH: `${Bun.env.PATH}`, HOME: folder.path, ...env },
    cwd,
  );
  expect({ exitCode, said: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, said: "" });
}

function where(program: string): string {
  return Bun.which(program) ? "" : ` (skipped: there is no ${program} here)`;
}

describe("linters", () => {
  test.skipIf(!Bun.which("hadolint"))(`hadolint finds nothing in the Dockerfile${where("hadolint")}`, () =>
    expectClean(["hadolint", "Dockerfile"]),
  );

  test.skipIf(!Bun.which("compose-go"))(
    `Compose's own reader takes both files${where("compose-go")}`,
    async () => {
      for (const path of ["deploy", "deploy/cluster"]) {
        const file = join(folder.path, "compose.yaml");
        writeFileSync(file, filledIn(`${path}/compose.yaml`));
        await expectClean(["compose-go", file]);
        const { exitCode, stderr } = await run(
          ["compose-go", "compose.yaml"],
          { PATH: `${Bun.env.PATH}` },
          join(project, path),
        );
        expect([exitCode, stderr]).toEqual([
          1,
          expect.stringContaining("required variable HEARTH_HOST is missing"),
        ]);
      }
    },
  );

  test.skipIf(!Bun.which("caddy"))(`Caddy takes both of its files${where("caddy")}`, async () => {
    for (const path of ["deploy", "deploy/cluster"])
      await expectClean(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", `${path}/Caddyfile`],
        variables,
      );
  });

  test.skipIf(!Bun.which("systemd-analyze"))(
    `systemd takes the unit and finds it well shut off${where("systemd-analyze")}`,
    async () => {
      const unit = join(folder.path, "hearth.service");
      // The real program is not installed here.
      writeFileSync(unit, textOf("deploy/hearth.service").replace("/opt/hearth/hearth serve", "/bin/true"));
      await expectClean(["systemd-analyze", "verify", "--man=no", unit]);
      await expectClean(["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]);
    },
  );
});

describe("services that can be started here", () => {
  const store = Bun.env.S3_SERVER ?? Bun.which("versitygw");
  test.skipIf(!store)(
    `the store answers its health check${store ? "" : " (skipped: no versitygw here)"}`,
    async () => {
      const { command = [], environment = {}, healthcheck } = many.services.store ?? {};
      const buckets = join(folder.path, "store");
      mkdirSync(buckets);
      const port = await freePort();
      const words = command.map((word) =>
        word === ":7070" ? `127.0.0.1:${port}` : word.replace("/store", buckets),
      );
      const child = spawnServer(environment, [], [`${store}`, ...words]);
      const url = (healthcheck?.test.at(-1) ?? "").replace("7070", String(port));
      await until(async () => (await fetch(url).catch(() => undefined))?.ok === true, "it is not healthy");
      await endProcess(child, "SIGKILL");
    },
  );

  test.skipIf(!Bun.which("redis-server"))(`Redis answers its own${where("redis-server")}`, async () => {
    const { command = [], environment = {}, healthcheck } = many.services.redis ?? {};
    const port = String(await freePort());
    const here = `redis-server - --port ${port} --dir ${folder.path}`;
    const words = command.map((word) => word.replace("redis-server -", here));
    const child = spawnServer({ PATH: `${Bun.env.PATH}`, ...environment }, [], words);
    const [, program = "", ...asked] = healthcheck?.test ?? [];
    const ping = (env: Record<string, string>) =>
      run([program, "-p", port, ...asked], { PATH: `${Bun.env.PATH}`, ...env });
    await until(async () => (await ping(environment)).stdout === "PONG\n", "it does not answer");
    expect((await ping({ REDISCLI_AUTH: "" })).stdout).toStartWith("NOAUTH");
    await endProcess(child, "SIGKILL");
  });
});
