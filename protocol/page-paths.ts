// The routes of the page, below the address of the instance.

/** The routes of the page, with `{name}` for parameters; settings and console have pages of their own below theirs. */
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
