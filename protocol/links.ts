// Addresses of the web page that people are sent, relative to the address of the instance. The page's router uses the
// same.

export function messagePath(message: { server_id: string; channel_id: string; message_id: string }): string {
  return `/servers/${message.server_id}/channels/${message.channel_id}/messages/${message.message_id}`;
}

export function invitePath(code: string): string {
  return `/invite/${code}`;
}

/** The token stands behind `#`: browsers do not send that part, so no server or log on the way sees it. */
export function resetPasswordPath(token: string): string {
  return `/reset-password#token=${token}`;
}
