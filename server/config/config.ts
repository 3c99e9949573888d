// Reads the settings, and is the only place that does; each is checked by the schema that declares it.
import { z } from "zod";
import { CannotStart } from "../cannot-start.ts";
import { secretsIn } from "../secrets.ts";
import type { Rate } from "./rate.ts";
import { asArgument, defaultOf, settings } from "./settings.ts";

/** Settings that admins of the instance can change while the server runs, unless the operator has set them. */
export interface InstanceSettings {
  registration: "open" | "invite" | "closed";
  name: string;
}

/** The operator's settings that fix them. */
export const instanceSettings = { registration: "REGISTRATION", name: "INSTANCE_NAME" } as const;

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  /** Address of the service with the bucket, and optionally a folder in it. */
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

export interface Config {
  host: string;
  port: number;
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  databaseReplicaUrl: string | undefined;
  redisUrl: string | undefined;
  s3: S3Settings | undefined;
  backupPassphraseFile: string | undefined;
  /** The schedule of automatic backups. */
  backups: { folder: string; everyMs: number; keep: number } | undefined;
  trustedProxies: string[];
  trustedOrigins: string[];
  cookieSecure: boolean;
  rateLimits: boolean;
  rates: Record<
    | "auth"
    | "invites"
    | "messages"
    | "direct"
    | "calls"
    | "avatars"
    | "webhooks"
    | "serverWebhooks"
    | "strangers"
    | "rights"
    | "all",
    Rate
  >;
  /** Limit of the bytes buffered for slow readers, all sockets and answers together. */
  backlogBytes: number;
  /** Disk space for cached pictures of other hosts, in bytes. */
  picturesBytes: number;
  instance: InstanceSettings & {
    /** The fields given as settings, which cannot be changed while the server runs. */
    fixed: readonly (keyof InstanceSettings)[];
  };
  avatarUrl: string | undefined;
  mail: { url: string; from: string } | undefined;
  gifs: { provider: "klipy" | "giphy"; key: string; url: string | undefined } | undefined;
  livekit: { url: string; key: string; secret: string } | undefined;
  vapidSubject: string | undefined;
  metrics: { areOpen: boolean; token: string | undefined };
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** The environment of a child process with the same settings. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Passwords, keys and secrets among the settings, which the log must redact. */
  secrets: string[];
}

/** Reads `--name value` arguments over environment variables. Throws CannotStart naming the first wrong setting. */
export function readConfig(
  argv: readonly string[] = [],
  environment: Record<string, string | undefined> = process.env,
): Config {
  const given = { ...environment, ...fromArguments(argv) };
  const known = Object.fromEntries(Object.keys(settings).map((key) => [key, given[key] || undefined]));
  const schema = z.object(
    Object.fromEntries(Object.entries(settings).map(([key, each]) => [key, each.schema])) as {
      [K in keyof typeof settings]: (typeof settings)[K]["schema"];
    },
  );
  const result = schema.safeParse(known);
  if (!result.success) {
    const [issue] = result.error.issues;
    const says =
      issue?.code === "invalid_value" ? `must be one of ${issue.values.join(", ")}` : issue?.message;
    throw new CannotStart(`The setting ${issue?.path[0]?.toString()} ${says}.`);
  }
  const read = result.data;
  return {
    host: read.HOST,
    port: read.PORT,
    publicUrl: read.PUBLIC_URL,
    dataDir: read.DATA_DIR,
    ...databaseOf(read),
    s3: s3Of(read),
    backupPassphraseFile: read.BACKUP_PASSPHRASE_FILE,
    backups: backupsOf(read),
    trustedProxies: read.TRUSTED_PROXIES,
    trustedOrigins: read.TRUSTED_ORIGINS,
    cookieSecure: isCookieSecure(read.COOKIE_SECURE, read.PUBLIC_URL),
    rateLimits: read.RATE_LIMITS,
    rates: ratesOf(read),
    backlogBytes: read.BACKLOG_MIB * 1024 * 1024,
    picturesBytes: read.PICTURES_MIB * 1024 * 1024,
    instance: { registration: read.REGISTRATION, name: read.INSTANCE_NAME, fixed: fixedBy(known) },
    avatarUrl: read.AVATAR_URL === "off" ? undefined : read.AVATAR_URL,
    mail: together({ SMTP_URL: read.SMTP_URL, MAIL_FROM: read.MAIL_FROM }, (url, from) => ({ url, from })),
    gifs: read.GIF_API_KEY
      ? { provider: read.GIF_PROVIDER, key: read.GIF_API_KEY, url: read.GIF_API_URL }
      : undefined,
    livekit: livekitOf(read),
    vapidSubject: read.VAPID_SUBJECT,
    metrics: { areOpen: read.METRICS === "open", token: read.METRICS_TOKEN },
    logLevel: read.LOG_LEVEL,
    environment: Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    secrets: Object.entries(settings).flatMap(([name, each]) =>
      secretsIn(known[name] ?? "", "secret" in each),
    ),
  };
}

interface LivekitGiven {
  LIVEKIT_URL?: string | undefined;
  LIVEKIT_API_KEY?: string | undefined;
  LIVEKIT_API_SECRET?: string | undefined;
}

function livekitOf({ LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET }: LivekitGiven) {
  return together({ LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET }, (url, key, secret) => ({
    url,
    key,
    secret,
  }));
}

function backupsOf(read: { BACKUP_DIR?: string | undefined; BACKUP_EVERY: number; BACKUP_KEEP: number }) {
  if (read.BACKUP_DIR === undefined) return undefined;
  return { folder: read.BACKUP_DIR, everyMs: read.BACKUP_EVERY * 3600_000, keep: read.BACKUP_KEEP };
}

interface DatabaseGiven {
  DATABASE_URL?: string | undefined;
  DATABASE_REPLICA_URL?: string | undefined;
  REDIS_URL?: string | undefined;
}

/** Throws when processes that hear each other would each have their own database. */
function databaseOf({ DATABASE_URL, DATABASE_REPLICA_URL, REDIS_URL }: DatabaseGiven) {
  if (REDIS_URL !== undefined && DATABASE_URL === undefined)
    throw new CannotStart(
      "The setting REDIS_URL needs DATABASE_URL: only processes on one PostgreSQL can be one Hearth.",
    );
  if (DATABASE_REPLICA_URL !== undefined && DATABASE_URL === undefined)
    throw new CannotStart(
      "The setting DATABASE_REPLICA_URL needs DATABASE_URL: the PostgreSQL that the replica follows.",
    );
  return { databaseUrl: DATABASE_URL, databaseReplicaUrl: DATABASE_REPLICA_URL, redisUrl: REDIS_URL };
}

interface S3Given {
  S3_URL?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_REGION: string;
}

function s3Of({ S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION: region }: S3Given) {
  return together({ S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }, (url, keyId, secret) => {
    return { url, region, keyId, secret };
  });
}

type Read = { [K in keyof typeof settings]: z.output<(typeof settings)[K]["schema"]> };

function ratesOf(read: Pick<Read, Extract<keyof Read, `RATE_${string}`>>): Config["rates"] {
  return {
    auth: read.RATE_AUTH,
    invites: read.RATE_INVITES,
    messages: read.RATE_MESSAGES,
    direct: read.RATE_DIRECT,
    calls: read.RATE_CALLS,
    avatars: read.RATE_AVATARS,
    webhooks: read.RATE_WEBHOOKS,
    serverWebhooks: read.RATE_SERVER_WEBHOOKS,
    strangers: read.RATE_STRANGERS,
    rights: read.RATE_RIGHTS,
    all: read.RATE_ALL,
  };
}

function isCookieSecure(given: "auto" | "on" | "off", publicUrl = ""): boolean {
  return given === "on" || (given === "auto" && /^https:/.test(publicUrl));
}

function fixedBy(given: Record<string, string | undefined>): (keyof InstanceSettings)[] {
  const names = Object.keys(instanceSettings) as (keyof InstanceSettings)[];
  return names.filter((name) => given[instanceSettings[name]] !== undefined);
}

/** The environment of this process plus `more`, for a child process. */
export function environmentWith(more: Record<string, string>): Record<string, string | undefined> {
  return { ...process.env, ...more };
}

/** A group of settings that makes sense only as a whole. Throws CannotStart naming the first one that is missing. */
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

function fromArguments(argv: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (let i = 0; i < argv.length; i++) {
    const [, name, inline] = /^--([a-z][a-z\d-]*)(?:=(.*))?$/.exec(argv[i] ?? "") ?? [];
    const key = name?.replaceAll("-", "_").toUpperCase();
    if (!key || !(key in settings)) {
      throw new CannotStart(
        `There is no setting ${argv[i]?.split("=", 1)[0]}. Settings are: ${Object.keys(settings).map(asArgument).join(", ")}.`,
      );
    }
    const value = inline ?? argv[++i];
    if (value === undefined) throw new CannotStart(`The setting ${argv[i - 1]} needs a value.`);
    given[key] = value;
  }
  return given;
}

interface SettingInForce {
  name: string;
  /** The value as it was given, or the default; without passwords and keys. */
  value: string;
  from: "argument" | "environment" | "database" | "default";
}

/** Every setting as readConfig would read it, valid or not, with secrets left out. */
export function settingsInForce(
  argv: readonly string[] = [],
  environment: Record<string, string | undefined> = process.env,
): SettingInForce[] {
  const fromArgv = fromArguments(argv);
  return Object.entries(settings).map(([name, each]) => {
    const given = fromArgv[name] ?? environment[name];
    if (!given) return { name, value: defaultOf(each.schema) ?? "none", from: "default" };
    const value = withoutPasswords(given, "secret" in each);
    return { name, value, from: fromArgv[name] ? "argument" : "environment" };
  });
}

/**
 * The part of a setting that may be shown: a URL loses its password, a secret URL keeps only its host, any other secret
 * is hidden.
 */
function withoutPasswords(text: string, isSecret: boolean): string {
  if (!URL.canParse(text)) return isSecret || /:(\/\/.*|\S*)@/.test(text) ? "(hidden)" : text;
  const url = new URL(text);
  // A password with # or / in it ends the URL's authority too early, so the rest of the password lands in the path or
  // hash.
  if (url.protocol !== "mailto:" && `${url.pathname}${url.hash}`.includes("@")) return "(hidden)";
  if (isSecret)
    return url.host === "" ? "(hidden)" : `${url.protocol}//${url.username ? "…@" : ""}${url.host}`;
  if (url.password === "" && url.search === "") return text;
  if (url.password !== "") url.password = "…";
  if (url.search !== "") url.search = "?…";
  return url.href.replaceAll(encodeURIComponent("…"), "…");
}
