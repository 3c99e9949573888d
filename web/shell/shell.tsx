// The page behind the gate: connects, checks that somebody is signed in, and routes by address.

import { Route, Switch } from "wouter";
import { BlockList } from "../../features/blocks/view/blocks.ts";
import { watchTouches } from "../../features/presence/view/touched.ts";
import { fillSlots } from "../features.tsx";
import { lazily } from "../ui/browser/lazily.ts";
import { Region } from "../ui/controls/region.tsx";
import { following, later, loadTheRest } from "../ui/loading/later.tsx";
import { Opened } from "../ui/loading/opened.tsx";
import { always, filled } from "../ui/loading/slots.ts";
import { HouseProvider } from "../ui/session/house.tsx";
import { withWords } from "../ui/words/words.ts";
import { Frame } from "./frame.tsx";
import { SignedIn } from "./signed-in.tsx";

const OwnPresence = following(
  async () => (await import("../../features/presence/view/own-presence.ts")).OwnPresence,
);
const UnreadMarks = following(
  async () => (await import("../../features/read-states/view/unread-marks.tsx")).UnreadMarks,
);
const Toasts = following(async () => (await import("../ui/loading/toasts.tsx")).Toasts);
const Invite = later(async () => (await withWords("gate", import("./invite.tsx"))).Invite);
const Console = lazily(() => pages(import("../../features/administration/view/console.tsx")));
const PersonSettings = lazily(() => pages(import("../settings/person-settings.tsx")));
const ChannelSettings = lazily(() => pages(import("./channel-settings.tsx")));
const ServerSettings = lazily(() => pages(import("./server-settings.tsx")));

async function pages<T>(page: Promise<{ default: T }>): Promise<T> {
  return (await withWords("pages", withWords("rest", withWords("gate", page)))).default;
}

/** Ignores the error of a part that shows nothing, which is in the browser's console. */
const unseen = () => {};

fillSlots();
watchTouches();
loadTheRest();

/** Stays mounted across navigation, and keeps the connection. */
export default function Shell() {
  return (
    <HouseProvider>
      <Switch>
        <Route path="/invite/:code">{({ code }) => <Invite code={code} />}</Route>
        <Route>
          <House />
        </Route>
      </Switch>
    </HouseProvider>
  );
}

function House() {
  return (
    <SignedIn>
      <Switch>
        <Route path="/servers/:serverId">{(place) => <Frame {...place} />}</Route>
        <Route path="/servers/:serverId/channels/:channelId">{(place) => <Frame {...place} />}</Route>
        <Route path="/servers/:serverId/channels/:channelId/messages/:messageId">
          {(place) => <Frame {...place} />}
        </Route>
        <Route path="/servers/:serverId/channels/:channelId/settings/:page?">
          {(place) => <ChannelSettings {...place} />}
        </Route>
        <Route path="/servers/:serverId/settings/:page?">{(place) => <ServerSettings {...place} />}</Route>
        <Route path="/direct/:channelId?">{(place) => <Frame {...place} isDirect />}</Route>
        <Route path="/direct/:channelId/messages/:messageId">
          {({ channelId }) => <Frame channelId={channelId} isDirect />}
        </Route>
        <Route path="/settings/*?">
          <PersonSettings />
        </Route>
        <Route path="/admin/:page?">
          {({ page }) => <Console page={page} otherwise={<Frame isNowhere />} />}
        </Route>
        <Route path="/">
          <Frame />
        </Route>
        <Route>
          <Frame isNowhere />
        </Route>
      </Switch>
      <Opened />
      <Toasts />
      <Region onFault={unseen}>
        <UnreadMarks />
        <OwnPresence />
        <BlockList />
        {filled(always, {})}
      </Region>
    </SignedIn>
  );
}
