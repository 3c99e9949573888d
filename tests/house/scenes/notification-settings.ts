// Notification settings in tests: set in a new server of Olga's for each test, and compared.
import { beforeEach, expect } from "bun:test";
import type { Channel } from "../../../features/channels/contract.ts";
import type { NotificationSettings } from "../../../features/notifications/contract.ts";
import type { TestHouse } from "../open/engines.ts";
import type { Ear } from "../people/ear.ts";
import type { TestPerson } from "../people/people.ts";
import { homeForEach } from "./home.ts";

/** The time that stands for a mute without end. */
export const untilUnmuted = "9999-12-31T23:59:59.999Z";
export const nothingShown: NotificationSettings = { servers: [], channels: [] };

export function inReady(ear: Ear): NotificationSettings {
  return (ear.ready as unknown as { notification_settings: NotificationSettings }).notification_settings;
}

export async function shown(person: TestPerson): Promise<NotificationSettings> {
  const answer = await person.get<NotificationSettings>("/notification-settings");
  expect(answer.status).toBe(200);
  return answer.body;
}

export function settingsForEach(house: () => TestHouse) {
  const stage = homeForEach(house);
  beforeEach(async () => {
    // Settings of the servers of earlier tests would stay.
    const { database } = house().running.house;
    await database.transaction((db) => db.deleteFrom("notification_settings").execute());
  });
  return {
    stage,
    onServer: (person: TestPerson, body: unknown) =>
      person.put(`/servers/${stage.home.id}/notification-settings`, body),
    onChannel: (person: TestPerson, channelId: string, body: unknown) =>
      person.put(`/channels/${channelId}/notification-settings`, body),
    open: async (name: string, type = "text") =>
      (await stage.olga.post<Channel>("/channels", { server_id: stage.home.id, name, type })).body,
    setEveryone: (permissions: number) =>
      stage.olga.patch(`/servers/${stage.home.id}/roles/${stage.home.everyone.id}`, { permissions }),
  };
}
