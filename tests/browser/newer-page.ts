// A proxy before a house that can pretend to have a newer page: its service worker changes, all else stays the same.
import type { Server, ServerWebSocket } from "bun";

interface Bridge {
  far: WebSocket;
  /** Frames received before the far side was open. */
  waiting: (string | Buffer)[];
}

export class NewerPage {
  readonly url: string;
  readonly #server: Server<Bridge>;
  /** The build that pages and workers are of from now on. */
  version = 0;
  #worker = 0;
  /** True if the service worker is unavailable. */
  isBusy = false;
  #held: Promise<void> | undefined;
  /** True if the next request for the page gets an empty answer. */
  isUnshown = false;

  /** The house trusts this address (TRUSTED_ORIGINS), which is known before it opens. */
  constructor(house: () => string) {
    this.#server = Bun.serve<Bridge>({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request, server) => this.#pass(request, server, house()),
      websocket: {
        message({ data }, message) {
          if (data.far.readyState === WebSocket.OPEN) data.far.send(message);
          else data.waiting.push(message);
        },
        open: (near) => bridge(near),
        close: ({ data }) => data.far.close(),
      },
    });
    this.url = `http://127.0.0.1:${this.#server.port}`;
  }

  renew(): void {
    this.version++;
  }

  /** Has another service worker, with the page that is open already: as if that was loaded after an update. */
  renewWorker(): void {
    this.#worker++;
  }

  /** Holds the service worker's requests for parts of the page until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  async close(): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(request: Request, server: Server<Bridge>, house: string): Promise<Response | undefined> {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/ws") {
      const headers = { cookie: request.headers.get("cookie") ?? "", origin: this.url };
      const far = new WebSocket(`${house.replace("http", "ws")}/ws`, { headers } as never);
      server.upgrade(request, { data: { far, waiting: [] } });
      return undefined;
    }
    if (pathname === "/sw.js" && this.isBusy) return new Response("busy", { status: 502 });
    if (this.isUnshown && request.headers.get("sec-fetch-mode") === "navigate") {
      this.isUnshown = false;
      return new Response(null, { status: 204 });
    }
    const isOfWorker = pathname.startsWith("/assets/") && request.headers.get("sec-fetch-dest") === "empty";
    if (isOfWorker) await this.#held;
    const headers = new Headers(request.headers);
    headers.set("accept-encoding", "identity");
    const { method, body } = request;
    const answer = await fetch(house + pathname + search, { method, headers, body, redirect: "manual" });
    const isPage = (answer.headers.get("content-type") ?? "").startsWith("text/html");
    if (pathname !== "/sw.js" && !isPage) return answer;
    const text = await answer.text();
    // Each build begins with a script of its own, which its worker has, too.
    const mark = `/look.js?v=${this.version}`;
    const script = isPage
      ? text.replace("<script", `<script type="module" src="${mark}"></script><script`)
      : `${text.replace('{url:"/assets/', `{url:"${mark}",revision:null},$&`)}\n// worker ${this.#worker}`;
    const kept = ["content-type", "content-security-policy", "cache-control"];
    return new Response(script, {
      headers: kept.map((name): [string, string] => [name, answer.headers.get(name) ?? ""]),
    });
  }
}

function bridge(near: ServerWebSocket<Bridge>): void {
  const { far, waiting } = near.data;
  far.onopen = () => {
    for (const each of waiting.splice(0)) far.send(each);
  };
  far.onmessage = ({ data }) => void near.send(data);
  far.onclose = ({ code, reason }) => near.close(code === 1006 ? 1001 : code, reason);
}
