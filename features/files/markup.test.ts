// Markup is refused, and text about markup is accepted: the first thing in a file tells them apart.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { type FileContent, fetchFile, filesOn, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { Opening } from "./opening.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

const latin1 = (text: string) => Buffer.from(text, "latin1");
const blanks = " ".repeat(4100);
const long = "\n".repeat(70_000);

const texts: readonly [name: string, content: FileContent][] = [
  ["notes.md", "# How to\n\n```html\n<html>\n<body>hi</body>\n</html>\n```\n"],
  ["review.txt", "The reviewer found a <script> tag in the name field.\n"],
  ["app.log", "12:00 GET / -> parse error near <body>\n"],
  ["export.json", '{"text":"<body>x</body>"}'],
  ["soap.json", '{"soap":"<?xml version=\\"1.0\\"?><a/>"}'],
  ["mail.csv", '"Head office" <head@example.org>;1\n'],
  ["senders.csv", "<head@example.org>;1\n<a@example.org>;2\n"],
  ["main.txt", "#include <head.h>\n"],
  ["poem.txt", "mind < body\n"],
  ["less.txt", "< body, > mind"],
  ["chat.txt", "<alice> look at <script>\n<bob> where?\n"],
  ["link.txt", "<https://example.org/a>\n"],
  ["svgo.txt", "<svgo> makes drawings smaller"],
  ["heart.txt", "<3\n<script>"],
  ["cut-off.txt", "<scrip"],
  ["all-hands.txt", "<!channel> hello"],
  ["remark.txt", "<!-- no markup follows -->\nHello <b>you</b>"],
  ["only-a-remark.md", "<!-- to do -->"],
  ["remarks.md", `${"<!-- -->\n".repeat(900)}# Hi`],
  ["open.txt", "<!-- this never ends"],
  ["later.md", "Hello\n<ScRiPt src=x>"],
  ["much-later.txt", `${"x".repeat(4100)}<html><script>alert(1)</script>`],
  ["latin.csv", latin1("M\xfcller <head@example.org>")],
  ["README.md", '<p align="center"><img src="x"></p>\n# Hi\n'],
  ["README.md", "<!-- badges -->\n<div>\n\n# Hi\n\n</div>"],
  ["README.md", '<a href="https://example.org"><img src="x"></a>'],
  ["README.md", "<h1>Hi</h1>"],
  ["README.md", "<br><b>Hi</b>"],
  ["README.md", "<table><tr><td>Hi</td></tr></table>"],
  ["README.md", "<picture><source srcset=x></picture>"],
  ["README.md", "<details><summary>Hi</summary></details>"],
  ["README.md", latin1("<p>Gr\xfc\xdfe</p>")],
];

describe("taken: a text that speaks of markup, and one in Markdown that begins with a tag or two", () => {
  for (const [name, content] of texts)
    test(`${name}: ${JSON.stringify(content.toString().slice(0, 40))}`, async () => {
      const { url } = await upload(alice, name, content);
      const { headers } = await fetchFile(alice, url);
      expect(headers.get("content-type")).toMatch(
        /^(text\/(plain|markdown|csv)|application\/(json|octet-stream))/,
      );
      expect(headers.get("content-disposition")).toStartWith("attachment");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("sandbox");
    });
});

const svg = 'xmlns="http://www.w3.org/2000/svg"';
const markup: readonly [name: string, content: FileContent][] = [
  ["page.txt", "<table><tr><td>x</td></tr></table>"],
  ["page.txt", '<a href="javascript:alert(1)">x</a>'],
  ["page.txt", "<p>x"],
  ["page.txt", "<IMG SRC=x ONERROR=alert(1)>"],
  ["page.txt", "<!-- x --><div><img src=x onerror=alert(1)></div>"],
  ["page.txt", "<!-- x -->\n<!-- y --!>\r\n<?z?></p><!x><div onclick=x>"],
  ["page.txt", `${blanks}<html><script>alert(1)</script>`],
  ["page.txt", `${long}<html>`],
  ["page.txt", `<!--${blanks}--><svg onload="alert(1)" ${svg}/>`],
  ["page.txt", `<!--${long}--><svg onload="alert(1)" ${svg}/>`],
  ["page.txt", "<!--><script>alert(1)</script>"],
  ["page.txt", `<!--> x --><svg ${svg}/>`],
  ["page.txt", `<!---> x --><svg ${svg}/>`],
  ["page.txt", "\ufeff\n <!DocType html>"],
  ["page.txt", latin1("\xef\xbb\xbf<html>\xfc")],
  ["page.csv", "<script\nsrc=x>"],
  ["page.log", "<title>x</title>"],
  ["page.txt", "<meta http-equiv=refresh content=0>"],
  ["page.png", "<h1>x</h1>"],
  ["drawing.txt", '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
  ["drawing.txt", `<g ${svg}/>`],
  ["drawing.txt", `<g\n${" ".repeat(2000)}${svg}/>`],
  ["drawing.json", "<svg/onload=alert(1)>"],
  ["page.txt", `<x xmlns="http://www.w3.org/1999/xhtml"/>`],
  ["feed.txt", "<?xml\tversion='1.0'?><a/>"],
  ["remarks.txt", "<!-- -->\n".repeat(2000)],
  ["remarks.md", `${"<?>".repeat(2000)}Hi`],
  ["page.md", "<script>alert(1)</script>"],
  ["page.md", "<html>"],
  ["page.md", `<svg ${svg}/>`],
  ["page.md", "<iframe src=x>"],
  ["page.md", "<style>x</style>"],
  ["page.md", "<!doctype html>"],
  ["page.md", "<?xml-stylesheet href='x'?><a/>"],
  ["page.md", "<!-- x --><body>"],
];

describe("refused: a text that is markup", () => {
  for (const [name, content] of markup)
    test(`${name}: ${JSON.stringify(content.toString().slice(0, 40))}`, async () => {
      const before = filesOn(house);
      const { status, body } = await tryUpload<{ error: string }>(alice, name, content);
      expect(status).toBe(415);
      expect(body.error).toMatch(/web page or other markup/);
      expect(filesOn(house)).toEqual(before);
    });
});

test("wherever the pieces end in which a text is read, it is the same", () => {
  const opened = (pieces: readonly string[]) => {
    const opening = new Opening();
    for (const piece of pieces.filter((each) => each !== "")) opening.read(piece);
    opening.read("");
    return opening.markup;
  };
  for (const [text, is] of [
    ["\ufeff <!-- -- --!> <?x?><!y></z><s:svg a='b'>", "page"],
    ["<!-- x --> <!doctype html>", "page"],
    ["<!--->", "page"],
    ["<!-- x --> <p\tclass=x>", "fragment"],
    ["<!-- x -->x<p>", undefined],
  ] as const) {
    expect([text, opened([...text])]).toEqual([text, is]);
    for (let at = 0; at <= text.length; at++)
      expect([text, at, opened([text.slice(0, at), text.slice(at)])]).toEqual([text, at, is]);
  }
});
