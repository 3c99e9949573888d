// URLs in texts: where they begin and end, and which of them become links.
import { expect, test } from "bun:test";
import { linkTarget, ownPath, pictureIn } from "./address.ts";

test("a message that is nothing but the address of a picture is one", () => {
  for (const address of [
    "https://a.example/cat.gif",
    " https://a.example/cat.WEBP\n",
    "https://a.example/a/b.avif",
  ])
    expect(pictureIn(address)).toBeDefined();
  const others = [
    "http://a.example/cat.gif",
    "see https://a.example/cat.gif",
    "https://a.example/cat.gif?x",
    "https://a.example/cat.svg",
  ];
  for (const address of others) expect(pictureIn(address)).toBeUndefined();
});

test("a link to one of our own channels stays in the page", () => {
  expect(ownPath("https://hearth.example/servers/1/channels/2", "https://hearth.example")).toBe(
    "/servers/1/channels/2",
  );
  expect(ownPath("https://hearth.example/files/x", "https://hearth.example")).toBeUndefined();
  expect(ownPath("https://other.example/servers/1", "https://hearth.example")).toBeUndefined();
});

test("what hides its scheme is no link", () => {
  for (const address of ["java\nscript:alert(1)", " javascript:x", "https:", "http://", "mailto:"])
    expect(linkTarget(address)).toBeUndefined();
});

test("an address of another scheme is no link, whatever good one stands in it", () => {
  for (const scheme of [
    "javascript:alert(1)//",
    "javascript:x='",
    "data:text/html,",
    "vbscript:x ",
    "file:///",
    "x",
  ])
    for (const good of ["https://a.example/", "http://a.example/", "mailto:a@a.example"])
      expect(linkTarget(scheme + good)).toBeUndefined();
});

test("a host of more letters than name servers know leads nowhere, in whatever way it is written", () => {
  const label = (letter: string, length: number) => letter.repeat(length);
  const leads = [label("字", 40), `${label("例", 30)}.${label("字", 30)}.example:8080`, label("🙂", 40)];
  const leadsNot = [
    label("字", 64),
    `${`${label("字", 20)}.`.repeat(13)}example`,
    label("%E5%AD%97", 64),
    label("\ufdfa", 4),
    `/${label("字", 64)}`,
    `\t/${label("字", 64)}`,
    `user@${label("字", 64)}:80`,
  ];
  const isLed = (host: string) => linkTarget(`http://${host}/path`) !== undefined;
  expect([leads.map(isLed), leadsNot.map(isLed)]).toEqual([leads.map(() => true), leadsNot.map(() => false)]);
  for (const address of [`http://a.example/${label("字", 300)}`, `http://${label("字", 300)}@a.example/`])
    expect(linkTarget(address)).toBeDefined();
});
