// The current call, above the user's own panel. Its contents are loaded with the first call.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { useCall } from "./call-state.ts";

const Bar = lazily(async () => (await import("./call-bar-inside.tsx")).default);

export function CallBar() {
  const call = useCall((state) => state.call);
  return call && <Bar call={call} />;
}
