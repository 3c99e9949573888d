// Redaction of texts: everything is shown but what looks like a secret, in any spelling, and quickly.
import { describe, expect, test } from "bun:test";
import { CannotStart } from "./cannot-start.ts";
import {
  pathWithoutSecrets,
  secretPlace,
  secretsIn,
  valueWithoutSecrets,
  withoutSecrets,
} from "./secrets.ts";

const token = "aB3-".repeat(11).slice(0, 43);
const places = [secretPlace("/webhooks/{webhookID}/{token}", "token")];
const header = "eyJhbGciOiJIUzI1NiJ9";
const claims = "eyJ2aWRlbyI6eyJyb29tTGlzdCI6dHJ1ZX19";
const signature = "c2lnbmVkLWJ5LXRoZS1zZWNyZXQtb2YtTGl2ZUtpdA";

describe("a path", () => {
  test("stays as it is when it holds no secret", () => {
    for (const path of [
      "/",
      "/api/v1/servers",
      "/api/v1/channels/01890000-0000-7000-8000-000000000000/webhooks",
      "/webhooks/an-id",
      "/api/v1/hs",
      "/ths_/x",
      "/api/v1/channels/x/reactions/%F0%9F%91%8D/@me",
    ]) {
      expect(pathWithoutSecrets(path, places)).toBe(path);
    }
  });

  test("shows where a webhook's token was, at the root and under /api/v1", () => {
    for (const [path, shown] of [
      ["/webhooks/an-id/any-token", "/webhooks/an-id/…"],
      [`/api/v1/webhooks/an-id/hw_${token}`, "/api/v1/webhooks/an-id/…"],
      ["/Webhooks/an-id%2Fany-token", "/Webhooks/an-id%2F…"],
      ["/webhooks%2fan-id%2fany-token", "/webhooks%2fan-id%2f…"],
      // A path escaped twice, or wrongly, is not one of ours.
      ["/x/an-id%252Fany-token/y", "/x/…/y"],
      ["/x/any-token%2/y", "/x/…/y"],
    ] as const)
      expect(pathWithoutSecrets(path, places)).toBe(shown);
  });

  test("shows what stands where no operation declares a secret", () => {
    expect(pathWithoutSecrets("/webhooks/an-id/any-token")).toBe("/webhooks/an-id/any-token");
    expect(pathWithoutSecrets("/hooks/any-token", places)).toBe("/hooks/any-token");
  });

  const spellings: Record<string, string> = {
    plain: `/x/hw_${token}`,
    "in capitals": `/x/HW_${token}/y`,
    "at the very beginning": `hs_${token}`,
    "after letters": `/xhb_${token}`,
    "after an escaped slash": `/webhooks/an-id%2fhw_${token}`,
    "after an escaped slash in capitals": `/webhooks/an-id%2Fhw_${token}`,
    "after a slash escaped twice": `/webhooks/an-id%252fhw_${token}`,
    "after a slash escaped three times": `/x%25252Fhw_${token}`,
    "with an escaped underline": `/x/hs%5f${token}`,
    "with an underline escaped twice": `/x/hs%255F${token}`,
    "with an escaped first letter": `/x/%68w_${token}`,
    "with an escaped second letter": `/x/h%77_${token}`,
    "with its beginning escaped": `/x/%68%72%5F${token}`,
    "with escapes inside": `/x/hr_${token.slice(0, 9)}%2D${token.slice(9)}`,
    "with every sign escaped": `/x/${[...`hw_${token}`].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join("")}`,
    "with every sign escaped twice": `/x/${[...`hw_${token}`].map((sign) => `%25${sign.charCodeAt(0).toString(16)}`).join("")}`,
    "with the digits of an escape escaped": `/x/%%36%38w_${token}`,
    "twice in one path": `/a/hs_${token}/b/hb_${token}`,
    "a web token": `/x/${header}.${claims}.${signature}`,
    "a web token with escaped dots": `/x/${header}%2e${claims}%2E${signature}`,
    "the end of a web token": `/x/${signature}`,
  };
  for (const [how, path] of Object.entries(spellings)) {
    test(`shows nothing of a secret ${how}`, () => {
      const shown = pathWithoutSecrets(path, places);
      for (const secret of [token.slice(9), claims, signature]) expect(shown).not.toContain(secret);
      expect(decodedWholly(shown)).not.toMatch(/aB3-aB3|c2lnbmVk|eyJ/);
      expect(shown).toContain("…");
    });
  }
});

describe("a text", () => {
  const texts: [what: string, text: string, shown: string][] = [
    [
      "a web token",
      `invalid token: ${header}.${claims}.${signature}, error: x`,
      "invalid token: …, error: x",
    ],
    ["a web token that was cut", `bad ${header}.${claims.slice(0, 20)}`, "bad …"],
    ["one with escaped dots", `bad ${header}\\u002e${claims}\\.${signature} end`, "bad … end"],
    ["a header", "Authorization: Bot something here\nnext", "Authorization: …\nnext"],
    ["one in JSON", '{"authorization":"Bearer x y","a":1}', '{"authorization":"…","a":1}'],
    ["cookies", "Set-Cookie: a=b; c=d\r\nx", "Set-Cookie: …\r\nx"],
    ["a bearer's token", "got Bearer abcdefgh.ijk-l, sorry", "got Bearer …, sorry"],
    ["a basic one", "sent Basic dXNlcjpwYXNz, sorry", "sent Basic …, sorry"],
    ["SMTP's", "535 AUTH PLAIN AHVzZXIAcGFzcw== refused", "535 AUTH PLAIN … refused"],
    ["a key", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END", "-----BEGIN EC PRIVATE KEY-----…-----END"],
    ["a key without its frame", `key of VAPID ${token} is short`, "key of VAPID … is short"],
    ["a password", "password=carp&sslmode=require", "password=…&sslmode=require"],
    [
      "an address with one",
      "at postgres://hearth:carp@db.example/chat now",
      "at postgres://…@db.example/chat now",
    ],
    ["one with odd signs", '"smtp://me:c/a#r?p@@mail.example" is none', '"smtp://…@mail.example" is none'],
    ["one that is a token", "https://ghp_secret@git.example/x", "https://…@git.example/x"],
  ];
  for (const [what, text, shown] of texts) {
    test(`shows not ${what}`, () => {
      expect(withoutSecrets(text)).toBe(shown);
    });
  }

  test("shows what is none: stacks, ids, addresses, times", () => {
    for (const text of [
      "at run (/srv/hearth/node_modules/@simplewebauthn/server/esm/registration.js:12:3)",
      "at file:///srv/hearth/node_modules/@scope/name.js",
      "request 01890000-0000-7000-8000-000000000000 at 2026-11-22T00:46:22.123Z",
      "see https://chat.example.org/api/v1/servers?limit=3",
      'duplicate key value violates unique constraint "users_email_key"',
    ]) {
      expect(withoutSecrets(text)).toBe(text);
    }
  });

  test("shows no value that is known to be secret, wherever it stands", () => {
    expect(withoutSecrets("said: swordfish 9!", ["swordfish 9!"])).toBe("said: …");
  });

  test("is cut between two words when it is long", () => {
    const shown = withoutSecrets(`${"word ".repeat(5000)}${token}`);
    expect(shown.length).toBeLessThan(9000);
    expect(shown).toEndWith("word … (25043 characters)");
    expect(withoutSecrets(token.repeat(500))).toBe("… (21500 characters)");
  });

  // Anything that takes longer than linear time would not finish here.
  test("of four million signs, whichever they are, takes no time to speak of", () => {
    const signs = [
      "a",
      "%",
      "%25",
      "\\",
      "\\\\u00",
      "://",
      "@",
      ":",
      "eyJ",
      "eyJa.",
      "hs_",
      "h%73",
      "webhooks/",
    ];
    for (const sign of [
      ...signs,
      "webhooks%2f",
      "Bearer ",
      "password ",
      '"',
      " ",
      "cookie:",
      "-----BEGIN ",
      "aA-",
    ]) {
      for (const length of [8000, 4_194_304]) {
        const text = sign.repeat(length / sign.length);
        for (const each of [text, `://${text}`, `hw_${text}@`]) {
          expect(withoutSecrets(each, places).length).toBeLessThan(10_000);
          expect(pathWithoutSecrets(each, places).length).toBeLessThan(4_300_000);
        }
      }
    }
  });
});

test("a value shows nothing under a name that means a secret, however deep it lies", () => {
  const value = {
    code: "E1",
    password: "carp",
    deep: [{ api_key: "pike", accessToken: { of: "x" }, text: `hs_${token}` }],
    token_is_set: true,
    count: 3,
    nothing: null,
    passkey: `${token}${token}`,
  };
  expect(valueWithoutSecrets(value, [])).toEqual({
    code: "E1",
    password: "…",
    deep: [{ api_key: "…", accessToken: "…", text: "hs_…" }],
    token_is_set: true,
    count: 3,
    nothing: null,
    passkey: `${token}${token}`,
  });
});

test("a reason not to start keeps the password in it to itself", () => {
  const { message } = new CannotStart("There is nobody at postgres://hearth:carp@db.example/chat.");
  expect(message).toBe("There is nobody at postgres://…@db.example/chat.");
});

test("of the settings it is known what must not be repeated", () => {
  expect(secretsIn("a-secret-of-livekit", true)).toContain("a-secret-of-livekit");
  expect(secretsIn("prometheus:a-token", true)).toContain("prometheus:a-token");
  expect(secretsIn("smtp://mail.example:25", true)).toEqual([]);
  expect(secretsIn("info", false)).toEqual([]);
  expect(
    secretsIn("postgres://hearth:sword%21fish@db/chat?sslmode=verify-full&password=pikeperch", false),
  ).toEqual(expect.arrayContaining(["sword%21fish", "sword!fish", "pikeperch"]));
  expect(secretsIn("postgres://hearth:swordfish@db/chat?sslmode=verify-full", false)).not.toContain(
    "verify-full",
  );
});

function decodedWholly(text: string): string {
  const once = text.replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return once === text ? text : decodedWholly(once);
}
