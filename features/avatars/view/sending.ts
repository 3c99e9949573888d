// Sends a picture, which is a form and not JSON.
import { addressOf, CallError, calls } from "../../../client/call.ts";
import type { Square } from "./square.ts";

/** Throws CallError for every response that is not a success. */
export async function sendPicture<T>(path: string, file: Blob, square: Square): Promise<T> {
  const form = new FormData();
  form.append("file", file, "picture");
  for (const [name, value] of Object.entries(square)) form.append(name, String(value));
  let response: Response;
  try {
    response = await fetch(addressOf(path), { method: "PUT", credentials: "same-origin", body: form });
  } catch {
    throw new CallError(0, {});
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const error = new CallError(response.status, body);
  if (error.code === "unauthenticated") calls.onSignedOut();
  throw error;
}
