// An icon: an emoji, or a picture on another host. It has no alternative text, because the name is beside it.
import { type ReactNode, useState } from "react";
import { Picture } from "./picture.tsx";

interface Props {
  of: string;
  /** Shown when the picture cannot be loaded. */
  otherwise?: ReactNode;
}

export function EmojiOrPicture({ of: icon, otherwise = null }: Props) {
  const [isBroken, setBroken] = useState(false);
  if (!/^https?:/i.test(icon)) return icon;
  return isBroken ? otherwise : <Picture url={icon} alt="" onFail={() => setBroken(true)} />;
}
