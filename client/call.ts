// Calls operations from a page: typed by their declarations, without loading those.
import type { ErrorBody, ErrorCode, FieldProblem } from "../protocol/errors.ts";
import type { AnyOperation, Input, Output } from "../protocol/operation.ts";

/** Equals `apiPrefix`, whose module contains more than a page needs. */
const prefix = "/api/v1";

/** One page of a list. */
export interface Listed<Items> {
  items: Items;
  hasMore: boolean;
}

/** A call that the server rejected, or that did not reach it (`status` 0). */
export class CallError extends Error {
  readonly status: number;
  readonly code: ErrorCode | "unreachable";
  readonly requestId: string | undefined;
  readonly fields: readonly FieldProblem[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.error ?? "");
    this.name = "CallError";
    this.status = status;
    this.code = status === 0 ? "unreachable" : (body.code ?? "internal");
    this.requestId = body.request_id;
    this.fields = body.fields ?? [];
    this.retryAfter = body.retry_after;
  }

  /** Returns the error if a call threw it; anything else is a bug, and thrown again. */
  static from(error: unknown): CallError {
    if (error instanceof CallError) return error;
    throw error;
  }

  /** True if the same call may succeed later, without any change by the user. */
  get passes(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }
}

export type Call<O extends AnyOperation> =
  Record<never, never> extends Input<O>
    ? (input?: Input<O>, signal?: AbortSignal) => Promise<Output<O>>
    : (input: Input<O>, signal?: AbortSignal) => Promise<Output<O>>;

interface Given {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** The origin of calls, and the callback for a rejection because nobody is signed in (401). */
export const calls: { origin: string; onSignedOut(): void; lastRequestId?: string | undefined } = {
  origin: "",
  onSignedOut: () => {},
};

interface Target {
  method: string;
  path: string;
  outlivesPage: boolean;
}

/**
 * Makes a function that calls an operation. The compiler compares method and path with the declaration. Deletions, and
 * operations marked `outlivesPage`, complete even if the page is left meanwhile: browsers allow that for short ones
 * only.
 */
export function calling<O extends AnyOperation>(
  method: O["method"],
  path: O["path"],
  { outlivesPage = method === "DELETE" } = {},
): Call<O> {
  const target = { method, path, outlivesPage };
  const call = async (given: Given = {}, signal?: AbortSignal) => bodyOf(await send(target, given, signal));
  return call as unknown as Call<O>;
}

/** Makes a function that calls an operation which lists page by page. */
export function listing<O extends AnyOperation>(
  method: O["method"],
  path: O["path"],
): (...input: Parameters<Call<O>>) => Promise<Listed<Output<O>>> {
  const list = async (given: Given = {}, signal?: AbortSignal) => {
    const response = await send({ method, path, outlivesPage: false }, given, signal);
    return { items: await bodyOf(response), hasMore: response.headers.get("X-Has-More") === "true" };
  };
  return list as unknown as (...input: Parameters<Call<O>>) => Promise<Listed<Output<O>>>;
}

/** Returns the URL of an operation with its parameters. */
export function addressOf(path: string, { params = {}, query = {} }: Given = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  const text = asked.toString();
  return `${calls.origin}${prefix}${filled}${text && `?${text}`}`;
}

/** Throws CallError for every response that is not a success. */
async function send(target: Target, given: Given, signal?: AbortSignal): Promise<Response> {
  const { method, path, outlivesPage } = target;
  const { body } = given;
  let response: Response;
  try {
    response = await fetch(addressOf(path, given), {
      method,
      credentials: "same-origin",
      keepalive: outlivesPage,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(0, {});
  }
  calls.lastRequestId = response.headers.get("X-Request-Id") ?? undefined;
  if (response.ok) return response;
  throw await refusalOf(response);
}

/** Returns the refusal that a response is, of Hearth or of a proxy before it. */
export async function refusalOf(response: Response): Promise<CallError> {
  const said = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  const wait = Number(response.headers.get("Retry-After"));
  // A proxy has a body of its own, and may state the retry delay only in a header.
  const body = typeof said?.error === "string" ? said : wait > 0 ? { retry_after: wait } : {};
  const refusal = new CallError(response.status, body);
  if (refusal.code === "unauthenticated") calls.onSignedOut();
  return refusal;
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch {
    // Truncated, or not from Hearth, for example a proxy's page.
    throw new CallError(0, {});
  }
}
