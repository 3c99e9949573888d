// Sends a picture, which is a form and not JSON.
import { addressOf, CallError, refusalOf } from "../../../client/call.ts";
import type { Square } from "./square.ts";

interface Picture {
  file: Blob;
  square: Square;
}

/** Throws CallError for every response that is not a success, and when the signal ends the request. */
export async function sendPicture<T>(path: string, picture: Picture, signal: AbortSignal): Promise<T> {
  const { file, square } = picture;
  const form = new FormData();
  form.append("file", file, "picture");
  for (const [name, value] of Object.entries(square)) form.append(name, String(value));
  let response: Response;
  try {
    response = await fetch(addressOf(path), {
      method: "PUT",
      credentials: "same-origin",
      body: form,
      signal,
    });
  } catch {
    throw new CallError(0, {});
  }
  const answer = response.ok ? await response.json().catch(() => ({})) : await refusalOf(response);
  signal.throwIfAborted();
  if (answer instanceof CallError) throw answer;
  return answer;
}
