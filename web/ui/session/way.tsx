// A line in place of something that this page lacks, with a link for people who can set it up.
import type { ReactNode } from "react";
import { Entry } from "../controls/entry.tsx";
import { WayLine } from "../controls/way-line.tsx";
import { Link } from "../navigation/link.tsx";
import { paths } from "../navigation/paths.ts";
import { useWords } from "../words/words.ts";
import { useCopy } from "./house.tsx";

interface Props {
  /** The label of the entry that it replaces, on a page of settings. */
  label?: string;
  children: ReactNode;
}

/** Shown to people who run the instance only: others see nothing. */
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
