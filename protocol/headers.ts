// Response headers that a client wants to know of; operations name them with the answers that carry them.
import { z } from "zod";

/** Of a list that comes page by page. */
export const pageHeaders = {
  "X-Has-More": z.enum(["true", "false"]).meta({ description: "Whether there are more beyond this page" }),
};

/** Of an answer that begins or renews a session. */
export const sessionHeaders = {
  "X-Session-Token": z.string().meta({
    description:
      "The session's token, for clients that keep no cookies; they send it as `Authorization: Bearer`",
  }),
  "Set-Cookie": z.string().meta({ description: "The same token, as the cookie `app_session`" }),
};
