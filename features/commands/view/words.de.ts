// What is said of commands while somebody types one, in German.

export const german = {
  ofBot: (bot: string, description: string) => (description === "" ? bot : `${bot} · ${description}`),
};
