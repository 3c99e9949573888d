// Links that are sent to people: paths of the page with their parameters filled in.
import { pagePath } from "./page-paths.ts";

/** `server_id`: null for a message outside of servers. */
export function messagePath(message: {
  server_id: string | null;
  channel_id: string;
  message_id: string;
}): string {
  const { server_id: serverID, channel_id: channelID, message_id: messageID } = message;
  return serverID === null
    ? filled(pagePath.directMessage, { channelID, messageID })
    : filled(pagePath.message, { serverID, channelID, messageID });
}

export function directPath(channelID: string): string {
  return filled(pagePath.direct, { channelID });
}

export function invitePath(code: string): string {
  return filled(pagePath.invite, { code });
}

/** The token is in the fragment, which browsers do not send, so no server or log on the way sees it. */
export function resetPasswordPath(token: string): string {
  return `${pagePath.resetPassword}#token=${token}`;
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
