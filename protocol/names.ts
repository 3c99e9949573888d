// Checks of invisible characters in names, and of texts that show nothing, by Unicode properties.

/** Scripts whose spelling has joiners between letters; in all others they are invisible. */
const joining = "Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(
  " ",
);
const joinersOfWords = joining.map((script) => {
  const letter = `(?=\\p{L})\\p{scx=${script}}`;
  // Marks may follow the joiner, too: Bengali and Kannada write one before the sign that mutes a vowel.
  return `(?<=${letter}\\p{M}*)[\\u200c\\u200d](?=\\p{M}*${letter})`;
});
/** In Berber spelling: a joiner between two consonants without a vowel. */
const joinersOfConsonants = ["(?<=(?=\\p{L})\\p{scx=Tfng})\\u2d7f(?=(?=\\p{L})\\p{scx=Tfng})"];
const partsOfEmoji = [
  "(?<=\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic}|[\\u2640\\u2642])",
  "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  // The code of a region, which has three to six letters and digits: a longer one would be a hidden text.
  "(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}",
];
const meant = new RegExp([...joinersOfWords, ...joinersOfConsonants, ...partsOfEmoji].join("|"), "gu");

/**
 * Blank characters that Unicode counts as visible: an empty note head, blanks of Braille and of hieroglyphs, fillers.
 */
const blanks = "\\u2800\\u2d7f\\ufff9-\\ufffc\\u{13430}-\\u{13442}\\u{16fe4}\\u{1d159}";
const unseen = `\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}${blanks}`;
const hidden = new RegExp(`[${unseen}]`, "u");
const visible = new RegExp(`[^\\p{M}\\p{Z}\\p{Cf}${unseen}]`, "u");

/** True if a name holds characters that are invisible or that change the direction of the text around them. */
export function hidesText(name: string): boolean {
  return hidden.test(name) && hidden.test(name.replace(meant, ""));
}

/** True if a text has at least one character that is drawn by itself. */
export function showsSomething(text: string): boolean {
  return visible.test(text);
}

/** True if a name reads as a mention of everybody, whatever its case and width, and the punctuation behind it. */
export function readsAsCall(name: string): boolean {
  return /^@*\s*(?:everyone|here)\p{P}*$/u.test(name.normalize("NFKC").toLowerCase().trim());
}
