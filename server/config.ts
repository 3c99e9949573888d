// The settings: read once, here and nowhere else, checked by a schema that also prints their documentation.
import { isIP } from "node:net";
import { z } from "zod";
import { CannotStart } from "./database/database.ts";

const list = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .meta({ shown: "a list, separated by commas" });

const onOff = z.enum(["on", "off"]).transform((word) => word === "on");

function address(protocols: RegExp, sentence: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.test(text), sentence)
    .transform((text) => text.replace(/\/+$/, ""));
}

const settings = {
  HOST: {
    schema: z.string().min(1).default("127.0.0.1"),
    meaning: "address it listens on; 0.0.0.0 for every interface",
  },
  PORT: {
    schema: z.coerce
      .number("must be a whole number from 0 to 65535")
      .int("must be a whole number from 0 to 65535")
      .min(0, "must be a whole number from 0 to 65535")
      .max(65535, "must be a whole number from 0 to 65535")
      .default(8080),
    meaning: "port it listens on; 0 picks a free one, printed on the start line",
  },
  PUBLIC_URL: {
    schema: address(/^https?:\/\/[^@?#]+$/, "must be an http or https address without ? and #").optional(),
    meaning: "address people use: invite links, trusted origin (default http://HOST:PORT)",
  },
  DATA_DIR: {
    schema: z.string().min(1).default("./data"),
    meaning: "folder of the embedded database; made when missing, readable by its owner only",
  },
  DATABASE_URL: {
    schema: address(
      /^postgres(ql)?:\/\//,
      "must look like postgres://user:password@host:5432/name",
    ).optional(),
    meaning: "PostgreSQL instead of the embedded SQLite",
  },
  TRUSTED_PROXIES: {
    schema: list
      .refine((each) => each.every(isCidr), "must be a list of addresses or CIDR ranges")
      .default([]),
    meaning: "proxies whose X-Forwarded-For is believed, as addresses or CIDR ranges",
  },
  TRUSTED_ORIGINS: {
    schema: list
      .refine((each) => each.every(isOrigin), "must be a list of origins like https://chat.example")
      .transform((each) => each.map((origin) => new URL(origin).origin))
      .default([]),
    meaning: "further origins whose pages may call",
  },
  COOKIE_SECURE: {
    schema: z.enum(["auto", "on", "off"]).default("auto"),
    meaning: "Secure attribute of the session cookie; auto: on when PUBLIC_URL is https",
  },
  RATE_LIMITS: {
    schema: onOff.default(true),
    meaning: "off for tests and benchmarks only",
  },
  RATE_AUTH: rate("5/10", "authentication calls per second and burst, per client address"),
  RATE_INVITES: rate("2/5", "invite calls per second and burst, per client address"),
  RATE_MESSAGES: rate("10/20", "messages per second and burst, per person"),
  RATE_WEBHOOKS: rate("5/10", "messages per second and burst, per webhook"),
  RATE_SERVER_WEBHOOKS: rate("50/100", "messages per second and burst, of all webhooks of a server together"),
  RATE_ALL: rate("50/100", "calls of any kind per second and burst, per person"),
  REGISTRATION: {
    schema: z.enum(["open", "invite", "closed"]).default("open"),
    meaning: "who may register: anyone, whoever brings a live invite_code, or nobody",
  },
  AVATAR_URL: {
    schema: z
      .string()
      .refine(
        (text) => text === "off" || /^https?:\/\//.test(text),
        "must be an http or https address, or off",
      )
      .default("https://www.gravatar.com/avatar/"),
    meaning: "service that draws avatars from the hash of an e-mail address; off turns it off",
  },
  SMTP_URL: {
    schema: address(/^smtps?:\/\//, "must look like smtp://user:password@host:587").optional(),
    meaning: "mail server that sends links for forgotten passwords",
    secret: true,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .refine(
        (text) => /^[^\r\n<>]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(text),
        "must be an address like Hearth <hearth@example.org>",
      )
      .optional(),
    meaning: "sender of the mails; needed with SMTP_URL",
  },
  GIF_API_KEY: { schema: z.string().min(1).optional(), meaning: "key of the GIF provider", secret: true },
  GIF_PROVIDER: { schema: z.enum(["klipy", "giphy"]).default("klipy"), meaning: "where GIFs come from" },
  GIF_API_URL: {
    schema: address(/^https?:\/\//, "must be an http or https address").optional(),
    meaning: "base address of the GIF provider (default: its own)",
  },
  LIVEKIT_URL: {
    schema: address(/^(wss?|https?):\/\//, "must be a ws, wss, http or https address").optional(),
    meaning: "media server for voice, as browsers reach it; needs the key and the secret",
  },
  LIVEKIT_API_KEY: { schema: z.string().min(1).optional(), meaning: "key of the media server" },
  LIVEKIT_API_SECRET: {
    schema: z.string().min(1).optional(),
    meaning: "secret of the media server",
    secret: true,
  },
  VAPID_SUBJECT: {
    schema: z
      .string()
      .refine((text) => /^(mailto:\S+@\S+|https:\/\/\S+)$/.test(text), "must be a mailto: or https: address")
      .optional(),
    meaning: "contact that push services get to see (default PUBLIC_URL)",
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    meaning: "how much is logged, as JSON lines on standard error",
  },
} satisfies Record<string, { schema: z.ZodType; meaning: string; secret?: true }>;

/** Whoever sets one of these relies on it: better no start than files or limits that are not where they think. */
const laterSettings = ["REDIS_URL", "S3_URL"];

function rate(standard: string, meaning: string) {
  return {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,5}$/, "must be per second and burst, like 5/10")
      .default(standard)
      .transform((text) => {
        const [perSecond = 1, burst = 1] = text.split("/").map(Number);
        return { perSecond, burst };
      }),
    meaning,
  };
}

export interface Rate {
  perSecond: number;
  burst: number;
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  trustedProxies: string[];
  trustedOrigins: string[];
  cookieSecure: boolean;
  rateLimits: boolean;
  rates: Record<"auth" | "invites" | "messages" | "webhooks" | "serverWebhooks" | "all", Rate>;
  registration: "open" | "invite" | "closed";
  avatarUrl: string | undefined;
  mail: { url: string; from: string } | undefined;
  gifs: { provider: "klipy" | "giphy"; key: string; url: string | undefined } | undefined;
  livekit: { url: string; key: string; secret: string } | undefined;
  vapidSubject: string | undefined;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
}

/** Reads `--name value` arguments over environment variables. Throws CannotStart naming the first wrong setting. */
export function readConfig(
  argv: readonly string[] = [],
  environment: Record<string, string | undefined> = process.env,
): Config {
  const given = { ...environment, ...fromArguments(argv) };
  for (const name of laterSettings) {
    if (given[name])
      throw new CannotStart(`The setting ${name} does nothing in this version yet: leave it out.`);
  }
  const known = Object.fromEntries(Object.keys(settings).map((key) => [key, given[key] || undefined]));
  const schema = z.object(
    Object.fromEntries(Object.entries(settings).map(([key, each]) => [key, each.schema])) as {
      [K in keyof typeof settings]: (typeof settings)[K]["schema"];
    },
  );
  const result = schema.safeParse(known);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new CannotStart(
      `The setting ${issue?.path[0]?.toString()} ${issue?.message.replace(/^Invalid/, "is invalid")}.`,
    );
  }
  const read = result.data;
  return {
    host: read.HOST,
    port: read.PORT,
    publicUrl: read.PUBLIC_URL,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    trustedOrigins: read.TRUSTED_ORIGINS,
    cookieSecure:
      read.COOKIE_SECURE === "on" || (read.COOKIE_SECURE === "auto" && /^https:/.test(read.PUBLIC_URL ?? "")),
    rateLimits: read.RATE_LIMITS,
    rates: {
      auth: read.RATE_AUTH,
      invites: read.RATE_INVITES,
      messages: read.RATE_MESSAGES,
      webhooks: read.RATE_WEBHOOKS,
      serverWebhooks: read.RATE_SERVER_WEBHOOKS,
      all: read.RATE_ALL,
    },
    registration: read.REGISTRATION,
    avatarUrl: read.AVATAR_URL === "off" ? undefined : read.AVATAR_URL,
    mail: together({ SMTP_URL: read.SMTP_URL, MAIL_FROM: read.MAIL_FROM }, (url, from) => ({ url, from })),
    gifs: read.GIF_API_KEY
      ? { provider: read.GIF_PROVIDER, key: read.GIF_API_KEY, url: read.GIF_API_URL }
      : undefined,
    livekit: together(
      {
        LIVEKIT_URL: read.LIVEKIT_URL,
        LIVEKIT_API_KEY: read.LIVEKIT_API_KEY,
        LIVEKIT_API_SECRET: read.LIVEKIT_API_SECRET,
      },
      (url, key, secret) => ({ url, key, secret }),
    ),
    vapidSubject: read.VAPID_SUBJECT,
    logLevel: read.LOG_LEVEL,
  };
}

/** Settings that make sense only all together, or not at all. Throws CannotStart naming the first that is missing. */
function together<T>(
  parts: Record<string, string | undefined>,
  make: (...values: string[]) => T,
): T | undefined {
  const values = Object.values(parts).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  const missing = Object.keys(parts).find((name) => parts[name] === undefined);
  if (missing) {
    const given = Object.keys(parts).filter((name) => parts[name] !== undefined);
    throw new CannotStart(`The setting ${missing} is missing: ${given.join(" and ")} needs it.`);
  }
  return make(...values);
}

/** The table of settings for the docs: name, default, meaning. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(([key, each]) => {
    const parsed =
      key.startsWith("RATE_") && key !== "RATE_LIMITS" ? undefined : each.schema.safeParse(undefined).data;
    const standard = key === "RATE_LIMITS" ? "on" : (parsed ?? defaultOf(each.schema));
    return `| \`${key}\` | ${show(standard)} | ${each.meaning} |`;
  });
  return ["| name | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

function defaultOf(schema: z.ZodType): unknown {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return json.default;
}

function show(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  return `\`${String(value)}\``;
}

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.entries(settings).map(
    ([key, each]) => `  ${key.padEnd(16)} ${asArgument(key).padEnd(18)} ${each.meaning}`,
  );
  return ["Starts Hearth. Settings, as environment variables or arguments:", ...lines].join("\n");
}

function fromArguments(argv: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    const [, name, inline] = /^--([a-z][a-z-]*)(?:=(.*))?$/.exec(argv[i] ?? "") ?? [];
    const key = name?.replaceAll("-", "_").toUpperCase();
    if (!key || !(key in settings)) {
      throw new CannotStart(
        `There is no setting ${argv[i]}. Settings are: ${Object.keys(settings).map(asArgument).join(", ")}.`,
      );
    }
    const value = inline ?? argv[++i];
    if (value === undefined) throw new CannotStart(`The setting ${argv[i - 1]} needs a value.`);
    given[key] = value;
  }
  return given;
}

function asArgument(key: string): string {
  return `--${key.toLowerCase().replaceAll("_", "-")}`;
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/]+\/?$/i.test(text) && URL.canParse(text);
}

function isCidr(text: string): boolean {
  const [base = "", bits, more] = text.split("/");
  const family = isIP(base);
  if (family === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

export interface SettingInForce {
  name: string;
  /** As it was given, or the default; passwords and keys are left out. */
  value: string;
  from: "argument" | "environment" | "default";
}

/** Every setting as readConfig would take it, right or wrong, without anything secret. */
export function settingsInForce(
  argv: readonly string[] = [],
  environment: Record<string, string | undefined> = process.env,
): SettingInForce[] {
  const fromArgv = fromArguments(argv);
  return Object.entries(settings).map(([name, each]) => {
    const given = fromArgv[name] || environment[name];
    const isSecret = "secret" in each;
    if (!given) {
      const standard = name === "RATE_LIMITS" ? "on" : defaultOf(each.schema);
      return { name, value: String(standard ?? "none"), from: "default" };
    }
    const value = URL.canParse(given) ? withoutPasswords(given, isSecret) : isSecret ? "(hidden)" : given;
    return { name, value, from: fromArgv[name] ? "argument" : "environment" };
  });
}

/** What an address may show of itself; of a secret one only where it leads. */
function withoutPasswords(text: string, isSecret: boolean): string {
  const url = new URL(text);
  if (isSecret)
    return url.host === "" ? "(hidden)" : `${url.protocol}//${url.username ? "…@" : ""}${url.host}`;
  if (url.password === "" && url.search === "") return text;
  if (url.password !== "") url.password = "…";
  if (url.search !== "") url.search = "?…";
  return decodeURI(url.href);
}
