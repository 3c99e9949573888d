// Whether a call comes from this machine and was meant for it. A proxy here gives remote calls a local address, and a
// foreign host name may resolve to this machine.
import { isLoopback, isOfHome } from "./addresses.ts";

const handedOn = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** True if a proxy forwarded the call. */
function wasHandedOn(headers: Headers): boolean {
  return [...headers.keys()].some((name) => handedOn.test(name));
}

function hostIn(headers: Headers): string {
  return URL.parse(`http://${headers.get("host")}`)?.hostname ?? "";
}

/** True if the call was not forwarded, and its Host is a name that always means the local machine. */
export function isAskedHere(headers: Headers): boolean {
  const host = hostIn(headers);
  return !wasHandedOn(headers) && (isLoopback(host) || host.endsWith(".localhost"));
}

/** True if the call was not forwarded, and cannot come from a page whose own host name resolves to this machine. */
export function isAskedAtHome(headers: Headers): boolean {
  return isAskedHere(headers) || (!wasHandedOn(headers) && isOfHome(hostIn(headers)));
}
