// Texts of the list of channels, in English.
export const english = {
  channels: "Channels",
  back: "Back to channels",
  members: "Members",
  muted: "muted",
  locked: "closed to you",
  private: "private",
  menu: "Channel menu",
  menuOf: (channel: string) => `Menu of ${channel}`,
  createIn: (category: string) => `Create channel in ${category}`,
  moved: (channel: string, category: string, place: number, of: number) =>
    `${channel} is now ${place} of ${of} in ${category}`,
  notMoved: "The channel could not be moved. This Hearth cannot be reached.",
  noCategory: "no category",
  inRoom: (channel: string) => `In ${channel}`,
  micOff: "microphone off",
  deafened: "not listening",
  speaking: "speaking",
};
