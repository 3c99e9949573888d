// The introduction of an API description, before its operations.
import { errorStatus } from "../../protocol/errors.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { sessionCookie } from "../caller/authentication.ts";

const codes = Map.groupBy(Object.entries(errorStatus), ([, status]) => status);
const rows = [...codes].map(
  ([status, words]) => `| ${status} | ${words.map(([word]) => `\`${word}\``).join(", ")} |`,
);

/** The version of the interface, which is not the program's. */
export const version = "1.0";
export const license = { name: "Apache-2.0" };

/** The `info` object of Swagger 2.0 and OpenAPI, which is the same in both. Its description is Markdown. */
export const about = {
  title: "Hearth",
  version,
  license,
  description: `A self-hosted, real-time chat platform. All paths are below \`${apiPrefix}\`; bodies and answers are JSON unless they say otherwise. Ids are UUIDs, times are ISO 8601 in UTC. Answers may get further fields in any version; fields of a body that are not known are ignored.

What happens comes live over the WebSocket at \`/ws\`: [the gateway](gateway) tells of it.

**Who calls.** A session is the cookie \`${sessionCookie}\`, which browsers keep from registering or signing in, or \`Authorization: Bearer\` with the token that the header \`X-Session-Token\` brought then; a cookie hides the header. A bot sends \`Authorization: Bot\` with its own token.

**Lists.** A list that comes page by page says in \`X-Has-More\` whether there are more.

**Limits.** Calls that are counted tell the limit in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset-After\`. A list counts as one more call for each 128 KiB of its answer. A 429 says in \`Retry-After\` after how many seconds a further try makes sense.

**Refusals** have one body: \`error\` is a sentence for a person, \`code\` a stable word for programs, \`request_id\` the call's id, which every answer has as \`X-Request-Id\` (name it when you ask for help); \`fields\` says which fields were refused, \`retry_after\` the same as \`Retry-After\`. What does not exist and what the caller may not know of are the same 404.

| status | code |
|---|---|
${rows.join("\n")}`,
};
