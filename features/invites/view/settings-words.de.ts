// Texts of invites in the settings of a server, in German.
import type { Words } from "../../../web/words/en.ts";

const number = new Intl.NumberFormat("de");
const unit = (name: "hour" | "day") =>
  new Intl.NumberFormat("de", { style: "unit", unit: name, unitDisplay: "long" });

export const german: Words["inviteSettings"] = {
  title: "Einladungen",
  pageLead: "Links, die Leute hereinlassen. Alle Mitglieder können welche anlegen; die neuesten stehen oben.",
  make: "Neue Einladung",
  live: "Einladungen",
  none: "Keine Einladung ist gültig. Leg eine an, um Leute hereinzulassen.",
  invite: "Leute einladen",
  invitePeople: (server) => `Leute zu ${server} einladen`,
  lead: "Schick den Link denen, die kommen sollen. Er führt auf eine Seite, die sagt, wohin die Einladung geht.",
  good: (hours, uses) => {
    const time =
      hours === 0
        ? "Läuft nie ab"
        : `Gilt ${hours % 24 === 0 ? unit("day").format(hours / 24) : unit("hour").format(hours)}`;
    return `${time}, ${uses === 0 ? "für alle" : uses === 1 ? "für eine Person" : `für ${number.format(uses)} Personen`}.`;
  },
  change: "Ändern",
  createLink: "Link anlegen",
  formerStays: "Der vorige Link ließ sich nicht zurückziehen. Er gilt weiter.",
  link: "Einladungslink",
  done: "Fertig",
  expiresAfter: "Läuft ab nach",
  hours: (count) =>
    count === 0 ? "Nie" : count % 24 === 0 ? unit("day").format(count / 24) : unit("hour").format(count),
  mostUses: "Wie viele ihn benutzen können",
  times: (count) =>
    count === 0 ? "Alle, die kommen" : count === 1 ? "Eine Person" : `${number.format(count)} Personen`,
  used: (uses, most) =>
    most === 0
      ? `${number.format(uses)}-mal benutzt`
      : `${number.format(uses)} von ${number.format(most)} Mal benutzt`,
  until: (time) => `bis ${time}`,
  endless: "läuft nie ab",
  copyLink: "Link kopieren",
  copyOf: (code) => `Link von ${code} kopieren`,
  revoke: "Zurückziehen",
  revokeOf: (code) => `${code} zurückziehen`,
  revokeTitle: "Einladung zurückziehen?",
  revokeLead: "Ihr Link führt dann nirgendwohin. Wer über sie kam, bleibt.",
};
