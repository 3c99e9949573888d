// Response headers that clients read; operations declare them with their responses.
import { z } from "zod";

/** Headers of a paged list. */
export const pageHeaders = {
  "X-Has-More": z.enum(["true", "false"]).meta({ description: "Whether there are more beyond this page" }),
};

/** Headers of a response that begins or renews a session. */
export const sessionHeaders = {
  "X-Session-Token": z.string().meta({
    description:
      "The session's token, for clients that keep no cookies; they send it as `Authorization: Bearer`",
  }),
  "Set-Cookie": z.string().meta({ description: "The same token, as the cookie `app_session`" }),
};
