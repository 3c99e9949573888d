// HTTP requests to addresses that the operator configures, with a deadline for the whole exchange, over a connection
// whose reader bounds the answer.
import { within } from "./in-time.ts";
import type { Answer } from "./wire/answer.ts";
import type { AnswerBounds } from "./wire/answer-reader.ts";
import { Connection } from "./wire/connection.ts";
import type { KeptConnections } from "./wire/kept-connections.ts";
import { certifiedOf, hostOf, mostBytesOf, mostHead, portOf, requestHead } from "./wire/request-head.ts";

interface Asking {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Blob;
  /** Deadline for the whole exchange, until the answer is read, in milliseconds. */
  withinMs: number;
  /** The largest body that the caller may want, in bytes; none when left out. */
  bodyMax?: number;
  /** How much of the body to read, given the answer's head; all of it, up to `bodyMax`, when left out. */
  mostBody?: AnswerBounds["mostBody"];
  /** True if redirects are followed, with GET; otherwise they are returned like any other answer. */
  follows?: boolean;
  /** Connections to this host, kept alive between requests. */
  kept?: KeptConnections;
}

const mostRedirects = 5;
/** The most interim (1xx) answers to one request. A proxy in between may send one as well. */
const mostInterim = 3;
/** Largest body, in bytes, that is sent without waiting for "100 Continue". */
const shortBody = 64 * 1024;
/** 417 Expectation Failed: the host does not support "100 Continue". */
const expectsNothing = 417;

/** Resolves with the answer. Throws Late after the deadline, and BadAnswer. */
export function askByHttp(address: string | URL, given: Asking): Promise<Answer> {
  return within(given.withinMs, async (ending) => {
    let url = new URL(address);
    for (let left = given.follows ? mostRedirects : 0; ; left--) {
      const answer = await ask(url, given, ending);
      const next = answer.headers.get("location");
      if (left === 0 || answer.status < 300 || answer.status > 399 || next === undefined) return answer;
      url = new URL(next, url);
    }
  });
}

async function ask(url: URL, given: Asking, ending: AbortSignal): Promise<Answer> {
  const { method = "GET", headers, body: words, bodyMax = 0, mostBody = () => bodyMax, kept } = given;
  const body = typeof words === "string" ? Buffer.from(words) : words;
  const length = body instanceof Blob ? body.size : body?.length;
  const waits = kept?.waitsForWord && body instanceof Blob && body.size > shortBody;
  const unheard = () => {
    if (kept) kept.waitsForWord = false;
  };
  const all = {
    Accept: "*/*",
    "User-Agent": "Hearth",
    ...headers,
    // A short compressed answer may unfold to more than memory holds before any of it is counted.
    "Accept-Encoding": "identity",
    ...(length !== undefined && { "Content-Length": length }),
    ...(waits && { Expect: "100-continue" }),
    Connection: kept ? "keep-alive" : "close",
  };
  const exchange = {
    head: requestHead(method, url, all),
    body,
    ...(waits && { unheard }),
    bounds: { mostHead, mostBody, mostInterim, isHead: method === "HEAD" },
    mostBytes: mostBytesOf(mostHead, bodyMax),
    ending,
  };
  const connect = () => new Connection({ host: hostOf(url), port: portOf(url) }, certifiedOf(url));
  if (kept) {
    const answer = await kept.exchange(exchange, connect);
    if (!waits || answer.status !== expectsNothing) return answer;
    unheard();
    return ask(url, given, ending);
  }
  const connection = connect();
  return connection.exchange(exchange).finally(() => connection.close());
}

export function textOf({ body }: Answer): string {
  return Buffer.from(body).toString("utf8");
}
