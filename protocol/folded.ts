// Folds names for comparison while somebody types one: the server's and the page's searches share it, so that both find
// the same names.

/**
 * Latin letters without a Unicode decomposition, and the plain ones that people type instead; and the final sigma. Such
 * letters of other alphabets (ґ, қ, ү) stand for themselves.
 */
const plain: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th", ŋ: "n", ĸ: "k", ς: "σ" },
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", ȷ: "j" },
  ...{
    ɓ: "b",
    ɖ: "d",
    ɗ: "d",
    ə: "e",
    ǝ: "e",
    ɛ: "e",
    ƒ: "f",
    ɨ: "i",
    ƙ: "k",
    ɲ: "n",
    ɔ: "o",
    ʉ: "u",
    ƴ: "y",
    ƶ: "z",
  },
};
const special = new RegExp(`[${Object.keys(plain).join("")}]`, "g");

/** Matches most names: they have neither accents nor compatibility forms. */
const inAscii = /^[ -~]*$/;

/** Returns the text without case, accents and compatibility forms, and with plain letters for special ones. */
export function folded(text: string): string {
  if (inAscii.test(text)) return text.toLowerCase();
  // A capital letter may decompose only after lowercasing.
  const small = text.normalize("NFKD").toLowerCase().normalize("NFKD");
  return small.replace(/\p{M}+/gu, "").replace(special, (letter) => plain[letter] ?? letter);
}
