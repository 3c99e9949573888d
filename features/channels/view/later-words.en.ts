// Texts of the dialogs and menus of channels, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("en");

export const english = {
  create: "Create channel",
  settings: "Channel settings",
  delete: "Delete channel",
  deleteTitle: (channel: string) => `Delete ${channel}`,
  deleteLead: "All messages and files in it are deleted for everybody. Nobody can bring them back.",
  deleteVoiceLead: "Who talks there now is put out. Nobody can bring the room back.",
  up: "Move up",
  down: "Move down",
  moveUp: "Move the channel that has the focus up",
  moveDown: "Move the channel that has the focus down",
  type: "Kind of channel",
  types: {
    text: { label: "Text", hint: "Messages, pictures and files" },
    voice: { label: "Voice room", hint: "Talk and share a screen" },
  },
  name: "Channel name",
  nameHint: "Lower case; spaces become hyphens.",
  withoutCategory: "No category",
  newCategory: "New category…",
  nameOfCategory: "Name of the category",
  needsLiveKit: "Needs a LiveKit server.",
  privateChannel: "Private channel",
  privateHint: "Only the roles and people you choose can see it.",
  noRank: "You hold no role above @everyone, so you cannot close it to others. The owner can.",
  whoSees: "Who can see it",
  addMember: "Add a member",
  ranksAbove: (role: string) => `${role} does not rank below you`,
  seers: (count: number) => (count === 1 ? "1 person will see it" : `${numberOf(count)} people will see it`),
  nameFirst: "Give it a name first",
  category: "Category",
};
