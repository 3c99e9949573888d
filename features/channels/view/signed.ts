// The name of a channel in a sentence: that of a text channel stands behind its sign.
import type { OwnChannel } from "../state.ts";

export function signed({ type, name }: Pick<OwnChannel, "type" | "name">): string {
  return type === "text" ? `#${name}` : name;
}
