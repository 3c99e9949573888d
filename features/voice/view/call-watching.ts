// The background part of a call, loaded when the page is idle, or with the first call if that is sooner.
import { unhurried } from "../../../web/ui/loading/later.tsx";
import { useCall } from "./call-state.ts";

export const CallWatch = unhurried(async () => (await import("./call-watch.tsx")).CallWatch);

// Contains the shortcut keys of the call: it goes on without them, but a held key would have no effect.
useCall.subscribe(({ call }) => {
  if (call) void CallWatch.ask().catch(() => {});
});
