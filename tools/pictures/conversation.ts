// What was said in the main channel of the pictures, day by day.
import type { Day } from "./community.ts";

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

export const conversation: readonly Day[] = [
  {
    daysAgo: 6,
    said: [
      { who: "amina", at: "10:02", text: "The shelf by the door is full again. Who can take a radio home?" },
      { who: "jonas", at: "10:05", text: "I have room for two, if they are small" },
      { who: "mei", at: "10:06", text: "Please not the Grundig, it is waiting for a dial cord" },
      { who: "amina", at: "10:07", text: "Then the two portables. Thank you!" },
      { who: "jonas", at: "10:31", text: "Done. The label on one says *1963, do not drop*" },
      { who: "tomas", at: "10:33", text: "So somebody dropped it" },
      { who: "mei", at: "10:34", text: "Somebody always does" },
    ],
  },
  {
    daysAgo: 5,
    said: [
      { who: "leyla", at: "16:40", text: "Is there a trick to open the back without breaking the clips?" },
      { who: "mei", at: "16:41", text: "A guitar pick. Start at the bottom left, there is no clip there" },
      { who: "leyla", at: "16:58", text: "It worked on the third pick" },
      { who: "priya", at: "17:02", text: "We have a jar of picks in drawer B2" },
      { who: "leyla", at: "17:03", text: "*Now* you tell me" },
      {
        who: "kofi",
        at: "17:20",
        text: "Found the owner of the blue one: she is 91, and wants to hear the shipping forecast on it",
      },
      {
        who: "mei",
        at: "17:21",
        text: "Then it goes first.",
        reactions: { "❤️": ["kofi", "leyla", "robin"] },
      },
      { who: "robin", at: "17:24", text: "I can do the case tonight" },
    ],
  },
  {
    daysAgo: 3,
    said: [
      {
        who: "tomas",
        at: "09:12",
        text: "Long wave is back on the blue one. The coil was fine, a cold joint",
      },
      { who: "kofi", at: "09:15", text: "I will call her" },
      { who: "robin", at: "09:16", text: "Case is polished, dial lamp is new" },
      {
        who: "mei",
        at: "09:40",
        text: "How long does the dial lamp stay on? She asked for less light at night.",
      },
      { who: "tomas", at: "09:52", text: `It fades by itself now:\n${oscillator}`, key: "the lamp" },
      {
        who: "leyla",
        at: "09:55",
        text: "That is lovely. Can it learn the tide table as well?",
        answers: "the lamp",
      },
      {
        who: "tomas",
        at: "09:56",
        text: "Give me a week",
        reactions: { "😂": ["leyla", "mei"], "🌊": ["kofi"] },
      },
      {
        who: "amina",
        at: "11:30",
        text: "What was in the toaster? ||A wedding ring, size 54.||",
        key: "wedding ring",
      },
      { who: "oskar", at: "11:31", text: "No" },
      { who: "amina", at: "11:31", text: "Yes. Its owner is on the way." },
      {
        who: "mei",
        at: "14:08",
        text: "Dial glass, before and after. Warm water and patience, no spirit",
        picture: "dial",
        key: "the dial",
        reactions: { "😍": ["amina", "leyla", "oskar", "robin"], "👏": ["tomas"] },
      },
      { who: "leyla", at: "14:11", text: "I would have thrown it away", answers: "the dial" },
      { who: "mei", at: "14:12", text: "I know. That is why we meet on Saturdays" },
    ],
  },
  {
    daysAgo: 2,
    said: [
      { who: "priya", at: "18:20", text: "Who borrowed the small vice?" },
      { who: "jonas", at: "18:24", text: "It is in the boat. Sorry. Tomorrow" },
      { who: "priya", at: "18:25", text: "In the *boat*" },
      { who: "jonas", at: "18:26", text: "It holds the door shut" },
      {
        who: "webhook",
        at: "19:00",
        text: "Ordered: **dial cord**, 0.6 mm, 10 m · arrives Thursday",
      },
      { who: "tomas", at: "19:04", text: "Somebody remind me to measure before I order" },
      { who: "amina", at: "19:05", text: "> measure before I order\nI will embroider that for the wall" },
      {
        who: "kofi",
        at: "20:15",
        text: "She has it back. She cried a little, then she corrected the time.",
        reactions: { "❤️": ["amina", "mei", "leyla", "priya", "robin", "tomas"] },
      },
    ],
  },
  {
    daysAgo: 1,
    said: [
      {
        who: "amina",
        at: "08:45",
        text: "Rota for the week:\n1. Monday and Tuesday: Priya\n2. Wednesday: me\n3. Saturday: everybody",
      },
      { who: "tomas", at: "08:50", text: "I am everybody" },
      {
        who: "mei",
        at: "12:30",
        text: "The drawing of the TR-330, cleaned up. Page 3 is the power supply.",
        file: { name: "tr-330-schematic.pdf", size: 1_420_000 },
      },
      { who: "leyla", at: "12:41", text: "You drew that by hand?" },
      { who: "mei", at: "12:42", text: "The last owner did. I only removed the coffee" },
      { who: "robin", at: "21:10", text: "Bench two has a new lamp. It does not flicker any more" },
    ],
  },
  {
    daysAgo: 0,
    said: [
      { who: "amina", at: "08:52", text: "Morning. The bench by the window is free until noon." },
      {
        who: "oskar",
        at: "09:03",
        text: "I brought my grandmother's kitchen radio. It hums, then goes quiet",
        key: "it hums",
      },
      {
        who: "bot",
        at: "09:05",
        text: "@oskar That sounds like a `TR-330`. See https://library.example/tr-330",
        answers: "it hums",
      },
      {
        who: "robin",
        at: "09:08",
        text: "Please leave it switched off until somebody has looked",
        isEdited: true,
      },
      {
        who: "oskar",
        at: "09:13",
        text: "@robin did you not mend one of these last winter?",
        key: "oskar asks",
      },
      { who: "oskar", at: "09:14", text: "Mine says 220 V on the back, if that matters" },
      {
        who: "mei",
        at: "09:19",
        text: "It hums because of one capacitor, and we have that one",
        reactions: { "🎉": ["oskar", "robin"], "👀": ["leyla"] },
      },
      { who: "webhook", at: "09:21", text: "Back in stock: **capacitors**, two of each, drawer C4" },
      { who: "priya", at: "09:24", text: "Drawer C4 is under the sewing machine. I will lift it" },
    ],
  },
];
