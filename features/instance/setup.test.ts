// The first run: which registration makes the owner of an instance, where others could come first.
import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { makeHouse, onEachEngine, setupCodeIn, type TestHouse } from "../../tests/house/open/engines.ts";
import { type Answer, type Loose, send } from "../../tests/house/people/people.ts";
import { endSooner } from "../../tests/house/scenes/short-lived.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import { keepCodes } from "./setup.ts";

let made = 0;

function register(house: TestHouse, setup_code?: unknown, headers: Record<string, string> = {}) {
  const username = `early_${++made}`;
  const email = `${username}@people.example`;
  const body = { username, email, display_name: "Early", password: "correct horse battery" };
  const whole = setup_code === undefined ? body : { ...body, setup_code };
  return send<{ id: string; error: string }>(house, undefined, "POST", "/auth/register", whole, headers);
}

const setup = async (house: TestHouse, headers: Record<string, string> = {}) =>
  String(
    (await send<Record<string, Loose>>(house, undefined, "GET", "/instance", undefined, headers)).body.setup,
  );

async function roleOf(house: TestHouse, { headers }: Answer<unknown>): Promise<string> {
  const me = await send(house, headers.get("x-session-token") ?? "", "GET", "/auth/me");
  return String(me.body.instance_role);
}

const accounts = async (house: TestHouse) =>
  (await house.running.house.database.read.selectFrom("users").select("id").execute()).length;

describe("whether a code is needed", () => {
  let house: TestHouse | undefined;
  afterEach(async () => {
    await house?.end();
    house = undefined;
  });

  const cases: [settings: Record<string, string>, setup: "open" | "code"][] = [
    [{}, "open"],
    [{ HOST: "localhost" }, "open"],
    [{ HOST: "127.0.0.9" }, "open"],
    [{ HOST: "::1" }, "open"],
    [{ HOST: "0.0.0.0" }, "code"],
    [{ HOST: "::" }, "code"],
    [{ PUBLIC_URL: "http://localhost:8080" }, "open"],
    [{ PUBLIC_URL: "https://chat.localhost" }, "open"],
    [{ PUBLIC_URL: "http://127.0.0.1:8080" }, "open"],
    [{ PUBLIC_URL: "http://[::1]:8080" }, "open"],
    [{ PUBLIC_URL: "https://chat.example" }, "code"],
    [{ PUBLIC_URL: "https://localhost.example" }, "code"],
    [{ PUBLIC_URL: "https://notlocalhost" }, "code"],
    [{ PUBLIC_URL: "http://192.0.2.7:8080" }, "code"],
    [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:8080" }, "code"],
  ];
  test.each(cases.map((each) => [JSON.stringify(each[0]), ...each] as const))(
    "%s",
    async (_, settings, expected) => {
      house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
      await house.open();
      expect(await setup(house)).toBe(expected);
      expect(house.setupCode !== undefined).toBe(expected === "code");
      expect(verdict(await register(house))).toBe(expected === "open" ? "201" : "403 registration_closed");
      if (expected === "code") expect(verdict(await register(house, house.setupCode))).toBe("201");
      expect(await setup(house)).toBe("done");
      expect(verdict(await register(house, "not needed any more"))).toBe("201");
    },
  );

  test("the operator prints one for those whom a proxy on this machine brings", async () => {
    house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
    await house.open();
    const handedOn = { "X-Forwarded-For": "192.168.1.77" };
    expect(verdict(await register(house, undefined, handedOn))).toBe("403 registration_closed");
    const code = setupCodeIn((await house.command(["setup-code"])).lines.join("\n"));
    expect(await roleOf(house, await register(house, code, handedOn))).toBe("owner");
  });

  test.each(["closed", "invite"])("the first is let in by it also where registration is %s", async (word) => {
    house = await makeHouse("SQLite", { HOST: "0.0.0.0", LOG_LEVEL: "silent", REGISTRATION: word });
    await house.open();
    expect(verdict(await register(house))).toBe("403 registration_closed");
    expect(await roleOf(house, await register(house, house.setupCode))).toBe("owner");
    expect(verdict(await register(house, house.setupCode))).toBe("403 registration_closed");
  });
});

onEachEngine(
  "the set-up code",
  (house) => {
    const another = async () => {
      const { ok, lines } = await house().command(["setup-code"]);
      return { ok, said: lines.join("\n"), code: setupCodeIn(lines.join("\n")) };
    };

    test("is eighty random bits that are easy to read, and typed as one likes", async () => {
      const code = house().setupCode ?? "";
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      const wrong = [
        undefined,
        "",
        "x",
        code.slice(1),
        `${code}0`,
        `${code}-${code}`,
        code.replace(/.$/, (sign) => (sign === "7" ? "8" : "7")),
      ];
      for (const each of wrong)
        expect([each, verdict(await register(house(), each))]).toEqual([each, "403 registration_closed"]);
      for (const shape of [7, null, ["x"], "x".repeat(65)])
        expect(verdict(await register(house(), shape))).toBe("400 invalid_request");
      expect(await accounts(house())).toBe(0);
      expect(await setup(house())).toBe("code");
    });

    test("is new at each start, and another one of the operator's replaces it", async () => {
      const first = house().setupCode;
      await house().restart();
      const second = house().setupCode;
      expect(second).not.toBe(first);
      expect(verdict(await register(house(), first))).toBe("403 registration_closed");
      const third = await another();
      expect(third).toMatchObject({ ok: true, said: `Set-up code: ${third.code}` });
      for (const old of [first, second])
        expect(verdict(await register(house(), old))).toBe("403 registration_closed");
      const kept = await house().running.house.database.read.selectFrom("instance").selectAll().execute();
      for (const code of [first, second, third.code]) expect(JSON.stringify(kept)).not.toContain(code ?? "?");
      expect(await accounts(house())).toBe(0);
    });

    test("of many who bring it at once exactly one owns the instance, however they type it", async () => {
      const code = (await another()).code ?? "";
      const typed = [code, code.toLowerCase(), code.replaceAll("-", " "), ` ${code.replaceAll("1", "l")} `];
      const codes = [...typed, ...typed, ...typed, undefined, undefined, "wrong"];
      const answers = await Promise.all(codes.map((each) => register(house(), each)));
      const admitted = answers.filter(({ status }) => status === 201);
      const roles = await Promise.all(admitted.map((each) => roleOf(house(), each)));
      expect(roles.filter((role) => role === "owner")).toHaveLength(1);
      expect(verdicts(answers).slice(0, 12)).toEqual(Array(12).fill("201"));
      const kept = house().running.house.database.read.selectFrom("users").select("instance_role");
      const stored = await kept.where("instance_role", "=", "owner").execute();
      expect(stored).toHaveLength(1);
    });

    test("is nothing any more once there is an owner, after a restart too", async () => {
      expect(await setup(house())).toBe("done");
      expect(await another()).toMatchObject({ ok: false, said: expect.stringContaining("has its owner") });
      await house().restart();
      expect([await setup(house()), house().setupCode]).toEqual(["done", undefined]);
      expect(verdict(await register(house()))).toBe("201");
    });
  },
  { HOST: "0.0.0.0", LOG_LEVEL: "silent" },
);

onEachEngine(
  "the set-up code of a server that runs for long",
  (house) => {
    afterEach(() => void setSystemTime());

    test("goes on counting while its process runs; one that was replaced does not come back", async () => {
      await house().stopJobs();
      const replaced = house().all.map(({ greeting }) => setupCodeIn(greeting.join("\n")));
      const code = setupCodeIn((await house().command(["setup-code"])).lines.join("\n"));
      const start = Date.now();
      for (let turn = 1; turn <= 3; turn++) {
        setSystemTime(start + turn * 9 * 60_000);
        await endSooner(house(), 9 * 60_000);
        for (const running of house().all) await keepCodes.run(running.house);
      }
      for (const each of replaced)
        expect(verdict(await register(house(), each ?? "none"))).toBe("403 registration_closed");
      expect(await roleOf(house(), await register(house(), code))).toBe("owner");
    });
  },
  { HOST: "0.0.0.0", LOG_LEVEL: "silent" },
);

onEachEngine("a house that nobody can come to from elsewhere", (house) => {
  const elsewhere: Record<string, string>[] = [
    // Host names that resolve to this machine or belong to a proxy, and headers that a proxy on this machine adds.
    { Host: "nas.local:8080" },
    { Host: "192.168.1.5" },
    { Host: "localhost.example" },
    { "X-Forwarded-For": "192.168.1.77" },
    { "X-Forwarded-Host": "nas.local" },
    { Forwarded: "for=192.168.1.77" },
    { Via: "1.1 proxy" },
  ];

  test("needs a code from those whom a proxy or a name brings here all the same", async () => {
    for (const headers of elsewhere) {
      expect([headers, await setup(house(), headers)]).toEqual([headers, "code"]);
      expect([headers, verdict(await register(house(), undefined, headers))]).toEqual([
        headers,
        "403 registration_closed",
      ]);
    }
    expect(await setup(house(), { Host: "chat.localhost:8080" })).toBe("open");
    expect(await setup(house())).toBe("open");
  });

  test("of many who register first exactly one owns it, where registration is closed the others are refused", async () => {
    house().settings.REGISTRATION = "closed";
    await house().restart();
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(house())));
    const [owner, ...others] = answers.filter(({ status }) => status === 201);
    expect(others).toEqual([]);
    expect(await roleOf(house(), owner as Answer<unknown>)).toBe("owner");
    expect(verdicts(answers).filter((each) => each !== "201")).toEqual(
      Array(11).fill("403 registration_closed"),
    );
    expect(await accounts(house())).toBe(1);
  });
});

test("guesses are counted with the authentication calls of an address", async () => {
  const house = await makeHouse("SQLite", {
    HOST: "0.0.0.0",
    LOG_LEVEL: "silent",
    RATE_LIMITS: "on",
    RATE_AUTH: "1/5",
  });
  await house.open();
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(house, "AAAA-AAAA-AAAA-AAAA")));
  const looked = verdicts(answers).filter((each) => each === "403 registration_closed").length;
  // One token per second comes back meanwhile.
  expect(looked).toBeWithin(5, 6 + (performance.now() - begun) / 1000);
  expect(verdicts(answers).filter((each) => each === "429 rate_limited")).toHaveLength(20 - looked);
  await house.end();
});
