// The call that one is in, above oneself. What it is made of is loaded with the first call.
import { Suspense } from "react";
import { lazily } from "../../../web/ui/lazily.ts";
import { useCall } from "./call-state.ts";

const Bar = lazily(() => import("./call-bar-inside.tsx"));

export function CallBar() {
  const call = useCall((state) => state.call);
  return (
    call && (
      <Suspense>
        <Bar call={call} />
      </Suspense>
    )
  );
}
