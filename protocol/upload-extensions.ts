// The names' endings of the files that can be uploaded, for a page that says so before it sends anything.

export const uploadExtensions = [
  ...["jpg", "jpeg", "png", "gif", "webp", "avif"],
  ...["mp4", "webm", "mov"],
  ...["mp3", "ogg", "oga", "opus", "wav", "flac", "m4a", "aac"],
  ...["txt", "log", "md", "csv", "json"],
  ...["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp"],
  ...["zip", "gz", "tar", "7z"],
] as const;

/** The last extension of a name in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}
