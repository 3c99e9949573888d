// All error codes of Hearth with their HTTP statuses, and the exception that carries one.

/**
 * The stable codes in error bodies, with the HTTP status of each. Clients decide by the code, people read the sentence.
 */
export const errorStatus = {
  malformed_json: 400,
  invalid_request: 400,
  invalid_token: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  bad_signature: 401,
  forbidden: 403,
  untrusted_origin: 403,
  wrong_password: 403,
  owner_only: 403,
  author_only: 403,
  hierarchy: 403,
  banned: 403,
  blocked: 403,
  registration_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  invite_expired: 410,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  internal: 500,
  not_configured: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One refused field: `path` is dotted (`role_ids.3`), `message` is for a person. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** The body of every error response. `retry_after` is in seconds. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  request_id: string;
  fields?: FieldProblem[];
  retry_after?: number;
}

interface RefusalDetail {
  fields?: FieldProblem[];
  /** Seconds until another try makes sense. */
  retryAfter?: number;
  /** For 405: the methods that the path supports. */
  allow?: string;
  /** For 416: the size of the file in bytes. */
  size?: number;
}

/**
 * A refusal with a reason that the caller may read. Thrown by access and handlers, and turned into a response by
 * dispatch.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly detail: RefusalDetail;

  constructor(code: ErrorCode, sentence: string, detail: RefusalDetail = {}) {
    super(sentence);
    this.name = "Refusal";
    this.code = code;
    this.detail = detail;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Returns the same 404 for a thing that does not exist and for one that the caller may not know of. */
export function notFound(): Refusal {
  return new Refusal("not_found", "There is nothing here, or nothing that you may see.");
}

/** Returns a refusal of one field, for rules that a schema cannot check. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal("invalid_request", `${path}: ${message}`, { fields: [{ path, message }] });
}

/** Returns a conflict (409) at a limit: `what` can have at most `most` of `many`; `remedy` says what helps. */
export function full(what: string, most: number, many: string, remedy = "Delete one first."): Refusal {
  return new Refusal("conflict", `${what} at most ${most} ${many}. ${remedy}`);
}
