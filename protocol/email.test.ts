// Valid e-mail addresses, and the equality of two.
import { expect, test } from "bun:test";
import { asciiEmail, isEmail } from "./email.ts";

const label = "a".repeat(63);

const good = [
  "a@b.de",
  "anna@müller.de",
  "anna@xn--mller-kva.de",
  "info@xn--e1afmkfd.xn--p1ai",
  "info@пример.рф",
  "ann@例え.example",
  "a&b@example.com",
  "o'brien+chat@mail.example.co.uk",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "a.b.c@ex-ample.com",
  `${"n".repeat(64)}@example.com`,
  `n@${label}.com`,
];

const bad = [
  "",
  "a",
  "@example.com",
  "a@",
  "a@localhost",
  "a@b@example.com",
  "a b@example.com",
  ".a@example.com",
  "a.@example.com",
  "a..b@example.com",
  "a@.example.com",
  "a@example..com",
  "a@example.com.",
  "a@-example.com",
  "a@example-.com",
  "a@exa_mple.com",
  "a@127.0.0.1",
  "a@[127.0.0.1]",
  "a@example.c",
  "a@example.123",
  "a@exa mple.com",
  "a@müller.de:25",
  "a@müller.de/x",
  "a@user:müller.de",
  "a@m%C3%BCller.ü.de",
  "a@müller.de\n",
  "a@müller..de",
  "ä@example.com",
  "a(b)@example.com",
  '"a b"@example.com',
  "a<b@example.com",
  `${"n".repeat(65)}@example.com`,
  `n@${label}a.com`,
  `n@${"ü".repeat(60)}.de`,
  `n@${`${label}.`.repeat(4)}com`,
];

test("addresses that mail servers deliver to are some", () => {
  expect(good.filter((address) => !isEmail(address))).toEqual([]);
});

test("what no mail server delivers to is none", () => {
  expect(bad.filter(isEmail)).toEqual([]);
});

test("a domain has one ASCII form, whatever its case and way of writing", () => {
  const ways = [
    "anna@müller.de",
    "anna@mu\u0308ller.de",
    "anna@MÜLLER.de",
    "anna@müller。de",
    "anna@xn--mller-kva.de",
  ];
  expect(new Set(ways.map(asciiEmail))).toEqual(new Set(["anna@xn--mller-kva.de"]));
});

test("what has no ASCII form stays as it is", () => {
  for (const text of ["müller", "", "a@", "a@example.com", "a@ü:1", "a@ü/..", "a@\u{1f600}\u200d.\u0300"])
    expect(asciiEmail(text)).toBe(text);
});
