// Texts about what has been read, in English.
export const english = {
  markRead: "Mark as read",
  marked: (place: string) => `Everything in ${place} is read`,
  notMarked: (why: string) => `It is as unread as before. ${why}`,
};
