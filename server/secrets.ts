// Secrets in texts for the operator: whatever looks like one is blanked, whoever repeats it.

const blank = "…";

/** A text is cut after this many characters: errors of other programs can be as long as what they were sent. */
const longestText = 8192;

/** A sign as it stands, or escaped as in an address or in JSON, however often. */
function spelled(...signs: string[]): string {
  const codes = signs
    .flatMap((sign) => [sign, sign.toUpperCase()])
    .map((sign) => sign.charCodeAt(0).toString(16));
  return `(?:${signs.map((sign) => sign.replace(".", "\\.")).join("|")}|(?:%(?:25)*|\\\\{1,8}u00)(?:${codes.join("|")}))`;
}

const slash = spelled("/");

/** How tokens of this server begin: `h`, one of these letters, and `_`, so that one is known wherever it is repeated. */
const tokenLetters = ["s", "b", "w", "r"] as const;
export type TokenPrefix = `h${(typeof tokenLetters)[number]}_`;
/** What looks like the beginning of one, where nothing is escaped. */
export const tokenStart = `h[${tokenLetters.join("")}]_`;

/** Each takes time in proportion to the text, whatever stands in it. The first group stays. */
const secrets: readonly RegExp[] = [
  new RegExp(`(${spelled("h")}${spelled(...tokenLetters)}${spelled("_")})[\\w%~\\\\-]{12,}`, "gi"),
  // A JSON web token, whole or cut.
  new RegExp(`()eyJ[\\w-]{4,}(?:(?:${spelled(".")}|\\\\\\.)[\\w-]*)*`, "g"),
  /\b((?:bearer|basic|digest)\s+)[\w+/=.~%-]{8,}/gi,
  /\b(AUTH\s+(?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5)\s+)[\w+/=]{4,}/gi,
  /(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[^-]*/g,
  // Headers hold several values, up to the end of their line.
  /\b((?:authorization|cookie)\\?["']?\s*[:=]\s*\\?["']?)[^"'\\\r\n]+/gi,
  /((?:password|passwd|\bpass|\bpwd|secret|token|api[-_]?key|private[-_]?key|\bauth)\\?["']?\s*[:=]\s*\\?["']?)[^\s"'\\&,;(){}[\]]+/gi,
];

/** So long a run of these signs is a key or a piece of one, if it has small and capital letters; ids have 36. */
const longRun = /[\w-]{40,}/g;

/** What is secret for sure: a value, or a place, whose first group stays. */
export type Known = readonly (string | RegExp)[];

/**
 * The place of a secret in paths like `/webhooks/{webhookID}/{token}`: what stands there is blanked, whatever it looks
 * like, and however the slashes before it are written.
 */
export function secretPlace(path: string, name: string): RegExp {
  const before = path.slice(1, path.indexOf(`/{${name}}`)).split("/");
  const words = before.map((word) => (word.startsWith("{") ? "[^/%\\s]+" : RegExp.escape(word)));
  return new RegExp(`(${words.join(slash)}${slash})[^/\\s"]+`, "gi");
}

/** The text with everything blanked that looks like a secret, and what is `known` to be one wherever it stands. */
export function withoutSecrets(text: string, known: Known = []): string {
  let shown = shortened(text, longestText);
  for (const each of known)
    shown = typeof each === "string" ? shown.replaceAll(each, blank) : shown.replace(each, `$1${blank}`);
  // First, as a password may hold anything.
  shown = shown.replace(/:\/\/[^\s"'<>`]+/g, withoutPassword);
  for (const secret of secrets) shown = shown.replace(secret, `$1${blank}`);
  return shown.replace(longRun, (run) => (/[a-z]/.test(run) && /[A-Z]/.test(run) ? blank : run));
}

/** A path of a request. What is escaped twice, or wrongly, is no address of ours, and can hide anything. */
export function pathWithoutSecrets(path: string, known: Known = []): string {
  if (!path.includes("%")) return withoutSecrets(path, known);
  const segments = path.split("/");
  return withoutSecrets(
    segments.map((each) => (/%25|%(?![\da-f]{2})/i.test(each) ? blank : each)).join("/"),
    known,
  );
}

const secretName =
  /password|passwd|secret|token|authorization|cookie|api_?key|private_?key|credential|connection_?string|^(?:auth|pass|pwd|p256dh)$/i;

/** What looks like a key and is known to all: a passkey's id. */
const publicName = "passkey";

/** A value as it may stand in a log line: its texts without secrets, and nothing under a name that means one. */
export function valueWithoutSecrets(value: unknown, known: Known): unknown {
  if (typeof value === "string") return withoutSecrets(value, known);
  if (Array.isArray(value)) return value.map((each) => valueWithoutSecrets(each, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === publicName) return [name, each];
      const isHidden = secretName.test(name) && each !== null && typeof each !== "boolean";
      return [withoutSecrets(name, known), isHidden ? blank : valueWithoutSecrets(each, known)];
    }),
  );
}

/** Cut between two words: half of a secret would not be known for one. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, text.lastIndexOf(" ", most) + 1)}${blank} (${text.length} characters)`;
}

// A password that holds / or # ends the address too early, and one that holds @ too late: everything up to the last @
// goes, unless it is a path with an @ in it.
function withoutPassword(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const before = address.slice(3, at);
  return before.includes("/") && !before.includes(":") ? address : `://${blank}${address.slice(at)}`;
}

/** Shorter ones stand in too many innocent words. */
const shortestKnown = 8;

/** What must not be repeated of the value of a setting: all of it, or the passwords in it, also as they are meant. */
export function secretsIn(value: string, isSecret: boolean): string[] {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  // With a colon in it a key reads as an address that leads nowhere.
  const isKey = isSecret && !address?.host;
  const found = [...(address ? passwordsIn(address) : []), ...(isKey ? [value] : [])];
  return found.flatMap((each) => [each, decoded(each)]).filter((each) => each.length >= shortestKnown);
}

function passwordsIn({ password, searchParams }: URL): string[] {
  return [password, ...[...searchParams].flatMap(([name, each]) => (secretName.test(name) ? each : []))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
