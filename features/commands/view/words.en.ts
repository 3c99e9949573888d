// What is said of commands while somebody types one, in English.

export const english = {
  ofBot: (bot: string, description: string) => (description === "" ? bot : `${bot} · ${description}`),
};
