// The settings: their defaults, their sources, and the sentence for each wrong one.
import { describe, expect, test } from "bun:test";
import { CannotStart } from "../cannot-start.ts";
import { readConfig, settingsInForce } from "./config.ts";
import { asArgument, settings, settingsTable } from "./settings.ts";

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
        webhooks: { perSecond: 5, burst: 10 },
        serverWebhooks: { perSecond: 50, burst: 100 },
        strangers: { perSecond: 50, burst: 200 },
        rights: { perSecond: 2, burst: 30 },
        all: { perSecond: 50, burst: 100 },
      },
      backlogBytes: 256 * 1024 * 1024,
      picturesBytes: 1024 * 1024 * 1024,
      ...{ redisUrl: undefined, s3: undefined, backups: undefined, mail: undefined, gifs: undefined },
      ...{ livekit: undefined, vapidSubject: undefined, metrics: { areOpen: false, token: undefined } },
      secrets: [],
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
    // A child process with the same settings is given those in force, and all other variables.
    const { environment } = read({ PORT: "9000", HOST: "::1", TZ: "UTC", LOG_LEVEL: "" }, "--port", "9001");
    expect(environment).toEqual({ PORT: "9001", HOST: "::1", TZ: "UTC" });
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

  test("of a rate is per second and burst, and is for what its name says", () => {
    const names = {
      ...{ AUTH: "auth", INVITES: "invites", MESSAGES: "messages", WEBHOOKS: "webhooks", RIGHTS: "rights" },
      ...{ SERVER_WEBHOOKS: "serverWebhooks", STRANGERS: "strangers", DIRECT: "direct", CALLS: "calls" },
      ...{ AVATARS: "avatars", ALL: "all" },
    };
    const before = read({}).rates;
    for (const [setting, name] of Object.entries(names))
      expect(read({ [`RATE_${setting}`]: "1/3" }).rates).toEqual({
        ...before,
        [name]: { perSecond: 1, burst: 3 },
      });
    expect(before.calls).toEqual({ perSecond: 0.2, burst: 3 });
    expect(before.avatars).toEqual({ perSecond: 0.034, burst: 5 });
    for (const wrong of ["0/3", "0.0/3", "0.000/3", "0.0254/3", ".5/3", "1.5/3", "1/0", "1/0.5", "1"])
      expect(() => read({ RATE_CALLS: wrong })).toThrow("must be per second and burst");
  });

  test("of a size is in MiB, and that of backups in hours", () => {
    const { backlogBytes, picturesBytes } = read({ BACKLOG_MIB: "1", PICTURES_MIB: "3" });
    expect([backlogBytes, picturesBytes]).toEqual([2 ** 20, 3 * 2 ** 20]);
    expect(read({ PICTURES_MIB: "0" }).picturesBytes).toBe(0);
    const hourMs = 3600_000;
    const { backups } = read({ BACKUP_DIR: "/srv/backups" });
    expect(backups).toEqual({ folder: "/srv/backups", everyMs: 24 * hourMs, keep: 14 });
    const often = read({ BACKUP_DIR: "/b", BACKUP_EVERY: "1", BACKUP_KEEP: "2" });
    expect(often.backups).toEqual({ folder: "/b", everyMs: hourMs, keep: 2 });
    expect(read({ BACKUP_EVERY: "1" }).backups).toBeUndefined();
  });

  test("that makes sense with others only names the one that is missing", () => {
    const smtp = { SMTP_URL: "smtp://mail.example:587", MAIL_FROM: "Hearth <hearth@example.org>" };
    expect(read(smtp).mail).toEqual({ url: smtp.SMTP_URL, from: smtp.MAIL_FROM });
    expect(() => read({ SMTP_URL: smtp.SMTP_URL })).toThrow("MAIL_FROM is missing: SMTP_URL needs it");
    expect(() => read({ MAIL_FROM: smtp.MAIL_FROM })).toThrow("SMTP_URL is missing: MAIL_FROM needs it");
    const voice = { LIVEKIT_URL: "wss://voice.example", LIVEKIT_API_KEY: "key", LIVEKIT_API_SECRET: "word" };
    expect(read(voice).livekit).toEqual({ url: "wss://voice.example", key: "key", secret: "word" });
    for (const missing of Object.keys(voice))
      expect(() => read({ ...voice, [missing]: "" })).toThrow(`The setting ${missing} is missing`);
    const DATABASE_REPLICA_URL = "postgres://replica/hearth";
    expect(() => read({ DATABASE_REPLICA_URL })).toThrow("DATABASE_REPLICA_URL needs DATABASE_URL");
    const { databaseUrl, databaseReplicaUrl } = read({
      ...{ DATABASE_REPLICA_URL, DATABASE_URL: "postgres://db/hearth" },
    });
    expect([databaseUrl, databaseReplicaUrl]).toEqual(["postgres://db/hearth", DATABASE_REPLICA_URL]);
  });

  test("of GIFs, of metrics and of the instance is taken as it is given", () => {
    const { gifs } = read({ GIF_API_KEY: "key", GIF_PROVIDER: "giphy", GIF_API_URL: "http://gifs/" });
    expect(gifs).toEqual({ provider: "giphy", key: "key", url: "http://gifs" });
    expect(read({ GIF_PROVIDER: "giphy" }).gifs).toBeUndefined();
    const { metrics } = read({ METRICS: "open", METRICS_TOKEN: "seen" });
    expect(metrics).toEqual({ areOpen: true, token: "seen" });
    expect(read({ VAPID_SUBJECT: "mailto:a@example.org" }).vapidSubject).toBe("mailto:a@example.org");
    const instance = { registration: "open", name: "Hearth", fixed: [] };
    expect(read({ REGISTRATION: "invite" }).instance as unknown).toEqual({
      ...{ ...instance, registration: "invite", fixed: ["registration"] },
    });
    expect(read({ INSTANCE_NAME: " The Fire Side " }).instance as unknown).toEqual({
      ...{ ...instance, name: "The Fire Side", fixed: ["name"] },
    });
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
    ["DATABASE_REPLICA_URL", "mysql://localhost/x", "localhost"],
    ["S3_REGION", "eu central", "x".repeat(65), "eu/central"],
    ["BACKUP_EVERY", "0", "8761", "1.5", "daily"],
    ["BACKUP_KEEP", "0", "10001", "2.5", "all"],
    ["BACKLOG_MIB", "0", "65537", "1.5", "lots"],
    ["PICTURES_MIB", "-1", "1048577", "0.5", "none"],
    ["RATE_ALL", "1000000/1", "1/1000000", "1.5/2", "05/1", "5/10/20"],
    ["SMTP_URL", "mail.example:587", "http://mail.example"],
    ["MAIL_FROM", "Hearth", "hearth@", "A\r\nBcc: b@example.org <a@example.org>", "<a@b> c"],
    ["GIF_API_URL", "gifs.example", "ftp://gifs.example"],
    ["LIVEKIT_URL", "voice.example", "ftp://voice.example"],
    ["VAPID_SUBJECT", "admin@example.org", "http://chat.example", "mailto:nobody"],
    ["METRICS", "closed", "on"],
    ["METRICS_TOKEN", "two words", "x".repeat(257), "naïve"],
  ];
  for (const [name, ...values] of wrong) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        expect(() => read({ [name]: value })).toThrow(CannotStart);
        expect(() => read({ [name]: value })).toThrow(new RegExp(`^The setting ${name} [^\n]+\\.$`));
      });
    }
  }

  test("the largest and the smallest that are right are taken", () => {
    for (const right of [
      { PORT: "65535", BACKUP_EVERY: "8760", BACKUP_KEEP: "10000" },
      { BACKUP_EVERY: "1", BACKUP_KEEP: "1", BACKLOG_MIB: "1" },
      { BACKLOG_MIB: "65536", PICTURES_MIB: "1048576" },
      { RATE_ALL: "999999/999999", S3_REGION: "x".repeat(64), METRICS_TOKEN: "x".repeat(256) },
      { TRUSTED_PROXIES: "10.0.0.0/32, ::1/128, 0.0.0.0/0", INSTANCE_NAME: "x".repeat(100) },
    ] as Record<string, string>[])
      expect(() => read(right)).not.toThrow();
  });

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
    // The value may be a secret.
    expect(() => read({}, "--s3-secret=swordfish")).toThrow("There is no setting --s3-secret. Settings");
  });

  test("every setting that there is can be an argument, by the name that the help tells", () => {
    for (const name of Object.keys(settings)) {
      const given = settingsInForce([asArgument(name), "7"], {}).filter(({ from }) => from === "argument");
      expect(given.map((each) => each.name)).toEqual([name]);
    }
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

  const secret = "swordfish-of-the-test";
  const given: Record<string, [value: string, asShown: string]> = {
    DATABASE_URL: [`postgres://me:${secret}@db/chat?key=${secret}`, "postgres://me:…@db/chat?…"],
    DATABASE_REPLICA_URL: [`postgres://me:${secret}@replica/chat`, "postgres://me:…@replica/chat"],
    REDIS_URL: [`redis://:${secret}@redis:6379`, "redis://:…@redis:6379"],
    S3_SECRET_ACCESS_KEY: [secret, "(hidden)"],
    SMTP_URL: [`smtp://me:${secret}@mail.example:587`, "smtp://…@mail.example:587"],
    GIF_API_KEY: [secret, "(hidden)"],
    LIVEKIT_API_SECRET: [`${secret}:with-a-colon`, "(hidden)"],
    METRICS_TOKEN: [secret, "(hidden)"],
  };
  const others = {
    ...{ DATABASE_URL: "postgres://db/chat", S3_URL: "https://s3.example/uploads", S3_ACCESS_KEY_ID: "a" },
    ...{ S3_SECRET_ACCESS_KEY: "b", SMTP_URL: "smtp://mail.example", MAIL_FROM: "a@example.org" },
    ...{ LIVEKIT_URL: "wss://voice.example", LIVEKIT_API_KEY: "a", LIVEKIT_API_SECRET: "b" },
  };

  for (const [name, [value, asShown]] of Object.entries(given))
    test(`${name} is shown without what is secret in it, and the log blanks that`, () => {
      expect(shown(name, { [name]: value })).toEqual({ name, value: asShown, from: "environment" });
      const argument = `--${name.toLowerCase().replaceAll("_", "-")}=${value}`;
      expect(shown(name, {}, argument)).toEqual({ name, value: asShown, from: "argument" });
      const { secrets } = read({ ...others, [name]: value });
      expect(secrets.some((each) => each.startsWith(secret))).toBe(true);
    });

  test("what is no secret is shown as it was given", () => {
    for (const [name, value] of [
      ["PUBLIC_URL", "https://chat.example"],
      ["VAPID_SUBJECT", "mailto:admin@example.org"],
      ["MAIL_FROM", "Hearth <hearth@example.org>"],
      ["S3_ACCESS_KEY_ID", "name-of-the-key"],
    ] as const)
      expect(shown(name, { [name]: value })?.value).toBe(value);
    expect(shown("GIF_API_KEY", {})).toEqual({ name: "GIF_API_KEY", value: "none", from: "default" });
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
