// Texts of calls that ring, in English.
const listed = new Intl.ListFormat("en");

export const english = {
  call: "Call",
  ringsAlready: "It rings already",
  isCalling: (name: string) => `${name} is calling`,
  direct: "Direct call",
  since: (where: string, seconds: number) => `${where}, ${seconds} s`,
  answer: "Answer",
  decline: "Decline",
  calling: (name: string) => `Calling ${name} …`,
  declined: (name: string) => `${name} declined`,
  missed: (name: string) => `${name} did not answer`,
  nobodyCame: "Nobody answered",
  areTalking: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} is in the call` : `${listed.format(names)} are in the call`,
};
