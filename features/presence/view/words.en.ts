// Texts of the status dialog and of other people's hours, in English.
export const english = {
  setStatus: "Set status",
  statusText: "What are you doing?",
  statusHint: "Shown below your name. Empty it to show nothing.",
  seenAs: "How others see you",
  choices: {
    online: { label: "Online", hint: "Away by itself after 10 minutes without a touch on any device." },
    idle: { label: "Away", hint: "Until you change it." },
    dnd: { label: "Do not disturb", hint: "Nothing is pushed to your devices." },
    invisible: { label: "Invisible", hint: "Others see you as offline." },
  },
  until: "Until when",
  untilThen: (when: string) => `Until ${when}`,
  durations: {
    always: "Until I change it",
    hour: "For one hour",
    four: "For four hours",
    tomorrow: "Until tomorrow, 08:00",
  },
  save: "Save status",
  reachableUntil: (when: string) => `Can be reached now, until ${when}`,
  reachableFrom: (when: string) => `Can be reached again ${when}`,
};
