// Texts about what has been read, in German.
export const german = {
  markRead: "Als gelesen markieren",
  marked: (place: string) => `In ${place} ist alles gelesen`,
  notMarked: (why: string) => `Es ist so ungelesen wie vorher. ${why}`,
};
