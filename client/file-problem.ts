// Reasons not to send a file that a page can find by itself, so that people learn of them before anything is sent.
import { extensionOf, keptFileName, uploadExtensions } from "../protocol/upload-extensions.ts";
import type { FileProblem, UploadLimits } from "./uploads.ts";

/** Returns what keeps a file from being sent, as far as it can be known here. */
export function problemOf(
  file: { name: string; size: number },
  limits: UploadLimits,
): FileProblem | undefined {
  if (file.size > limits.upload_bytes_max) return "too big";
  const name = keptFileName(file.name);
  if (!(uploadExtensions as readonly string[]).includes(extensionOf(name))) return "type";
  if (file.size === 0) return "empty";
  return [...name].length > limits.upload_name_max ? "name" : undefined;
}
