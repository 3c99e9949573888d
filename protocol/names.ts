// What names may hold, and whether a text shows anything: by the properties that Unicode gives its signs.

/** Scripts whose spelling has joiners between letters; in all others nobody sees one. */
const joining = "Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(
  " ",
);
const joinersOfWords = joining.map((script) => {
  const letter = `(?=\\p{L})\\p{scx=${script}}`;
  // Marks may stand behind the joiner, too: Bengali and Kannada write one in front of the sign that mutes a vowel.
  return `(?<=${letter}\\p{M}*)[\\u200c\\u200d](?=\\p{M}*${letter})`;
});
/** In Berber spelling: two consonants without a vowel between them. */
const joinersOfConsonants = ["(?<=(?=\\p{L})\\p{scx=Tfng})\\u2d7f(?=(?=\\p{L})\\p{scx=Tfng})"];
const partsOfEmoji = [
  "(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic}|[\\u2640\\u2642])",
  "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  // The code of a region, which has three to six letters and digits: a longer one would be a text that nobody sees.
  "(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}",
];
const meant = new RegExp([...joinersOfWords, ...joinersOfConsonants, ...partsOfEmoji].join("|"), "gu");

/** Signs that Unicode counts among the visible ones: an empty head of a note, blanks of Braille and of hieroglyphs, fillers. */
const blanks = "\\u2800\\u2d7f\\ufff9-\\ufffc\\u{13430}-\\u{13442}\\u{16fe4}\\u{1d159}";
const unseen = `\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}${blanks}`;
const hidden = new RegExp(`[${unseen}]`, "u");
const visible = new RegExp(`[^\\p{M}\\p{Z}\\p{Cf}${unseen}]`, "u");

/** Whether a name holds signs that are invisible or that turn the text around them. */
export function hidesText(name: string): boolean {
  return hidden.test(name) && hidden.test(name.replace(meant, ""));
}

/** Whether a text has one sign at least that is drawn by itself. */
export function showsSomething(text: string): boolean {
  return visible.test(text);
}

/** Whether a name reads as what calls everybody, whatever its case and width. */
export function readsAsCall(name: string): boolean {
  return /^@*\s*(?:everyone|here)$/.test(name.normalize("NFKC").toLowerCase().trim());
}
