// Texts of the status dialog and of other people's hours, in German.
export const german = {
  setStatus: "Status setzen",
  statusText: "Was machst du gerade?",
  statusHint: "Steht unter deinem Namen. Lass es leer, um nichts zu zeigen.",
  seenAs: "Wie andere dich sehen",
  choices: {
    online: {
      label: "Online",
      hint: "Von selbst abwesend, wenn 10 Minuten lang keins deiner Geräte berührt wird.",
    },
    idle: { label: "Abwesend", hint: "Bis du es änderst." },
    dnd: { label: "Bitte nicht stören", hint: "Deine Geräte bekommen keine Nachrichten." },
    invisible: { label: "Unsichtbar", hint: "Andere sehen dich als offline." },
  },
  until: "Bis wann",
  untilThen: (when: string) => `Bis ${when}`,
  durations: {
    always: "Bis ich es ändere",
    hour: "Eine Stunde lang",
    four: "Vier Stunden lang",
    tomorrow: "Bis morgen, 8 Uhr",
  },
  save: "Status speichern",
  reachableUntil: (when: string) => `Gerade erreichbar, bis ${when}`,
  reachableFrom: (when: string) => `Wieder erreichbar: ${when}`,
};
