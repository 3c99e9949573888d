// Whether a call comes from this machine and was meant for it: a proxy here gives the calls of others a local address, and a
// name of others may have been pointed here.
import { isLoopback, isOfHome } from "./addresses.ts";

const handedOn = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Whether a proxy handed the call on. */
function wasHandedOn(headers: Headers): boolean {
  return [...headers.keys()].some((name) => handedOn.test(name));
}

function hostIn(headers: Headers): string {
  return URL.parse(`http://${headers.get("host")}`)?.hostname ?? "";
}

/** Whether no proxy handed it on, and it was asked for by a name that only this machine has for itself. */
export function isAskedHere(headers: Headers): boolean {
  const host = hostIn(headers);
  return !wasHandedOn(headers) && (isLoopback(host) || host.endsWith(".localhost"));
}

/** Whether no proxy handed it on, and no page that has a name of its own pointed here can have asked for it. */
export function isAskedAtHome(headers: Headers): boolean {
  return isAskedHere(headers) || (!wasHandedOn(headers) && isOfHome(hostIn(headers)));
}
