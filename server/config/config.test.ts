// The settings: their defaults, what is read from where, and the sentence for each wrong one.
import { describe, expect, test } from "bun:test";
import { CannotStart } from "../cannot-start.ts";
import { readConfig, settingsInForce } from "./config.ts";
import { settingsTable } from "./settings.ts";

const read = (environment: Record<string, string>, ...argv: string[]) => readConfig(argv, environment);

describe("without settings", () => {
  test("the defaults are those of the contract", () => {
    expect(read({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: undefined,
      dataDir: "./data",
      databaseUrl: undefined,
      trustedProxies: [],
      trustedOrigins: [],
      cookieSecure: false,
      rateLimits: true,
      rates: {
        auth: { perSecond: 5, burst: 10 },
        invites: { perSecond: 2, burst: 5 },
        messages: { perSecond: 10, burst: 20 },
        all: { perSecond: 50, burst: 100 },
      },
      instance: { registration: "open", name: "Hearth", fixed: [] },
      avatarUrl: "https://www.gravatar.com/avatar/",
      logLevel: "info",
    });
  });

  test("a bucket comes with its key, and its region has a default", () => {
    const given = { S3_URL: "https://s3.example/uploads", S3_ACCESS_KEY_ID: "key" };
    expect(() => read(given)).toThrow("S3_SECRET_ACCESS_KEY is missing");
    const config = read({ ...given, S3_SECRET_ACCESS_KEY: "secret of it" });
    expect(config.s3).toEqual({
      url: given.S3_URL,
      region: "us-east-1",
      keyId: "key",
      secret: "secret of it",
    });
    expect(config.secrets).toContain("secret of it");
    for (const S3_URL of ["https://s3.example", "https://key:secret@s3.example/uploads", "s3://uploads"])
      expect(() => read({ ...given, S3_URL })).toThrow("must be the address of a bucket");
  });

  test("an empty setting is as good as none", () => {
    expect(read({ PORT: "", PUBLIC_URL: "", LOG_LEVEL: "" })).toEqual(read({}));
  });
});

describe("a setting", () => {
  test("is read from the environment, or as an argument, which wins", () => {
    expect(read({ PORT: "0" }).port).toBe(0);
    expect(read({}, "--port", "9000", "--data-dir=/srv/hearth")).toMatchObject({
      port: 9000,
      dataDir: "/srv/hearth",
    });
    expect(read({ PORT: "9000" }, "--port", "9001").port).toBe(9001);
  });

  test("of a Redis is for processes on one PostgreSQL", () => {
    const both = { REDIS_URL: "redis://127.0.0.1:6379/", DATABASE_URL: "postgres://db/hearth" };
    expect(read(both).redisUrl).toBe("redis://127.0.0.1:6379");
    expect(() => read({ REDIS_URL: both.REDIS_URL })).toThrow(/REDIS_URL needs DATABASE_URL/);
  });

  test("that is a list takes commas and blanks", () => {
    const { trustedProxies, trustedOrigins } = read({
      TRUSTED_PROXIES: "10.0.0.0/8, ::1 2001:db8::/32",
      TRUSTED_ORIGINS: "https://Chat.Example/,http://localhost:5173",
    });
    expect(trustedProxies).toEqual(["10.0.0.0/8", "::1", "2001:db8::/32"]);
    expect(trustedOrigins).toEqual(["https://chat.example", "http://localhost:5173"]);
  });

  test("of the public URL decides on Secure cookies, unless COOKIE_SECURE does", () => {
    expect(read({ PUBLIC_URL: "https://chat.example/" })).toMatchObject({
      publicUrl: "https://chat.example",
      cookieSecure: true,
    });
    expect(read({ PUBLIC_URL: "http://chat.example" }).cookieSecure).toBe(false);
    expect(read({ PUBLIC_URL: "https://chat.example", COOKIE_SECURE: "off" }).cookieSecure).toBe(false);
    expect(read({ COOKIE_SECURE: "on" }).cookieSecure).toBe(true);
  });

  test("of a rate is per second and burst", () => {
    expect(read({ RATE_AUTH: "1/3" }).rates.auth).toEqual({ perSecond: 1, burst: 3 });
  });

  test("can turn avatars and limits off", () => {
    expect(read({ AVATAR_URL: "off", RATE_LIMITS: "off" })).toMatchObject({
      avatarUrl: undefined,
      rateLimits: false,
    });
  });
});

test("HOST is any address, or the name of a host", () => {
  for (const host of [
    "0.0.0.0",
    "::",
    "::1",
    "fe80::1%eth0",
    "localhost",
    "chat.example",
    "node-1",
    "db_1.lan.",
  ])
    expect(read({ HOST: host }).host).toBe(host);
});

describe("a wrong setting is named in one sentence", () => {
  const wrong: [name: string, ...values: string[]][] = [
    [
      "HOST",
      "999.1.1.1",
      "127.0.0.1:80",
      "[::1]",
      "::zz",
      "http://chat.example",
      "a b",
      "*",
      "256",
      "1.2.3.4.",
    ],
    ["PORT", "eighty", "-1", "65536", "80.5", "1e9", "NaN"],
    ["PUBLIC_URL", "chat.example", "ftp://chat.example", "https://", "javascript:alert(1)"],
    ["PUBLIC_URL", "https://chat.example/chat", "https://chat.example/chat/", "http://localhost:80/a/b"],
    ["REDIS_URL", "redis://localhost/name", "redis://localhost/0?a=1"],
    ["AVATAR_URL", "https://", "http://[", "ftp://a.example"],
    ["PUBLIC_URL", "https://chat.example/?a=1", "https://chat.example/#a", "https://me:pw@chat.example"],
    ["DATABASE_URL", "mysql://localhost/x", "localhost:5432", "postgres:"],
    ["REDIS_URL", "localhost:6379", "http://localhost", "redis:"],
    [
      "TRUSTED_PROXIES",
      "everybody",
      "10.0.0.0/33",
      "10.0.0",
      "::1/129",
      "999.1.1.1",
      "10.0.0.0/8/9",
      "10.0.0.0/",
    ],
    ["TRUSTED_ORIGINS", "*", "chat.example", "https://chat.example/path", "null", "file:///"],
    ["COOKIE_SECURE", "yes", "ON"],
    ["RATE_LIMITS", "true", "none"],
    ["RATE_AUTH", "5", "5/", "fast", "-1/5", "0/10", "5/0"],
    ["REGISTRATION", "maybe"],
    ["INSTANCE_NAME", "  "],
    ["INSTANCE_NAME", "x".repeat(101)],
    ["GIF_PROVIDER", "tenor"],
    ["AVATAR_URL", "gravatar", "javascript:x"],
    ["LOG_LEVEL", "loud", "INFO"],
  ];
  for (const [name, ...values] of wrong) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        expect(() => read({ [name]: value })).toThrow(CannotStart);
        expect(() => read({ [name]: value })).toThrow(new RegExp(`^The setting ${name} [^\n]+\\.$`));
      });
    }
  }

  test("what is one of a few words tells them", () => {
    const told = (environment: Record<string, string>) => {
      try {
        return read(environment);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([
      told({ REGISTRATION: "maybe" }),
      told({ COOKIE_SECURE: "yes" }),
      told({ RATE_LIMITS: "true" }),
      told({ GIF_PROVIDER: "tenor" }),
      told({ LOG_LEVEL: "loud" }),
    ]).toEqual([
      "The setting REGISTRATION must be one of open, invite, closed.",
      "The setting COOKIE_SECURE must be one of auto, on, off.",
      "The setting RATE_LIMITS must be one of on, off.",
      "The setting GIF_PROVIDER must be one of klipy, giphy.",
      "The setting LOG_LEVEL must be one of debug, info, warn, error, silent.",
    ]);
  });

  test("an argument that is no setting, or has no value", () => {
    for (const argv of [["--nothing", "x"], ["port", "80"], ["-p", "80"], ["--port"], ["--__proto__", "x"]]) {
      expect(() => read({}, ...argv)).toThrow(CannotStart);
    }
    expect(() => read({}, "--nothing")).toThrow("--port");
  });

  test("the password of a database address is not in the sentence", () => {
    expect(() => read({ DATABASE_URL: "mysql://hearth:swordfish@db/x" })).not.toThrow(/swordfish/);
  });
});

describe("what is in force, as it is shown", () => {
  const shown = (name: string, environment: Record<string, string>, ...argv: string[]) =>
    settingsInForce(argv, environment).find((setting) => setting.name === name);

  test("a password that breaks the address it stands in is not shown either", () => {
    for (const address of [
      "postgres://hearth:sword#fish@db/chat",
      "postgres://hearth:1#swordfish@db/chat",
      "postgres://hearth:sword/fish@db/chat",
      "postgres://hearth:1/swordfish@db/chat",
      "hearth:swordfish@db/chat",
    ]) {
      expect(shown("DATABASE_URL", { DATABASE_URL: address })?.value).not.toMatch(/sword|fish/);
    }
  });

  test("signs that mean nothing are shown as they are", () => {
    const address = "postgres://50%zz:swordfish@db/chat";
    expect(shown("DATABASE_URL", { DATABASE_URL: address })?.value).toBe("postgres://50%zz:…@db/chat");
  });

  test("an empty argument hides the environment, as it does for the server", () => {
    expect(read({ PORT: "81" }, "--port=").port).toBe(8080);
    expect(shown("PORT", { PORT: "81" }, "--port=")).toEqual({
      name: "PORT",
      value: "8080",
      from: "default",
    });
  });
});

test("the table of settings for the docs has a line for each, with its default", () => {
  const table = settingsTable();
  for (const line of [
    "| `HOST` | `127.0.0.1` |",
    "| `PORT` | `8080` |",
    "| `RATE_LIMITS` | `on` |",
    "| `RATE_AUTH` | `5/10` |",
    "| `TRUSTED_PROXIES` | none |",
    "| `LOG_LEVEL` | `info` |",
  ]) {
    expect(table).toContain(line);
  }
});
