// Ids created by a page: of unsent messages, uploads and drafts.

const bytesInId = 16;

/** 128 random bits. Not `crypto.randomUUID`: browsers offer that to https and localhost only. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(bytesInId));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
