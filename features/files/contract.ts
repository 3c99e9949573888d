// Files: what people upload, and how it comes back.
import { z } from "zod";

/** An upload as messages carry it; `size` in bytes. */
export const attachment = z.object({
  url: z.string(),
  name: z.string(),
  size: z.int(),
  content_type: z.string(),
});

export type Attachment = z.infer<typeof attachment>;
