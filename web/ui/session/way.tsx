// What is left out on this page, and the way to it: one line, for those who can go that way.
import type { ReactNode } from "react";
import { Entry } from "../controls/entry.tsx";
import { WayLine } from "../controls/way-line.tsx";
import { Link } from "../navigation/link.tsx";
import { paths } from "../navigation/paths.ts";
import { useWords } from "../words/words.ts";
import { useCopy } from "./house.tsx";

interface Props {
  /** Of the entry that it takes the place of, on a page of settings. */
  label?: string;
  children: ReactNode;
}

/** Whoever runs the instance sees it; others see nothing where nothing works. */
export function WayToHttps({ label, children }: Props) {
  const { parts: words } = useWords();
  const isAdmin = useCopy(({ user }) => user.instance_role !== "member");
  if (!isAdmin) return null;
  const line = (
    <WayLine>
      {children} <Link href={paths.admin("health")}>{words.howToSetUp}</Link>
    </WayLine>
  );
  return label === undefined ? line : <Entry label={label}>{line}</Entry>;
}
