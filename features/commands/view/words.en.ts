// Texts of command suggestions, in English.

export const english = {
  ofBot: (bot: string, description: string) => (description === "" ? bot : `${bot} · ${description}`),
};
