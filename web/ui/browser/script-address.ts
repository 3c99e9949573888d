// The Trusted Types policy of the page: the only script URLs that browsers accept for a worker.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  createScriptURL(url: string): string;
}

/** The service worker, and the syntax highlighting worker. */
const known = /^\/(?:sw|assets\/colours-worker-[\w-]+)\.js$/;

let policy: Policy | undefined;

/** Returns the address as a trusted script URL. Throws when it is not one of ours. */
export function scriptAddress(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("hearth", { createScriptURL: ofOurs }) ?? { createScriptURL: ofOurs };
  return policy.createScriptURL(address);
}

/** Starts a web worker. */
export function startWorker(address: string): Worker {
  return new Worker(scriptAddress(address), { type: "module" });
}

function ofOurs(address: string): string {
  if (!known.test(address) && !import.meta.env.DEV) throw new Error(`no script of ours: ${address}`);
  return address;
}
