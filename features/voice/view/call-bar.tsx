// The current call, above the user's own panel. Its contents are loaded with the first call.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { withWords } from "../../../web/ui/words/words.ts";
import { useCall } from "./call-state.ts";

const Bar = lazily(async () => (await withWords("rest", import("./call-bar-inside.tsx"))).default);

export function CallBar() {
  const call = useCall((state) => state.call);
  return call && <Bar call={call} />;
}
