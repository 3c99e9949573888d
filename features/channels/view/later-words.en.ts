// Texts of the dialogs and menus of channels, in English.
export const english = {
  create: "Create channel",
  edit: "Edit channel",
  editTitle: (channel: string) => `Edit ${channel}`,
  save: "Save changes",
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
    text: { label: "Text", hint: "Messages, pictures and files." },
    voice: { label: "Voice", hint: "A room to talk in, and to share the screen." },
  },
  name: "Channel name",
  nameFirst: "Give it a name first",
  category: "Category",
  categoryHint: "Optional. One that is there, or a new one.",
};
