// Unauthenticated calls whose bodies are expensive to parse, or whose responses are expensive to produce.
import { randomBytes } from "node:crypto";
import { crowdOf } from "../../load/addresses.ts";
import { api, type Call, strangersFlood, wideBody, withHeader } from "../asking.ts";

const longQuery = `?${"a&".repeat(7500)}`;
const deepBody = `{"email":${"[".repeat(120_000)}${"]".repeat(120_000)}}`;
const secret = () => randomBytes(32).toString("base64url");
const unknownWebhook = () => `/webhooks/${Bun.randomUUIDv7()}/hw_${secret()}`;
const publicForms = [
  "/auth/login/password",
  "/auth/register",
  "/auth/password/forgot",
  "/auth/webauthn/login/finish",
];

const longHooks = (): Call => ["POST", unknownWebhook() + longQuery, { content: "x" }];
const wideForms = (_: unknown, number: number): Call => [
  "POST",
  api + publicForms[number % publicForms.length],
  wideBody,
];
const login = (email: string): Call => [
  "POST",
  `${api}/auth/login/password`,
  { email, password: "a guess of mine" },
];
const servers = (): Call => ["GET", `${api}/servers`];
const asNobody = (request: string) => withHeader(request, "Authorization", `Bearer ${secret()}`);

export const strangers = [
  strangersFlood({
    name: "long-hooks-8",
    what: "unknown webhooks, 7,500 parameters",
    perSecond: 8,
    calls: longHooks,
  }),
  strangersFlood({ name: "long-hooks-60", what: "the same, faster", perSecond: 60, calls: longHooks }),
  strangersFlood({
    name: "long-hooks-crowd",
    what: "the same from 100 addresses",
    perSecond: 60,
    from: crowdOf(100),
    calls: longHooks,
  }),
  strangersFlood({
    name: "wide-hooks",
    what: "unknown webhooks, 30,000 fields",
    perSecond: 60,
    calls: () => ["POST", unknownWebhook(), wideBody],
  }),
  strangersFlood({ name: "wide-bodies-20", what: "forms of 30,000 fields", perSecond: 20, calls: wideForms }),
  strangersFlood({ name: "wide-bodies-60", what: "the same, faster", perSecond: 60, calls: wideForms }),
  strangersFlood({
    name: "wide-bodies-crowd",
    what: "the same from 100 addresses",
    perSecond: 60,
    from: crowdOf(100),
    calls: wideForms,
  }),
  strangersFlood({
    name: "deep-bodies",
    what: "forms 120,000 lists deep, 20 addresses",
    perSecond: 40,
    from: crowdOf(20),
    calls: () => ["POST", `${api}/auth/login/password`, deepBody],
  }),
  strangersFlood({ name: "metrics", what: "/metrics", perSecond: 40, calls: () => ["GET", "/metrics"] }),
  strangersFlood({ name: "readyz", what: "/readyz", perSecond: 200, calls: () => ["GET", "/readyz"] }),
  strangersFlood({
    name: "description",
    what: "the description in Swagger, in full",
    perSecond: 100,
    calls: () => ["GET", "/docs/swagger.json"],
  }),
  strangersFlood({
    name: "instance",
    what: "GET /instance",
    perSecond: 500,
    calls: () => ["GET", `${api}/instance`],
  }),
  strangersFlood({
    name: "nothing-there",
    what: "addresses that are not there, 8 kB long",
    perSecond: 300,
    calls: (_, number) => ["GET", `${api}/${"%2f..%2f".repeat(1000)}${number}`],
  }),
  strangersFlood({
    name: "unknown-logins",
    what: "200 logins with unknown names at once, 50 addresses",
    perSecond: 1000,
    most: 200,
    from: crowdOf(50),
    calls: (_, number) => login(`nobody${number}`),
  }),
  strangersFlood({
    name: "known-logins",
    what: "200 logins with one name at once, 50 addresses",
    perSecond: 1000,
    most: 200,
    from: crowdOf(50),
    calls: ({ stage }) => login(stage.people[0]!.username),
  }),
  strangersFlood({
    name: "registrations",
    what: "registrations, 50 addresses",
    perSecond: 50,
    from: crowdOf(50),
    calls(_, number) {
      const [username, password] = [`many${number}`, "the same for all of them"];
      const body = { email: `${username}@bench.invalid`, username, display_name: "One of many", password };
      return ["POST", `${api}/auth/register`, body];
    },
  }),
  strangersFlood({
    name: "forgotten",
    what: "forgotten passwords where no mail is set up, 20 addresses",
    perSecond: 100,
    from: crowdOf(20),
    calls: (_, number) => ["POST", `${api}/auth/password/forgot`, { email: `nobody${number}@bench.invalid` }],
  }),
  strangersFlood({
    name: "passkeys",
    what: "beginnings of passkey logins, 20 addresses",
    perSecond: 100,
    from: crowdOf(20),
    calls: () => ["POST", `${api}/auth/webauthn/login/begin`],
  }),
  strangersFlood({
    name: "unknown-tokens",
    what: "unknown sessions",
    perSecond: 200,
    calls: servers,
    dress: asNobody,
  }),
  strangersFlood({
    name: "unknown-bots",
    what: "unknown bots",
    perSecond: 200,
    calls: servers,
    dress: (request) => withHeader(request, "Authorization", `Bot hb_${secret()}`),
  }),
  strangersFlood({
    name: "unknown-tokens-crowd",
    what: "unknown sessions, 100 addresses",
    perSecond: 400,
    from: crowdOf(100),
    calls: servers,
    dress: asNobody,
  }),
  strangersFlood({
    name: "cookies",
    what: "cookies of 12 kB",
    perSecond: 200,
    calls: servers,
    dress: (request) => withHeader(request, "Cookie", "a=b; ".repeat(2400)),
  }),
];
