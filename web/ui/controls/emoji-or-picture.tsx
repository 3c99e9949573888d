// An icon that is an emoji, or the address of a picture on another host. The name stands beside it, so nothing is read out.
import { type ReactNode, useState } from "react";
import { Picture } from "./picture.tsx";

interface Props {
  of: string;
  /** Where the picture cannot be had. */
  otherwise?: ReactNode;
}

export function EmojiOrPicture({ of: icon, otherwise = null }: Props) {
  const [isBroken, setBroken] = useState(false);
  if (!/^https?:/i.test(icon)) return icon;
  return isBroken ? otherwise : <Picture url={icon} alt="" onFail={() => setBroken(true)} />;
}
