// Operations on own pictures of people, servers and bots.
import { notFound } from "../../protocol/errors.ts";
import { type Feature, handle, handleAdmitted } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { avatarReleased, lockUser, setOwnAvatar, toMe } from "../accounts/access.ts";
import { findBot, toBots } from "../bots/access.ts";
import { releaseAvatar } from "../files/access.ts";
import { changeServer, findMembership, lockOwnServer, needOwner, toServer } from "../servers/access.ts";
import * as contract from "./contract.ts";
import { keepPicture } from "./keeping.ts";
import { findPicture, pictureAnswer } from "./serving.ts";

/** Loaded with the first picture that is put up, not at each start. */
const receiving = () => import("./receiving.ts");

export const avatars: Feature = {
  name: "avatars",
  operations: [
    handle(contract.setAvatar, async ({ caller: { userId }, request, unit }) => {
      const files = await (await receiving()).receivePicture(unit.house, userId, request);
      return keepPicture(unit, userId, files, async (write, name) =>
        toMe(write.house, await setPicture(write, userId, name)),
      );
    }),

    handle(contract.deleteAvatar, async ({ caller, unit }) => {
      await setPicture(unit, caller.userId, null);
    }),

    handle(contract.setServerIcon, async ({ caller: { userId }, params, request, unit }) => {
      needOwner(await findMembership(unit, userId, params.id));
      const files = await (await receiving()).receivePicture(unit.house, userId, request);
      return keepPicture(unit, userId, files, async (write, name) => {
        // The server may have changed hands while the picture came.
        const { standing, row } = await lockOwnServer(write, userId, params.id);
        const after = await changeServer(write, row, { icon: null, own_icon: name });
        return toServer(write.house, after, standing);
      });
    }),

    handle(contract.deleteServerIcon, async ({ caller, params, unit }) => {
      const { row } = await lockOwnServer(unit, caller.userId, params.id);
      await changeServer(unit, row, { icon: null, own_icon: null });
    }),

    handle(contract.setBotAvatar, async ({ caller: { userId }, params, request, unit }) => {
      await findBot(unit, userId, params.id);
      const files = await (await receiving()).receivePicture(unit.house, userId, request);
      return keepPicture(unit, userId, files, async (write, name) => {
        const bot = await findBot(write, userId, params.id);
        await setPicture(write, bot.id, name);
        return (await toBots(write, [bot]))[0];
      });
    }),

    handle(contract.deleteBotAvatar, async ({ caller, params, unit }) => {
      await setPicture(unit, (await findBot(unit, caller.userId, params.id)).id, null);
    }),

    handleAdmitted(
      contract.getAvatar,
      ({ house, params }) => findPicture(house, params.name),
      async ({ params, request: { raw } }, blob) => pictureAnswer(params.name, blob, raw.headers),
    ),
  ],
  answers: [whenAsked(avatarReleased, releaseAvatar)],
};

async function setPicture(unit: UnitOfWork, userId: string, name: string | null) {
  const before = await lockUser(unit, userId);
  if (!before) throw notFound();
  return setOwnAvatar(unit, before, name);
}
