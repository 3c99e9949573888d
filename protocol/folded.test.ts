// Plain letters match names spelled with special ones.
import { expect, test } from "bun:test";
import { folded } from "./folded.ts";

const spelled: Readonly<Record<string, string>> = {
  Łukasz: "lukasz",
  straße: "strasse",
  STRAẞE: "strasse",
  Øystein: "oystein",
  Jérémie: "jeremie",
  Æsir: "aesir",
  Đorđe: "dorde",
  İzmir: "izmir",
  Işık: "isik",
  STRASSE: "strasse",
  Əliyev: "eliyev",
  Ａｎｎａ: "anna",
  ﬁn: "fin",
  ǅungla: "dzungla",
  Ёлкий: "елкии",
  Ґанок: "ґанок",
  Қызы: "қызы",
  علی‌رضا: "علیرضا",
  علي: "علی",
  كريم: "کریم",
  محمـــد: "محمد",
  "O’Brien": "o'brien",
  Hawaiʻi: "hawai'i",
  "Jean‑Luc": "jean-luc",
  Ɠanda: "ganda",
  Ⱥnna: "anna",
};

test("plain letters find names of any spelling", () => {
  for (const [name, plain] of Object.entries(spelled)) expect([name, folded(name)]).toEqual([name, plain]);
});

test("a name is found from its first letter on, however many letters are typed", () => {
  // A sigma at the end of the typed text has another form than within the name.
  for (const name of [...Object.keys(spelled), "ΟΔΥΣΣΕΥΣ", "Οδυσσέας"])
    for (let end = 1; end <= name.length; end++)
      expect([name, end, folded(name).startsWith(folded(name.slice(0, end)))]).toEqual([name, end, true]);
});

test("what is folded stays as it is when it is folded again", () => {
  for (let code = 0; code < 0x1_1000; code++) {
    const once = folded(String.fromCodePoint(code));
    if (folded(once) !== once) expect([code.toString(16), folded(once)]).toEqual([code.toString(16), once]);
  }
});
