// Searches every answer and every frame of the whole test run for secrets and e-mail addresses.

const address = /[\w.+-]+@people\.example/gi;
/** Not a part of something longer: the random bytes of a passkey can hold anything. */
const token = /(?<![\w-])h[a-z]_[\w-]{43}(?![\w-])/g;
const hash = /\$argon2/;

/** Calls that show a new token, once, to its creator. */
const showsToken =
  /^POST (\/bots|\/bots\/[^/]+\/regenerate-token|\/channels\/[^/]+\/webhooks|\/admin\/users\/[^/]+\/reset-link)$/;
/** Calls that show people their own address. */
const showsAddress = /^((GET|PATCH) \/auth\/me|PUT \/auth\/me\/avatar)$/;

/** Throws when the body of an answer holds an e-mail address, a token or a hash that does not belong there. */
export function lookThroughAnswer(method: string, path: string, body: string): void {
  const call = `${method} ${path.replace(/\?.*/, "")}`;
  if (hash.test(body)) throw new Error(`${call} showed a password's hash`);
  const addresses = new Set(body.match(address) ?? []);
  if (addresses.size > (showsAddress.test(call) ? 1 : 0)) {
    throw new Error(`${call} showed e-mail addresses: ${[...addresses].join(", ")}`);
  }
  if (body.search(token) >= 0 && !showsToken.test(call)) throw new Error(`${call} showed a token`);
}

/** The same for a frame; READY shows people their own address. */
export function lookThroughFrame(text: string): void {
  if (hash.test(text) || text.search(token) >= 0)
    throw new Error(`a frame showed a secret: ${text.slice(0, 80)}`);
  const addresses = text.match(address) ?? [];
  if (addresses.length > (/^\{"type":"(READY|ME_UPDATE)"/.test(text) ? 1 : 0)) {
    throw new Error(`a frame showed e-mail addresses: ${addresses.join(", ")}`);
  }
}
