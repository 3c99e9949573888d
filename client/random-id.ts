// Ids that a page makes: of messages that it has not sent yet, of files on their way, of drafts.

const bytesInId = 16;

/** 128 random bits. Not `crypto.randomUUID`: browsers keep that for pages of https and localhost. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(bytesInId));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
