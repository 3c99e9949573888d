// What a call does wherever one is in the house, loaded when the page is quiet, or with the first call if that is sooner.
import { unhurried } from "../../../web/ui/loading/later.tsx";
import { useCall } from "./call-state.ts";

export const CallWatch = unhurried(async () => (await import("./call-watch.tsx")).CallWatch);

// The keys of the call are in it: a call goes on without them, but a held key would not be heard.
useCall.subscribe(({ call }) => {
  if (call) void CallWatch.ask().catch(() => {});
});
