// The title of the page where a phone shows one pane alone: that of the sidebar is not there then.
import { useFrameWidth } from "../browser/frame-width.ts";

export function PhoneTitle({ children }: { children: string }) {
  return useFrameWidth() === "narrow" ? <h1 className="visually-hidden">{children}</h1> : null;
}
