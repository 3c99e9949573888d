// Valid names, and texts that show nothing.
import { describe, expect, test } from "bun:test";
import { hidesText, readsAsCall, showsSomething } from "./names.ts";
import { givenName } from "./shapes.ts";

describe("names", () => {
  for (const name of [
    "علی\u200cرضا",
    "گفت\u200cوگو",
    "क्\u200dष",
    // Bengali "random", Kannada "arka", Marathi "ravine", Sinhala "Sri", Malayalam "ink".
    "র\u200d্যান্ডম",
    "ಅರ\u200d್ಕ",
    "दर्\u200dया",
    "ශ්\u200dරී",
    "മഷി",
    "می\u200cخواهم",
    "👨\u200d👩\u200d👧",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "a\u0301",
    "Ann\u202fB",
    "ⵎ\u2d7fⵣ",
  ])
    test(`${JSON.stringify(name)} hides nothing, and the description promises it`, () => {
      expect([hidesText(name), showsSomething(name)]).toEqual([false, true]);
      const { pattern } = givenName(100).meta() as { pattern: string };
      expect(name).toMatch(new RegExp(pattern, "u"));
    });

  const codes = [
    0x34f, 0x17b4, 0xfe00, 0xfe0f, 0xe0100, 0xe0061, 0x1d173, 0xfff9, 0xfffc, 0x2800, 0x200b, 0xad, 0x115f,
    0x180e, 0x2061, 0xffa0, 0x200e, 0x61c, 0x2028, 0x202e, 0x2066, 0x200c, 0x200d, 0xfeff, 0x3164, 0x0, 0x7f,
    0x2d7f, 0x1d159, 0x13430, 0x13441, 0x13442, 0x16fe4, 0xfffe, 0x1ffff,
  ];
  for (const code of codes)
    test(`U+${code.toString(16)} hides, between letters, at an end and alone`, () => {
      const sign = String.fromCodePoint(code);
      for (const name of [`a${sign}b`, `ann${sign}`, `${sign}ann`, sign])
        expect([name, hidesText(name)]).toEqual([name, true]);
    });

  test("a joiner at an end, doubled or between scripts hides", () => {
    for (const name of ["علی\u200c", "\u200cعلی", "علی\u200c\u200cرضا", "علی\u200ca", "a\u200dب"])
      expect([name, hidesText(name)]).toEqual([name, true]);
  });

  test("a flag hides no text in its tags", () => {
    const tags = (text: string) =>
      String.fromCodePoint(...Array.from(text, (_, i) => 0xe0000 + text.charCodeAt(i)));
    for (const text of ["", "a", "gb", "a secret of somebody", "gbengx1", "GBENG"])
      expect([text, hidesText(`🏴${tags(text)}\u{e007f}`)]).toEqual([text, true]);
  });

  test("what calls everybody is reserved, whatever its case and width", () => {
    for (const name of [
      "everyone",
      "@everyone",
      "Here",
      "@HERE",
      "ｅｖｅｒｙｏｎｅ",
      "＠everyone",
      "everyone.",
      "Here!",
    ])
      expect([name, readsAsCall(name)]).toEqual([name, true]);
    for (const name of ["Everyone Else", "there", "hereby", "everyone.b"])
      expect([name, readsAsCall(name)]).toEqual([name, false]);
  });
});

test("a text of nothing but blanks, marks and fillers shows nothing", () => {
  for (const text of [
    "",
    " ",
    "\u200b",
    "\u3164",
    "\u2800",
    "\u0301",
    "\ufe0f",
    "\u2028 \u00ad",
    "\u{1d159}\u{13441}\uffff",
  ])
    expect([text, showsSomething(text)]).toEqual([text, false]);
});
