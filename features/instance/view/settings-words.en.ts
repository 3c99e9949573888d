// Texts of the settings of the instance, in English.
export const english = {
  title: "Name and registration",
  lead: "They hold at once, for everybody.",
  name: "Name",
  nameHint: "On the page, in mails and in notifications.",
  registration: "Who may register",
  registrations: {
    open: { label: "Anyone", hint: "An account needs no invite." },
    invite: { label: "Anyone with an invite", hint: "An account comes by an invite to a server." },
    closed: { label: "Nobody", hint: "Those who have an account stay." },
  },
  fixed: "Set where the server was started. Whoever runs the machine can change it there.",
};
