// The title of a page whose sidebar has none, or is not shown: a phone shows one pane alone.
import { useFrameWidth } from "../browser/frame-width.ts";

interface Props {
  /** True if the sidebar has no title either. */
  isAlways?: boolean;
  children: string;
}

export function PageTitle({ isAlways = false, children }: Props) {
  const isNarrow = useFrameWidth() === "narrow";
  return isAlways || isNarrow ? <h1 className="visually-hidden">{children}</h1> : null;
}
