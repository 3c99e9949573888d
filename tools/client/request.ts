// One HTTP request to a Hearth server: JSON in, JSON out, and an error that names the request when it is refused.

const GIVE_UP_AFTER_MS = 30_000;

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The server answered with a refusal. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(what: string, status: number, code: string, sentence: string, retryAfterSeconds?: number) {
    super(`${what}: ${status} ${code}: ${sentence}`);
    this.name = "Refused";
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export async function request(
  url: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(`${method} ${path}`, response, text);
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** Retries after 429 and 503, when the server says, up to `tries` times. */
export async function patiently<T>(attempt: () => Promise<T>, tries = 100): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !(error instanceof Refused) || (error.status !== 429 && error.status !== 503))
        throw error;
      await Bun.sleep((error.retryAfterSeconds ?? 1) * 1_000 * (0.5 + Math.random()));
    }
  }
}

function refusal(what: string, response: Response, text: string): Refused {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const seconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  try {
    const { code, error } = JSON.parse(text) as { code: string; error: string };
    return new Refused(what, response.status, code, error, seconds);
  } catch {
    return new Refused(what, response.status, "not_json", text.slice(0, 200), seconds);
  }
}
