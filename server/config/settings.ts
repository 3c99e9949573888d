// All settings: the values that each may have, its default, and its meaning.
import { isIP } from "node:net";
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { name } from "../../protocol/shapes.ts";
import { aligned } from "./aligned.ts";
import { rate } from "./rate.ts";

const list = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .meta({ shown: "a list, separated by commas" });

function address(protocols: RegExp, sentence: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.test(text), sentence)
    .transform((text) => text.replace(/\/+$/, ""));
}

const mebibytes = "must be a whole number from 1 to 65536";
const picturesRange = "must be a whole number from 0 to 1048576";
const hoursRange = "must be a whole number of hours from 1 to 8760";
const keepRange = "must be a whole number from 1 to 10000";
const portRange = "must be a whole number from 0 to 65535";

export const settings = {
  HOST: {
    schema: z
      .string()
      .refine(isAddressOrName, "must be an address like 127.0.0.1 or ::, or the name of a host")
      .default("127.0.0.1"),
    meaning: "address it listens on; 0.0.0.0 for every interface",
  },
  PORT: {
    schema: z.coerce.number(portRange).int(portRange).min(0, portRange).max(65535, portRange).default(8080),
    meaning: "port it listens on; 0 picks a free one, printed on the start line",
  },
  PUBLIC_URL: {
    schema: address(
      /^https?:\/\/[^@?#/]+\/*$/,
      "must be an http or https address without a path, ? and #: Hearth needs a host of its own, like https://chat.example.org",
    ).optional(),
    meaning:
      "address people use: links, trusted origin (while it is not set: http://HOST:PORT, and addresses of a home)",
  },
  DATA_DIR: {
    schema: z.string().min(1).default("./data"),
    meaning: "folder of the embedded database and of uploads; made when missing, readable by its owner only",
  },
  DATABASE_URL: {
    schema: address(
      /^postgres(ql)?:\/\//,
      "must look like postgres://user:password@host:5432/name",
    ).optional(),
    meaning: "PostgreSQL instead of the embedded SQLite",
  },
  DATABASE_REPLICA_URL: {
    schema: address(
      /^postgres(ql)?:\/\//,
      "must look like postgres://user:password@host:5432/name",
    ).optional(),
    meaning: "replica of that PostgreSQL, which serves old pages of channels while it is near",
  },
  REDIS_URL: {
    schema: address(
      /^rediss?:\/\/[^/?#]*(\/\d*)?$/,
      "must look like redis://user:password@host:6379, and may end with the number of a database",
    ).optional(),
    meaning: "Redis, through which several processes on one PostgreSQL hear each other",
  },
  S3_URL: {
    schema: address(
      /^https?:\/\/[^@?#/]+\/[^@?#/]+[^@?#]*$/,
      "must be the address of a bucket, like https://s3.example.org/bucket",
    ).optional(),
    meaning: "bucket of an S3-compatible store for uploads, instead of DATA_DIR; needs the two keys",
  },
  S3_ACCESS_KEY_ID: {
    schema: z.string().optional(),
    meaning: "name of the key to the bucket",
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string().optional(),
    meaning: "secret of the key to the bucket",
    secret: true,
  },
  S3_REGION: {
    schema: z
      .string()
      .regex(/^[\w-]{1,64}$/, "must be the name of a region, like eu-central-1")
      .default("us-east-1"),
    meaning: "region of the bucket, as the store calls it",
  },
  BACKUP_PASSPHRASE_FILE: {
    schema: z.string().min(1).optional(),
    meaning: "file whose first line is the passphrase that hearth backup encrypts to",
  },
  BACKUP_DIR: {
    schema: z.string().min(1).optional(),
    meaning: "folder, best on another disk, in which a running Hearth keeps backups that it makes by itself",
  },
  BACKUP_EVERY: {
    schema: z.coerce.number(hoursRange).int(hoursRange).min(1, hoursRange).max(8760, hoursRange).default(24),
    meaning: "hours from one of these backups to the next",
  },
  BACKUP_KEEP: {
    schema: z.coerce.number(keepRange).int(keepRange).min(1, keepRange).max(10000, keepRange).default(14),
    meaning: "how many of these backups are kept; the oldest go first",
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
    schema: z
      .enum(["on", "off"])
      .default("on")
      .transform((word) => word === "on"),
    meaning: "off for tests and benchmarks only",
  },
  RATE_AUTH: rate("5/10", "authentication calls per second and burst, per client address"),
  RATE_INVITES: rate("2/5", "invite calls per second and burst, per client address"),
  RATE_MESSAGES: rate("10/20", "messages per second and burst, per person"),
  RATE_DIRECT: rate("1/10", "people begun to be written to per second and burst, per person"),
  RATE_CALLS: rate("0.2/3", "times that people of conversations are rung, per second and burst, per person"),
  RATE_AVATARS: rate(
    "0.034/5",
    "pictures of people, bots and servers put up per second and burst, per person",
  ),
  RATE_WEBHOOKS: rate("5/10", "messages per second and burst, per webhook"),
  RATE_SERVER_WEBHOOKS: rate("50/100", "messages per second and burst, of all webhooks of a server together"),
  RATE_STRANGERS: rate(
    "50/200",
    "calls per second and burst, per client address, of whoever is not known: each counts until it turns out who calls",
  ),
  RATE_RIGHTS: rate(
    "2/30",
    "changes of what many may do (roles) per second and burst, per server; per person five times that",
  ),
  RATE_ALL: rate(
    "50/100",
    "calls of any kind per second and burst, per person; a dear one counts as up to 20, or as one if it is refused, and a list as one more for each 128 KiB of its answer",
  ),
  BACKLOG_MIB: {
    schema: z.coerce.number(mebibytes).int(mebibytes).min(1, mebibytes).max(65536, mebibytes).default(256),
    meaning:
      "MiB of memory for what slow readers of sockets leave waiting, all together, and a quarter of it for large HTTP answers; the fullest are closed first",
  },
  PICTURES_MIB: {
    schema: z.coerce
      .number(picturesRange)
      .int(picturesRange)
      .min(0, picturesRange)
      .max(1048576, picturesRange)
      .default(1024),
    meaning: "MiB of DATA_DIR/pictures, where pictures of other hosts are kept for a day; 0 keeps none",
  },
  REGISTRATION: {
    schema: z.enum(["open", "invite", "closed"]).default("open"),
    meaning:
      "who may register: anyone, whoever brings a live invite_code, or nobody; while it is not set, admins of the instance choose",
  },
  INSTANCE_NAME: {
    schema: name(limits.instance_name_max).default("Hearth"),
    meaning: "name of this instance, as people see it; while it is not set, admins of the instance choose",
  },
  AVATAR_URL: {
    schema: z
      .string()
      .refine(
        (text) => text === "off" || (/^https?:\/\//.test(text) && URL.canParse(text)),
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
  METRICS: {
    schema: z.enum(["local", "open"]).default("local"),
    meaning: "who may read /metrics without a token: programs on this machine (local) or anybody (open)",
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/, "must be at most 256 visible characters, without blanks")
      .optional(),
    meaning: "token with which others may read /metrics, as Authorization: Bearer TOKEN",
    secret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    meaning: "how much is logged, as JSON lines on standard error",
  },
} satisfies Record<string, { schema: z.ZodType; meaning: string; secret?: true }>;

// A host whose last label is a number is a mistyped IP address.
function isAddressOrName(text: string): boolean {
  return isIP(text) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(text) && !/(^|\.)\d+\.?$/.test(text));
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

/** The default as it would be typed; undefined without one. */
export function defaultOf(schema: z.ZodType): string | undefined {
  const { default: standard } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return standard === undefined || String(standard) === "" ? undefined : String(standard);
}

/** The table of settings for the docs: name, default, meaning. */
export function settingsTable(): string {
  const rows = Object.entries(settings).map(([key, { schema, meaning }]) => {
    const standard = defaultOf(schema);
    return `| \`${key}\` | ${standard === undefined ? "none" : `\`${standard}\``} | ${meaning} |`;
  });
  return ["| name | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The text that `--help` prints. */
export function helpText(): string {
  const rows = Object.entries(settings).map(([key, each]) => [`  ${key}`, asArgument(key), each.meaning]);
  return ["Starts Hearth. Settings, as environment variables or arguments:", ...aligned(rows)].join("\n");
}

export function asArgument(key: string): string {
  return `--${key.toLowerCase().replaceAll("_", "-")}`;
}
