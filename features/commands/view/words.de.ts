// Texts of command suggestions, in German.

export const german = {
  ofBot: (bot: string, description: string) => (description === "" ? bot : `${bot} · ${description}`),
};
