// Texts as they are compared while somebody types a name: case and accents do not count.
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}
