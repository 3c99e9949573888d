// Names as they are compared while somebody types one: the server's searches and the page's fold them alike, so that both
// find the same ones.

/**
 * Latin letters that do not come apart, and the plain ones that people without them on their keyboard type instead; and
 * the sigma that ends a word. Letters of other alphabets that Unicode does not take apart (ґ, қ, ү) stand for themselves.
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

/** Most names: they have neither accents nor compatibility forms. */
const inAscii = /^[ -~]*$/;

/** Returns the text without case, accents and compatibility forms, and with plain letters for special ones. */
export function folded(text: string): string {
  if (inAscii.test(text)) return text.toLowerCase();
  // A capital letter may fall apart only once it is small.
  const small = text.normalize("NFKD").toLowerCase().normalize("NFKD");
  return small.replace(/\p{M}+/gu, "").replace(special, (letter) => plain[letter] ?? letter);
}
