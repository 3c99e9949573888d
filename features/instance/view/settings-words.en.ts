// Texts of the settings of the instance, in English.
export const english = {
  title: "Name and registration",
  lead: "They hold at once, for everybody.",
  name: "Name",
  nameHint: "On the page, in mails and in notifications.",
  registration: "Who may register",
  registrations: {
    open: { label: "Everybody", hint: "Whoever finds the address can make an account." },
    invite: { label: "Whoever has an invite", hint: "An account is made by way of an invite to a server." },
    closed: { label: "Nobody", hint: "Those who have an account stay." },
  },
  fixed: "Set where the server was started. Whoever runs the machine can change it there.",
};
