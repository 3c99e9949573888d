// The syntax tree of a message: blocks, and their inline parts.

export type Inline =
  | string
  | { kind: "strong" | "emphasis" | "strike" | "spoiler"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; title: string; children: Inline[] }
  | { kind: "break" }
  | { kind: "call"; what: "person" | "role" | "everyone" | "channel"; id: string; text: string };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; children: Inline[] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: Block[] }
  | { kind: "list"; start: number | undefined; items: Block[][] };
