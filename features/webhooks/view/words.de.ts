// Texts of the webhook settings, in German.
import type { Words } from "../../../web/words/en.ts";

export const german: Words["webhooks"] = {
  title: "Webhooks",
  lead: "Adressen, über die Programme in einen Kanal schreiben, ohne ein Konto.",
  channel: "Kanal",
  noChannel: "Es gibt keinen Textkanal, den du sehen kannst.",
  make: "Neuer Webhook",
  makeFor: (channel) => `Neuer Webhook für #${channel}`,
  create: "Webhook anlegen",
  full: (most) => `Ein Kanal kann ${most} Webhooks haben. Lösch erst einen.`,
  none: "Dieser Kanal hat keine Webhooks.",
  name: "Name",
  nameHint: "Unter diesem Namen stehen seine Nachrichten.",
  nameFirst: "Gib ihm zuerst einen Namen",
  since: (time) => `angelegt am ${time}`,
  address: "Adresse",
  test: "Probenachricht senden",
  testMessage: "Dieser Webhook geht.",
  tested: "Die Probenachricht steht im Kanal",
  delete: "Löschen",
  deleteOf: (name) => `${name} löschen`,
  deleteTitle: (name) => `Webhook ${name} löschen?`,
  deleteWebhook: "Webhook löschen",
  deleteLead: "Seine Adresse führt dann nirgendwohin. Was er geschrieben hat, bleibt.",
};
