// Redacts everything that looks like a secret in texts for the operator, whichever part of the program wrote them.

const blank = "…";

/** A text is cut after this many characters: an error of another program can quote everything that was sent to it. */
const longestText = 8192;

/** Matches a character as it is, or escaped for a URL or for JSON, any number of times. */
function spelled(...signs: string[]): string {
  const codes = signs
    .flatMap((sign) => [sign, sign.toUpperCase()])
    .map((sign) => sign.charCodeAt(0).toString(16));
  return `(?:${signs.map((sign) => sign.replace(".", "\\.")).join("|")}|(?:%(?:25)*|\\\\{1,8}u00)(?:${codes.join("|")}))`;
}

const slash = spelled("/");

/** Prefixes of this server's tokens: `h`, one of these letters, and `_`, so that a token is recognized anywhere. */
const tokenLetters = ["s", "b", "w", "r"] as const;
export type TokenPrefix = `h${(typeof tokenLetters)[number]}_`;
/** Matches the unescaped beginning of a token. */
export const tokenStart = `h[${tokenLetters.join("")}]_`;

/** Each pattern takes linear time, whatever the text holds. Its first group is kept. */
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

/** A run of such characters in mixed case is taken for a key or a part of one. Ids have only 36. */
const longRun = /[\w-]{40,}/g;

/** Known secrets: a value, or the pattern of its place, whose first group is kept. */
export type Known = readonly (string | RegExp)[];

/**
 * The place of a secret in paths like `/webhooks/{webhookID}/{token}`: that segment is redacted, whatever it looks
 * like, and however the slashes before it are escaped.
 */
export function secretPlace(path: string, name: string): RegExp {
  const before = path.slice(1, path.indexOf(`/{${name}}`)).split("/");
  const words = before.map((word) => (word.startsWith("{") ? "[^/%\\s]+" : RegExp.escape(word)));
  return new RegExp(`(${words.join(slash)}${slash})[^/\\s"]+`, "gi");
}

/** The text with everything redacted that looks like a secret, and every `known` one. */
export function withoutSecrets(text: string, known: Known = []): string {
  let shown = shortened(text, longestText);
  for (const each of known)
    shown = typeof each === "string" ? shown.replaceAll(each, blank) : shown.replace(each, `$1${blank}`);
  // Passwords in URLs first, as they may hold any character.
  shown = shown.replace(/:\/\/[^\s"'<>`]+/g, withoutPassword);
  for (const secret of secrets) shown = shown.replace(secret, `$1${blank}`);
  return shown.replace(longRun, (run) => (/[a-z]/.test(run) && /[A-Z]/.test(run) ? blank : run));
}

/**
 * The path of a request. A segment that is escaped twice, or wrongly, is not ours and can hide anything: it is
 * redacted.
 */
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

/** The id of a passkey looks like a secret key but is public. */
const publicName = "passkey";

/** A value for a log line: its texts redacted, and everything under a name that means a secret. */
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

/** Cuts a text between two words: half of a secret would not be recognised. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, text.lastIndexOf(" ", most) + 1)}${blank} (${text.length} characters)`;
}

// A password with / or # ends the URL's authority too early, one with @ too late: everything up to the last @ is
// redacted, unless that @ is in the path.
function withoutPassword(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const before = address.slice(3, at);
  return before.includes("/") && !before.includes(":") ? address : `://${blank}${address.slice(at)}`;
}

/** Shorter values occur in too many innocent words. */
const shortestKnown = 8;

/** The secrets in the value of a setting, as given and decoded: the whole value, or only the passwords in it. */
export function secretsIn(value: string, isSecret: boolean): string[] {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  // A key with a colon in it parses as a URL without a host.
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
