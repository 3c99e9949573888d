// A call: the connection to the media service's room, and the tracks sent and received there.
import {
  type DisconnectReason,
  type LocalTrack,
  LogLevel,
  type Participant,
  type RemoteTrack,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
} from "livekit-client";
import { type Chat, isSignedOut } from "../../../client/chat.ts";
import { setSpeaking } from "../../../web/ui/browser/speaking.ts";
import type { OwnChannel } from "../../channels/state.ts";
import {
  changeCall,
  type SharedScreen,
  type Talker,
  type Trouble,
  useChoices,
  volumeOf,
} from "./call-state.ts";
import { OwnState } from "./own-state.ts";
import { endingOf, microphoneTrouble } from "./troubles.ts";

// Errors are shown in the page.
setLogLevel(LogLevel.silent);

export class Call {
  readonly #room: Room;
  readonly #own: OwnState;
  readonly #stopWatching: () => void;
  #isMuted = false;
  /** The browser provides none: it is missing or not permitted. */
  #lacksMicrophone = false;
  #isDeafened = false;
  /** The mute state before deafening, which also mutes. */
  #wasMuted = false;
  /** True if the push-to-talk key is held. */
  #isHeld = false;
  #microphoneDone: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(chat: Chat, channel: OwnChannel) {
    this.#own = new OwnState(chat, channel);
    const { microphone, speaker } = useChoices.getState();
    this.#room = new Room({
      adaptiveStream: true,
      dynacast: true,
      audioCaptureDefaults: { deviceId: microphone, echoCancellation: true, noiseSuppression: true },
      audioOutput: { deviceId: speaker },
    });
    this.#listen();
    this.#stopWatching = chat.subscribe(() => {
      const { connection } = chat.state;
      if (!this.#isOver && isSignedOut(connection)) this.#end({ is: "put out" });
    });
  }

  /** Throws if the media service does not admit the caller. */
  async join(url: string, token: string): Promise<void> {
    await this.#room.connect(url, token);
    if (this.#isOver) return;
    changeCall({ is: "joined" });
    this.#draw();
    if (this.#maySpeak) await this.openMicrophone();
  }

  leave(): void {
    this.#isOver = true;
    this.#stopWatching();
    this.#own.stop();
    setSpeaking([]);
    void this.#room.disconnect();
  }

  /** Opens the microphone if the current state requires it; errors are shown. */
  async openMicrophone(): Promise<void> {
    let trouble: Trouble | undefined;
    try {
      await this.#applyMicrophone();
    } catch (error) {
      trouble = microphoneTrouble(error);
    }
    // The user may be in another room by then.
    if (this.#isOver) return;
    this.#lacksMicrophone = trouble !== undefined;
    changeCall({ trouble });
    this.#tell();
    this.#draw();
  }

  async setMuted(isMuted: boolean): Promise<void> {
    this.#isMuted = isMuted;
    if (!isMuted && this.#isDeafened) this.#setDeafened(false);
    this.#tell();
    await this.openMicrophone();
  }

  async setDeafened(isDeafened: boolean): Promise<void> {
    if (isDeafened) this.#wasMuted = this.#isMuted;
    this.#isMuted = isDeafened || this.#wasMuted;
    this.#setDeafened(isDeafened);
    this.#tell();
    await this.openMicrophone();
  }

  /** Called when the push-to-talk key is pressed or released. */
  async hold(isHeld: boolean): Promise<void> {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    await this.openMicrophone();
  }

  /** Does nothing if the user dismisses the browser's prompt. */
  async setSharing(isSharing: boolean): Promise<void> {
    try {
      const { localParticipant } = this.#room;
      if (isSharing) await this.#publish(await localParticipant.createScreenTracks({ audio: true }));
      else await localParticipant.setScreenShareEnabled(false);
    } catch (error) {
      if ((error as Error).name !== "NotAllowedError") changeCall({ trouble: { is: "no screen" } });
    }
    this.#draw();
  }

  async useDevice(kind: "audioinput" | "audiooutput", id: string): Promise<void> {
    try {
      await this.#room.switchActiveDevice(kind, id);
    } catch (error) {
      changeCall({ trouble: kind === "audiooutput" ? { is: "no speaker" } : microphoneTrouble(error) });
    }
  }

  setVolume(userId: string, volume: number): void {
    this.#room.remoteParticipants.get(userId)?.setVolume(volume);
  }

  /** Call it from a user's press only: otherwise the browser refuses. */
  async turnSoundOn(): Promise<void> {
    await this.#room.startAudio();
    this.#draw();
  }

  get #maySpeak(): boolean {
    return this.#mayPublish(Track.Source.Microphone);
  }

  #mayPublish(source: Track.Source): boolean {
    const { permissions } = this.#room.localParticipant;
    if (!permissions?.canPublish) return false;
    const allowed = permissions.canPublishSources;
    return allowed.length === 0 || allowed.includes(Track.sourceToProto(source));
  }

  /** Serializes changes of the microphone: overlapping ones may finish in any order in the media library. */
  #applyMicrophone(): Promise<void> {
    const done = this.#microphoneDone.then(() => this.#turnMicrophone());
    this.#microphoneDone = done.catch(() => {});
    return done;
  }

  /** Uses the current state, which may differ from the one at the time of the request. */
  async #turnMicrophone(): Promise<void> {
    if (this.#isOver || !this.#maySpeak) return;
    const isOpen = !this.#isMuted && (!useChoices.getState().isPushToTalk || this.#isHeld);
    const { localParticipant } = this.#room;
    const isNew = !localParticipant.getTrackPublication(Track.Source.Microphone);
    if (isOpen && isNew) await this.#publish(await localParticipant.createTracks({ audio: true }));
    else await localParticipant.setMicrophoneEnabled(isOpen);
  }

  /**
   * Publishes the browser's tracks, unless the user left during the prompt: the library would keep them open for
   * seconds, waiting for the room.
   */
  async #publish(tracks: readonly LocalTrack[]): Promise<void> {
    try {
      for (const track of tracks) if (!this.#isOver) await this.#room.localParticipant.publishTrack(track);
    } catch (error) {
      for (const track of tracks) track.stop();
      throw error;
    }
    if (this.#isOver) for (const track of tracks) track.stop();
  }

  #setDeafened(isDeafened: boolean): void {
    this.#isDeafened = isDeafened;
    for (const { trackPublications } of this.#room.remoteParticipants.values()) {
      for (const { track } of trackPublications.values()) if (track) this.#quieten(track as RemoteTrack);
    }
  }

  #quieten(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return;
    for (const element of track.attachedElements) element.muted = this.#isDeafened;
  }

  #listen(): void {
    const draw = () => this.#draw();
    const redrawing = [
      ...[RoomEvent.ParticipantConnected, RoomEvent.ParticipantDisconnected, RoomEvent.ActiveSpeakersChanged],
      ...[RoomEvent.TrackMuted, RoomEvent.TrackUnmuted, RoomEvent.TrackPublished, RoomEvent.TrackUnpublished],
      ...[RoomEvent.LocalTrackPublished, RoomEvent.LocalTrackUnpublished, RoomEvent.ParticipantNameChanged],
      RoomEvent.AudioPlaybackStatusChanged,
    ] as const;
    for (const event of redrawing) this.#room.on(event, draw);
    this.#room
      .on(RoomEvent.ParticipantPermissionsChanged, (_, { isLocal }) => {
        // The permission to speak is back: others hear the user again, as the buttons show.
        if (isLocal && this.#maySpeak) void this.openMicrophone();
        else draw();
      })
      .on(RoomEvent.TrackSubscribed, (track, _, participant) => {
        if (track.kind === Track.Kind.Audio) {
          track.attach();
          this.#quieten(track);
          participant.setVolume(volumeOf(participant.identity));
        }
        draw();
      })
      .on(RoomEvent.TrackUnsubscribed, (track) => {
        if (track.kind === Track.Kind.Audio) track.detach();
        draw();
      })
      .on(RoomEvent.SignalReconnecting, () => changeCall({ is: "reconnecting" }))
      .on(RoomEvent.Reconnecting, () => changeCall({ is: "reconnecting" }))
      .on(RoomEvent.Reconnected, () => {
        changeCall({ is: "joined" });
        draw();
      })
      .on(RoomEvent.Disconnected, (reason?: DisconnectReason) => {
        if (!this.#isOver) this.#end(endingOf(reason));
      });
  }

  #end(trouble: Trouble): void {
    this.leave();
    changeCall({ is: "over", trouble, talkers: [], screens: [], isSharing: false });
  }

  /** Sends the state that others see, through the gateway. */
  #tell(): void {
    // Without the permission to speak there is nothing to mute, and unmuting would be rejected.
    const isSilent = this.#isMuted || this.#lacksMicrophone;
    this.#own.say({ muted: isSilent && this.#maySpeak, deafened: this.#isDeafened });
    changeCall({ isMuted: this.#isMuted, isDeafened: this.#isDeafened });
  }

  #draw(): void {
    if (this.#isOver) return;
    const { localParticipant, remoteParticipants, canPlaybackAudio } = this.#room;
    const everybody: Participant[] = [localParticipant, ...remoteParticipants.values()];
    const talkers = everybody.map((each) => this.#talker(each));
    setSpeaking(talkers.filter(({ isSpeaking }) => isSpeaking).map(({ id }) => id));
    changeCall({
      talkers,
      screens: everybody.flatMap((each) => screenOf(each) ?? []),
      isListener: !this.#maySpeak,
      mayShare: this.#mayPublish(Track.Source.ScreenShare),
      isSharing: localParticipant.isScreenShareEnabled,
      needsPress: !canPlaybackAudio,
    });
  }

  #talker({ identity, name, isLocal, isSpeaking, isMicrophoneEnabled }: Participant): Talker {
    return {
      id: identity,
      name: name || identity,
      isMe: isLocal,
      isSpeaking: isSpeaking && isMicrophoneEnabled,
      isMuted: isLocal ? this.#isMuted || this.#lacksMicrophone || !this.#maySpeak : !isMicrophoneEnabled,
    };
  }
}

function screenOf(participant: Participant): SharedScreen | undefined {
  const track = participant.getTrackPublication(Track.Source.ScreenShare)?.track;
  if (!track) return undefined;
  return {
    userId: participant.identity,
    name: participant.name || participant.identity,
    isMine: participant.isLocal,
    show(video) {
      track.attach(video);
      return () => track.detach(video);
    },
  };
}
