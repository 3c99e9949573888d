// A double of the two GIF providers: answers in the documented shapes of klipy and giphy, or misbehaves on request.
import type { Server } from "bun";

export const gifKey = "s3cret/key?&=";

type Misbehaviour = (request: Request) => Response | Promise<Response>;

export class GifProviderDouble {
  readonly #server: Server<undefined>;
  /** Path and query of every request, in order. */
  readonly asked: URL[] = [];
  /** While set, answers requests in its place. */
  instead: Misbehaviour | undefined;

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        const url = new URL(request.url);
        this.asked.push(url);
        return this.instead?.(request) ?? answer(url);
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** A house's settings for it. */
  get settings(): Record<string, string> {
    return { GIF_API_KEY: gifKey, GIF_API_URL: this.url };
  }

  stop(): void {
    this.#server.stop(true);
  }
}

function answer(url: URL): Response {
  const words = url.searchParams.get("q") ?? "trending";
  const klipy = /^\/api\/v1\/([^/]+)\/gifs\/(search|trending)$/.exec(url.pathname);
  if (klipy) {
    if (decodeURIComponent(klipy[1] ?? "") !== gifKey) return refused(401);
    const count = Number(url.searchParams.get("per_page") ?? 24);
    // As documented, values below 8 or above 50 are refused.
    if (count < 8 || count > 50) return refused(422);
    return Response.json(klipyPage(words, count));
  }
  if (/^\/v1\/gifs\/(search|trending)$/.test(url.pathname)) {
    if (url.searchParams.get("api_key") !== gifKey) return refused(401);
    return Response.json(giphyPage(words, Number(url.searchParams.get("limit") ?? 25)));
  }
  return refused(404);
}

function refused(status: number): Response {
  return Response.json({ result: false, errors: { message: [`refused, key ${gifKey}`] } }, { status });
}

function klipyPage(words: string, count: number) {
  const format = (size: string, width: number, i: number) => ({
    gif: { url: `https://static.klipy.example/${size}/${i}.gif`, width, height: width / 2, size: 1000 },
    webp: { url: `https://static.klipy.example/${size}/${i}.webp`, width, height: width / 2, size: 700 },
    mp4: { url: `https://static.klipy.example/${size}/${i}.mp4`, width, height: width / 2, size: 400 },
  });
  const data = Array.from({ length: count }, (_, i) => ({
    id: 8_041_071_659_251_608 + i,
    slug: `${i}`,
    title: `${words} ${i}`,
    file: {
      hd: format("hd", 640, i),
      md: format("md", 400, i),
      sm: format("sm", 220, i),
      xs: format("xs", 90, i),
    },
    tags: [],
    type: "gif",
    blur_preview: "data:image/jpeg;base64,",
  }));
  return { result: true, data: { data, current_page: 1, per_page: count, has_next: true } };
}

function giphyPage(words: string, count: number) {
  const image = (kind: string, width: number, i: number) => ({
    url: `https://media.giphy.example/${kind}/${i}.gif`,
    width: String(width),
    height: String(width / 2),
    size: "1000",
  });
  const data = Array.from({ length: count }, (_, i) => ({
    type: "gif",
    id: `giphy${i}`,
    url: `https://giphy.example/gifs/${i}`,
    slug: `${i}`,
    rating: "g",
    title: `${words} ${i}`,
    images: {
      original: image("original", 480, i),
      downsized_medium: image("medium", 400, i),
      fixed_width: image("200w", 200, i),
    },
  }));
  return {
    data,
    pagination: { total_count: 1000, count, offset: 0 },
    meta: { status: 200, msg: "OK", response_id: "r" },
  };
}
