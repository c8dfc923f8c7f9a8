/**
 * What all copies of this plugin in one process share. OpenClaw registers a plugin several times
 * (to list its tools, to run it, after a change of settings): a tool may come from one copy and a
 * hook from another, but the conversation is the same.
 */

import { surfaceOf, type Place as Spot } from "./audience.ts";
import { put } from "./bounded.ts";
import { Consent } from "./consent.ts";

const LATELY_MS = 120_000;

export type Session = { sessionKey?: string | undefined; sessionId?: string | undefined };
type Place = Session & Spot;
type Note = { owner: boolean; at: number };

/**
 * Who speaks, by what OpenClaw tells the tools. Its hooks do not say whether the sender is the
 * owner, but the tools of a turn are made right before its prompt, and they are told.
 */
export class Speakers {
  readonly #notes = new Map<string, Note>();
  readonly #runs = new Map<string, boolean | undefined>();
  readonly #last = new Map<string, boolean>();
  readonly #turns = new Map<string, number>();
  readonly #sessions = new Map<string, string>();
  readonly #heard = new Map<string, string>();
  #turn = 0;

  /** A tool was made for this session, for this sender. Two that disagree: not the owner. */
  note(sessionKey: string | undefined, owner: boolean | undefined, now = Date.now()): void {
    if (!sessionKey || owner === undefined) return;
    const pending = this.#pending(sessionKey, now);
    put(this.#notes, sessionKey, { owner: owner && pending !== false, at: now });
  }

  /** A turn begins: takes the note, so that it does not speak for the next one. */
  begin(runId: string | undefined, place: Place, now = Date.now()): boolean | undefined {
    const key = place.sessionKey ?? "";
    const spoken = surfaceOf(place) !== "machine";
    if (spoken && place.sessionId) put(this.#sessions, key, place.sessionId);
    if (runId !== undefined && this.#runs.has(runId)) return this.#runs.get(runId); // a retry
    // A heartbeat runs in the owner's own session, but nobody has spoken.
    if (spoken) put(this.#turns, key, ++this.#turn);
    const owner = this.#pending(key, now);
    this.#notes.delete(key);
    if (runId !== undefined) put(this.#runs, runId, owner);
    if (owner !== undefined) put(this.#last, key, owner);
    return owner;
  }

  /** Who spoke in this run, or last in this session; undefined when nobody said. */
  of(runId: string | undefined, sessionKey: string | undefined): boolean | undefined {
    if (runId !== undefined && this.#runs.has(runId)) return this.#runs.get(runId);
    return this.#last.get(sessionKey ?? "");
  }

  /** The owner said this, just now. */
  heard(sessionKey: string | undefined, words: string): void {
    put(this.#heard, sessionKey ?? "", plain(words));
  }

  /** Whether the owner's last message holds these words: what an agent claims to quote. */
  saidBefore(sessionKey: string | undefined, words: string): boolean {
    const given = plain(words);
    return given !== "" && (this.#heard.get(sessionKey ?? "") ?? "").includes(given);
  }

  /** The number of the turn that runs in this session; grows with every message. */
  turnOf(sessionKey: string | undefined): number | undefined {
    return this.#turns.get(sessionKey ?? "");
  }

  /** The id of the conversation that this session key means at the moment. */
  sessionOf(place: Session): string | undefined {
    return place.sessionId ?? this.#sessions.get(place.sessionKey ?? "") ?? place.sessionKey;
  }

  #pending(key: string, now: number): boolean | undefined {
    const note = this.#notes.get(key);
    return note !== undefined && now - note.at <= LATELY_MS ? note.owner : undefined;
  }
}

/** Letters and digits only: an agent quotes with other quotation marks, spaces and capitals. */
function plain(words: string): string {
  return words.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

// A new number whenever what is shared changes: after an update, old and new may run side by side.
const PLACE = Symbol.for("slowwave.openclaw.v1");
type Shared = { speakers: Speakers; consent: Consent };

/** The one set of shared things of this process. */
export function shared(): Shared {
  const home = globalThis as typeof globalThis & { [PLACE]?: Shared };
  home[PLACE] ??= { speakers: new Speakers(), consent: new Consent() };
  return home[PLACE];
}
