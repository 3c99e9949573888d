// Texts about reactions, in English.
export const english = {
  reactions: "Reactions",
  react: "React",
  reactWith: (emoji: string) => `React with ${emoji}`,
  add: "Add a reaction",
  full: "20 kinds of emoji are the most that a message can have.",
  count: (emoji: string, count: number) => `${emoji} ${count}`,
  showMore: (count: number) => `Show ${count} more`,
  showFewer: "Show fewer",
  you: "you",
  others: (count: number) => (count === 1 ? "one other" : `${count} others`),
  cannot: (why: string) => `The reaction is as it was. ${why}`,
};
