// The column by which each table would be sharded over many databases, and what is not ready for it, with the reason.

/** The shard key of a table; undefined for a table that has a copy on every database, or is on the first only. */
type Home = string | undefined;

/**
 * Shard keys by table. Data of a server goes by its id, and data of a person by theirs. Messages go by their channel,
 * which is in one server, and data of a message by the message's id. The log goes by its stream.
 */
export const homes: Readonly<Record<string, Home>> = {
  // The log.
  streams: "stream",
  events: "stream",
  log_walks: "stream",
  // A server; channels and people in rooms without one go by the conversation.
  servers: "id",
  channels: "server_id",
  channel_overrides: "channel_id",
  // Conversations.
  conversations: "channel_id",
  recipients: "channel_id",
  rings: "channel_id",
  roles: "server_id",
  members: "server_id",
  member_roles: "server_id",
  bans: "server_id",
  invites: "server_id",
  commands: "server_id",
  webhooks: "server_id",
  scheduled_events: "server_id",
  voice_participants: "server_id",
  // Messages and events.
  messages: "channel_id",
  reactions: "message_id",
  reaction_counts: "message_id",
  push_messages: "message_id",
  rsvps: "event_id",
  mentions: "target_id",
  // A person; files and words of names go by themselves.
  users: "id",
  bots: "id",
  sessions: "user_id",
  last_seen: "user_id",
  password_sign_ins: "user_id",
  availability: "user_id",
  passkeys: "user_id",
  password_resets: "user_id",
  blocks: "user_id",
  badge_holders: "user_id",
  read_markers: "user_id",
  notification_settings: "user_id",
  push_settings: "user_id",
  server_orders: "user_id",
  push_subscriptions: "user_id",
  push_deliveries: "user_id",
  connections: "user_id",
  message_nonces: "author_id",
  push_mentions_of_many: "sender_id",
  upload_sums: "person_id",
  name_words: "word",
  uploads: "filename",
  file_uses: "filename",
  file_releases: "filename",
  // Small tables, or those of the machine.
  instance: undefined,
  badges: undefined,
  leases: undefined,
  push_version: undefined,
  notices: undefined,
  processes: undefined,
  short_lived: undefined,
  sweeps: undefined,
  voice_webhooks: undefined,
  kysely_migration: undefined,
  kysely_migration_lock: undefined,
};

/**
 * Unique keys without the shard key of their table. `id`: ids are globally unique, so the key can begin with the shard
 * key, and no query has to change. `found`: a value from a caller is looked up among all rows, which takes a query to
 * all databases, or a table of its own that goes by this value.
 */
export const looseKeys: Readonly<Record<string, "id" | "found">> = {
  "bots: token_hash": "found",
  "channels: id": "id",
  "commands: id": "id",
  "conversations: pair": "found",
  "invites: code": "found",
  "messages: id": "id",
  "passkeys: id": "found",
  "password_resets: token_hash": "found",
  "push_deliveries: id": "id",
  "push_subscriptions: endpoint": "found",
  "push_subscriptions: id": "id",
  "roles: id": "id",
  "scheduled_events: id": "id",
  "sessions: id": "id",
  "sessions: token_hash": "found",
  "uploads: preview_of": "found",
  "users: email_key": "found",
  "users: username_key": "found",
  "voice_participants: channel_id, user_id": "id",
  "webhooks: id": "id",
};

/** Statements of hot paths without the shard key of a table, as `table: conditions`, with the reason. */
export const scattered: Readonly<Record<string, string>> = {
  "channels: deleted_at, id": "which server a channel is in; asked once by a process, then remembered",
  "channels: id": "the same, for the channels whose read markers of a second are stored together",
  "members: user_id":
    "which servers a person is in, once for each READY: a copy that goes by the person makes it one",
  "mentions: channel_id": "the newest mention of a channel, after a message with mentions went",
  "mentions: channel_id, message_id":
    "a message that goes or changes takes the mentions of all targets along",
  "messages: id": "a message by its id alone, as the addresses of edits, replies and reactions have it",
  "recipients: user_id":
    "which conversations a person is in, once for each READY: a copy that goes by the person makes it one",
  "servers: user_id": "part of that question: whether the server is there still",
  "users: username_key": "whom a name means that was mentioned; asked once by a process, then remembered",
};
