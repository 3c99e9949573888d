// The messages in the main channel of the screenshots, day by day.
import type { Day, Said } from "./community.ts";

const oscillator = `\`\`\`cpp
// Two minutes of light, then dim to nothing in ten steps.
const int lamp = 9;

void loop() {
  analogWrite(lamp, 255);
  delay(120000);
  for (int step = 10; step >= 0; step--) {
    analogWrite(lamp, step * 25);
    delay(400);
  }
}
\`\`\``;

/** Builds a message from its author, time and text, with attachments, reactions and the like in `more`. */
function says(
  who: Said["who"],
  at: string,
  text: string,
  more: Omit<Said, "who" | "at" | "text"> = {},
): Said {
  return { who, at, text, ...more };
}

export const conversation: readonly Day[] = [
  {
    daysAgo: 6,
    said: [
      says("amina", "10:02", "The shelf by the door is full again. Who can take a radio home?"),
      says("jonas", "10:05", "I have room for two, if they are small"),
      says("mei", "10:06", "Please not the Grundig, it is waiting for a dial cord"),
      says("amina", "10:07", "Then the two portables. Thank you!"),
      says("jonas", "10:31", "Done. The label on one says *1963, do not drop*"),
      says("tomas", "10:33", "So somebody dropped it"),
      says("mei", "10:34", "Somebody always does"),
    ],
  },
  {
    daysAgo: 5,
    said: [
      says("leyla", "16:40", "Is there a trick to open the back without breaking the clips?"),
      says("mei", "16:41", "A guitar pick. Start at the bottom left, there is no clip there"),
      says("leyla", "16:58", "It worked on the third pick"),
      says("priya", "17:02", "We have a jar of picks in drawer B2"),
      says("leyla", "17:03", "*Now* you tell me"),
      says(
        "kofi",
        "17:20",
        "Found the owner of the blue one: she is 91, and wants to hear the shipping forecast on it",
      ),
      says("mei", "17:21", "Then it goes first.", { reactions: { "❤️": ["kofi", "leyla", "robin"] } }),
      says("robin", "17:24", "I can do the case tonight"),
    ],
  },
  {
    daysAgo: 3,
    said: [
      says("tomas", "09:12", "Long wave is back on the blue one. The coil was fine, a cold joint"),
      says("kofi", "09:15", "I will call her"),
      says("robin", "09:16", "Case is polished, dial lamp is new"),
      says("mei", "09:40", "How long does the dial lamp stay on? She asked for less light at night."),
      says("tomas", "09:52", `It fades by itself now:\n${oscillator}`, { key: "the lamp" }),
      says("leyla", "09:55", "That is lovely. Can it learn the tide table as well?", { answers: "the lamp" }),
      says("tomas", "09:56", "Give me a week", { reactions: { "😂": ["leyla", "mei"], "🌊": ["kofi"] } }),
      says("amina", "11:30", "What was in the toaster? ||A wedding ring, size 54.||", {
        key: "wedding ring",
      }),
      says("oskar", "11:31", "No"),
      says("amina", "11:31", "Yes. Its owner is on the way."),
      says("mei", "14:08", "Dial glass, before and after. Warm water and patience, no spirit", {
        picture: "dial",
        key: "the dial",
        reactions: { "😍": ["amina", "leyla", "oskar", "robin"], "👏": ["tomas"] },
      }),
      says("leyla", "14:11", "I would have thrown it away", { answers: "the dial" }),
      says("mei", "14:12", "I know. That is why we meet on Saturdays"),
    ],
  },
  {
    daysAgo: 2,
    said: [
      says("priya", "18:20", "Who borrowed the small vice?"),
      says("jonas", "18:24", "It is in the boat. Sorry. Tomorrow"),
      says("priya", "18:25", "In the *boat*"),
      says("jonas", "18:26", "It holds the door shut"),
      says("webhook", "19:00", "Ordered: **dial cord**, 0.6 mm, 10 m · arrives Thursday"),
      says("tomas", "19:04", "Somebody remind me to measure before I order"),
      says("amina", "19:05", "> measure before I order\nI will embroider that for the wall"),
      says("kofi", "20:15", "She has it back. She cried a little, then she corrected the time.", {
        reactions: { "❤️": ["amina", "mei", "leyla", "priya", "robin", "tomas"] },
      }),
    ],
  },
  {
    daysAgo: 1,
    said: [
      says(
        "amina",
        "08:45",
        "Rota for the week:\n1. Monday and Tuesday: Priya\n2. Wednesday: me\n3. Saturday: everybody",
      ),
      says("tomas", "08:50", "I am everybody"),
      says("mei", "12:30", "The drawing of the TR-330, cleaned up. Page 3 is the power supply.", {
        file: { name: "tr-330-schematic.pdf", size: 1420000 },
      }),
      says("leyla", "12:41", "You drew that by hand?"),
      says("mei", "12:42", "The last owner did. I only removed the coffee"),
      says("robin", "21:10", "Bench two has a new lamp. It does not flicker any more"),
    ],
  },
  {
    daysAgo: 0,
    said: [
      says("amina", "08:52", "Morning. The bench by the window is free until noon."),
      says("oskar", "09:03", "I brought my grandmother's kitchen radio. It hums, then goes quiet", {
        key: "it hums",
      }),
      says("bot", "09:05", "@oskar That sounds like a `TR-330`. See https://library.example/tr-330", {
        answers: "it hums",
      }),
      says("robin", "09:08", "Please leave it switched off until somebody has looked", { isEdited: true }),
      says("oskar", "09:13", "@robin did you not mend one of these last winter?", { key: "oskar asks" }),
      says("oskar", "09:14", "Mine says 220 V on the back, if that matters"),
      says("mei", "09:19", "It hums because of one capacitor, and we have that one", {
        reactions: { "🎉": ["oskar", "robin"], "👀": ["leyla"] },
      }),
      says("webhook", "09:21", "Back in stock: **capacitors**, two of each, drawer C4"),
      says("priya", "09:24", "Drawer C4 is under the sewing machine. I will lift it"),
    ],
  },
];
