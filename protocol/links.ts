// The page's addresses that people are sent, below the address of the instance: the page's routes are the same.

export function messagePath(message: { server_id: string; channel_id: string; message_id: string }): string {
  return `/servers/${message.server_id}/channels/${message.channel_id}/messages/${message.message_id}`;
}

export function invitePath(code: string): string {
  return `/invite/${code}`;
}

/** The token stands behind `#`, so that no server and no log on the way gets to see it. */
export function resetPasswordPath(token: string): string {
  return `/reset-password#token=${token}`;
}
