// The images in the screenshots, drawn as SVG: avatars, server icons, and a double photograph.
import sharp from "sharp";
import type { Who } from "./community.ts";

/** Avatars of 96 by 96 pixels; people without one show a letter. */
const faces: Partial<Record<Who | "bot", string>> = {
  robin: `<rect width="96" height="96" fill="#1c3b45"/><path d="M0 70 Q24 54 48 66 T96 60 V96 H0Z" fill="#122a32"/>
    <circle cx="66" cy="30" r="12" fill="#f0b657"/><path d="M30 74 V44 L48 28 L66 44 V74Z" fill="#d9c7a3"/>
    <rect x="43" y="54" width="11" height="20" fill="#7a4a2a"/>`,
  amina: `<rect width="96" height="96" fill="#e9d3b4"/><circle cx="48" cy="52" r="24" fill="#b4532a"/>
    <path d="M24 50 Q48 8 72 50 Q60 38 48 38 T24 50Z" fill="#7d3218"/><circle cx="48" cy="54" r="5" fill="#f3e2c6"/>`,
  mei: `<rect width="96" height="96" fill="#dfe9e4"/><rect x="16" y="30" width="64" height="42" rx="6" fill="#12796a"/>
    <circle cx="36" cy="51" r="12" fill="#dfe9e4"/><circle cx="36" cy="51" r="5" fill="#12796a"/>
    <path d="M56 42 h16 M56 51 h16 M56 60 h10" stroke="#dfe9e4" stroke-width="4"/><path d="M66 30 L76 12" stroke="#0d4f46" stroke-width="4"/>`,
  tomas: `<rect width="96" height="96" fill="#2c2640"/><path d="M10 84 L58 36 L66 44 L18 92Z" fill="#c9c3d9"/>
    <path d="M58 36 L74 12 L84 22 L66 44Z" fill="#e8873a"/><circle cx="78" cy="14" r="5" fill="#ffe2a8"/>`,
  priya: `<rect width="96" height="96" fill="#f0dfe3"/><path d="M14 20 C60 24 30 60 82 76" stroke="#a03a63" stroke-width="5" fill="none" stroke-dasharray="12 7"/>
    <path d="M66 18 L30 80" stroke="#5b6470" stroke-width="4"/><circle cx="66" cy="20" r="5" fill="none" stroke="#5b6470" stroke-width="4"/>`,
  oskar: `<rect width="96" height="96" fill="#cfdce8"/><path d="M0 66 Q16 56 32 66 T64 66 T96 66 V96 H0Z" fill="#3a6a92"/>
    <path d="M20 62 H76 L66 76 H30Z" fill="#8a3b2e"/><path d="M48 60 V18 L72 54Z" fill="#fbf6ea"/>`,
  jonas: `<rect width="96" height="96" fill="#dce6d2"/><path d="M22 78 C18 36 52 18 80 18 C80 60 52 82 22 78Z" fill="#55803f"/>
    <path d="M24 76 L66 34" stroke="#dce6d2" stroke-width="4"/>`,
  ines: `<rect width="96" height="96" fill="#f2e3c2"/><circle cx="48" cy="48" r="26" fill="none" stroke="#54607a" stroke-width="6"/>
    <path d="M48 48 V30 M48 48 L62 56" stroke="#54607a" stroke-width="5"/>`,
  bot: `<rect width="96" height="96" fill="#d8d2c4"/><rect x="22" y="34" width="52" height="40" rx="9" fill="#4b5560"/>
    <circle cx="37" cy="54" r="6" fill="#f0b657"/><circle cx="59" cy="54" r="6" fill="#f0b657"/>
    <path d="M48 34 V20" stroke="#4b5560" stroke-width="4"/><circle cx="48" cy="18" r="5" fill="#4b5560"/>`,
};

const icons = {
  moon: `<rect width="96" height="96" fill="#232a4a"/><circle cx="46" cy="50" r="28" fill="#f2dca0"/><circle cx="60" cy="40" r="25" fill="#232a4a"/>
    <circle cx="74" cy="66" r="3" fill="#f2dca0"/><circle cx="20" cy="20" r="3" fill="#f2dca0"/>`,
  notes: `<rect width="96" height="96" fill="#f1e6cf"/><path d="M36 70 V24 L72 18 V62" stroke="#7d3218" stroke-width="6" fill="none"/>
    <ellipse cx="28" cy="70" rx="11" ry="9" fill="#7d3218"/><ellipse cx="64" cy="62" rx="11" ry="9" fill="#7d3218"/>`,
} as const;

const ticks = (from: number, colour: string) =>
  Array.from({ length: 19 }, (_, i) => {
    const x = from + 40 + i * 25;
    return `<path d="M${x} 118 v${i % 3 === 0 ? 46 : 26}" stroke="${colour}" stroke-width="4"/>`;
  }).join("");

/** A dial glass, under dust on the left and clean on the right. */
const dial = `<svg xmlns="http://www.w3.org/2000/svg" width="1120" height="640">
  <rect width="1120" height="640" fill="#3b2a20"/>
  <rect x="20" y="60" width="530" height="520" rx="22" fill="#6b5037"/><rect x="570" y="60" width="530" height="520" rx="22" fill="#6b5037"/>
  <rect x="44" y="84" width="482" height="210" rx="10" fill="#8d7f5f"/><rect x="594" y="84" width="482" height="210" rx="10" fill="#f5e7bd"/>
  <g opacity="0.45">${ticks(20, "#4d4330")}</g>${ticks(570, "#5d2f1a")}
  <path d="M60 220 H510 M60 250 H510" stroke="#4d4330" stroke-width="3" opacity="0.4"/>
  <path d="M610 220 H1060 M610 250 H1060" stroke="#5d2f1a" stroke-width="3"/>
  <path d="M250 96 V282" stroke="#7c3a24" stroke-width="6" opacity="0.5"/><path d="M800 96 V282" stroke="#c8321c" stroke-width="6"/>
  <g fill="#2a1d15"><circle cx="130" cy="440" r="72"/><circle cx="440" cy="440" r="72"/><circle cx="680" cy="440" r="72"/><circle cx="990" cy="440" r="72"/></g>
  <g fill="none" stroke="#c9a15f" stroke-width="7"><circle cx="680" cy="440" r="58"/><circle cx="990" cy="440" r="58"/></g>
  <g fill="none" stroke="#6f5b3b" stroke-width="7"><circle cx="130" cy="440" r="58"/><circle cx="440" cy="440" r="58"/></g>
  <g fill="#d8cbb0" opacity="0.35"><circle cx="110" cy="140" r="26"/><circle cx="380" cy="200" r="40"/><circle cx="220" cy="240" r="22"/><circle cx="470" cy="130" r="18"/></g>
</svg>`;

const photographs = { dial } as const;

type Photograph = keyof typeof photographs;

export function drawPhotograph(name: Photograph): Promise<Buffer> {
  return sharp(Buffer.from(photographs[name])).png().toBuffer();
}

export function drawIcon(name: keyof typeof icons): Promise<Buffer> {
  return small(icons[name]);
}

/** Resolves to undefined for people without an avatar. */
export async function drawFace(who: Who | "bot"): Promise<Buffer | undefined> {
  const face = faces[who];
  return face === undefined ? undefined : small(face);
}

function small(shapes: string): Promise<Buffer> {
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96">${shapes}</svg>`))
    .png()
    .toBuffer();
}
