// Reasons to reject a file that a page can find by itself, so that people learn of them before the upload.
import {
  extensionOf,
  keptFileName,
  textExtensions,
  uploadExtensions,
} from "../protocol/upload-extensions.ts";
import type { FileProblem, UploadLimits } from "./uploads.ts";

/** Returns the reason why a file cannot be sent, as far as it can be known here. */
export function problemOf(
  file: { name: string; size: number },
  limits: UploadLimits,
): FileProblem | undefined {
  if (file.size > limits.upload_bytes_max) return "too big";
  const name = keptFileName(file.name);
  const extension = extensionOf(name);
  if (!(uploadExtensions as readonly string[]).includes(extension)) return "type";
  if (file.size === 0 && !(textExtensions as readonly string[]).includes(extension)) return "empty";
  return [...name].length > limits.upload_name_max ? "name" : undefined;
}
