// The few texts that may become a script's address: with Trusted Types, the browser takes no other one for a worker.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

interface Policy {
  createScriptURL(url: string): string;
}

/** The service worker, and the worker that colours code. */
const known = /^\/(?:sw|assets\/colours-worker-[\w-]+)\.js$/;

let policy: Policy | undefined;

/** Returns the address as the browser wants it. Throws where it is none of ours. */
export function scriptAddress(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("hearth", { createScriptURL: ofOurs }) ?? { createScriptURL: ofOurs };
  return policy.createScriptURL(address);
}

/** Starts a thread beside the page. */
export function startWorker(address: string): Worker {
  return new Worker(scriptAddress(address), { type: "module" });
}

function ofOurs(address: string): string {
  if (!known.test(address) && !import.meta.env.DEV) throw new Error(`no script of ours: ${address}`);
  return address;
}
