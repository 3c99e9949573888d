// The page's addresses, below that of the instance: where its routes lead, and how those are written that people are sent.

/** What the page answers, with `{name}` for what differs; below settings and console it has pages of its own. */
export const pagePath = {
  home: "/",
  login: "/login",
  register: "/register",
  resetPassword: "/reset-password",
  invite: "/invite/{code}",
  channel: "/servers/{serverID}/channels/{channelID}",
  message: "/servers/{serverID}/channels/{channelID}/messages/{messageID}",
  direct: "/direct/{channelID}",
  directMessage: "/direct/{channelID}/messages/{messageID}",
  settings: "/settings",
  serverSettings: "/servers/{serverID}/settings",
  console: "/admin",
} as const;

export function messagePath(message: { server_id: string; channel_id: string; message_id: string }): string {
  const { server_id: serverID, channel_id: channelID, message_id: messageID } = message;
  return filled(pagePath.message, { serverID, channelID, messageID });
}

export function invitePath(code: string): string {
  return filled(pagePath.invite, { code });
}

/** The token stands behind `#`: browsers do not send that part, so no server or log on the way sees it. */
export function resetPasswordPath(token: string): string {
  return `${pagePath.resetPassword}#token=${token}`;
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
