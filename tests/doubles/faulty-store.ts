// A double that stands before a real S3 store and passes requests on, or answers as a store does that is ill.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** An answer to each request, with the code of S3 in its body if it has one. */
export interface Refused {
  status: number;
  code?: string;
  message?: string;
}

/**
 * `500`: each request. `507`: what would be written. `silence`: no answer at all. `wrong`: other bytes of the same length.
 * A number of milliseconds: each answer comes so late.
 */
export type Fault = 500 | 507 | "silence" | "wrong" | { lateMs: number } | Refused;

export interface FaultyStore extends AsyncDisposable {
  url: string;
  fault: Fault | undefined;
  /** Which requests the fault is for; at first all of them. */
  isFor: (asked: IncomingMessage) => boolean;
  /** Is awaited before a request is passed on. */
  before: (asked: IncomingMessage) => Promise<void>;
  /** The most requests that were under way at once since it was last set to 0. */
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

/** The signature names the host that was asked, so headers are passed on as they are. */
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
