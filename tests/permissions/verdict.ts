// An answer in the form in which tests compare it: "200", "403 forbidden", "404 not_found".
import type { Answer } from "../house/people/people.ts";

export function verdict({ status, body }: Answer<unknown>): string {
  if (status < 400) return String(status);
  const { code, error, request_id } = (body ?? {}) as Record<string, unknown>;
  const isErrorBody = typeof error === "string" && error !== "" && typeof request_id === "string";
  return isErrorBody ? `${status} ${code}` : `${status} without an error body`;
}

export function verdicts(answers: readonly Answer<unknown>[]): string[] {
  return answers.map(verdict);
}
