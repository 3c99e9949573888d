// A proxy before a real S3 store that forwards requests, or injects the faults of a failing store.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A response to each request, with S3's error code in its body if it has one. */
export interface Refused {
  status: number;
  code?: string;
  message?: string;
}

/**
 * `500`: for each request. `507`: for writes. `silence`: no answer at all. `wrong`: other bytes of the same length.
 * `lateMs`: each answer is delayed by this many milliseconds.
 */
export type Fault = 500 | 507 | "silence" | "wrong" | { lateMs: number } | Refused;

export interface FaultyStore extends AsyncDisposable {
  url: string;
  fault: Fault | undefined;
  /** Selects the requests that the fault is for; initially all. */
  isFor: (asked: IncomingMessage) => boolean;
  /** Awaited before a request is forwarded. */
  before: (asked: IncomingMessage) => Promise<void>;
  /** The highest number of concurrent requests since it was last set to 0. */
  mostAtOnce: number;
}

export async function startFaultyStore(storeUrl: string): Promise<FaultyStore> {
  let underWay = 0;
  const server = createServer(async (asked, answer) => {
    underWay++;
    double.mostAtOnce = Math.max(double.mostAtOnce, underWay);
    answer.once("close", () => underWay--);
    for (const each of [asked, answer]) each.on("error", () => {});
    const fault = double.isFor(asked) ? double.fault : undefined;
    if (fault === "silence") return;
    if (fault === 500 || (fault === 507 && asked.method === "PUT"))
      return refuse(asked, answer, { status: fault });
    if (typeof fault === "object" && "status" in fault) return refuse(asked, answer, fault);
    if (typeof fault === "object") await sleep(fault.lateMs);
    await double.before(asked);
    passOn(storeUrl, asked, answer, fault === "wrong");
  });
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  const double: FaultyStore = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    isFor: () => true,
    before: async () => {},
    mostAtOnce: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return double;
}

function refuse(
  asked: IncomingMessage,
  answer: ServerResponse,
  { status, code, message = "" }: Refused,
): void {
  const body = code && `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  asked.resume();
  asked.once("end", () => answer.writeHead(status).end(asked.method === "HEAD" ? undefined : body));
}

/** The signature covers the Host header, so headers are forwarded unchanged. */
function passOn(storeUrl: string, asked: IncomingMessage, answer: ServerResponse, isWrong: boolean): void {
  const { method = "GET", headers, url = "/" } = asked;
  const passed = request(`${storeUrl}${url}`, { method, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    if (!isWrong || method !== "GET" || headers.range === undefined) return void found.pipe(answer);
    found.on("data", (bytes: Buffer) => {
      bytes[bytes.length >> 1]! ^= 1;
      answer.write(bytes);
    });
    found.on("end", () => answer.end());
  });
  passed.on("error", () => answer.destroy());
  asked.pipe(passed);
}
