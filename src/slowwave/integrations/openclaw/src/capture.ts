/** From OpenClaw's hooks into the journal: continuously, turn by turn, not at the cliff (O3, O11). */

import { surfaceOf, type Place } from "./audience.ts";
import { put } from "./bounded.ts";
import type { Cursors } from "./cursors.ts";
import type { Outbox } from "./outbox.ts";
import { OutboxFull } from "./outbox.ts";
import { reason } from "./server.ts";
import type { Settings } from "./settings.ts";
import type { Speakers } from "./shared.ts";
import { noteOf, saidIn, type Scene } from "./turn.ts";

export type Moment = Place & {
  runId?: string | undefined;
  sessionId?: string | undefined;
  agentId?: string | undefined;
};

type Parts = {
  settings: Settings;
  outbox: Outbox;
  cursors: Cursors;
  speakers: Speakers;
  log: { warn(words: string): void };
};

/** How long a hook waits for delivery: what is on disk is safe, the rest is politeness. */
const DELIVERY_MS = 5_000;

/** Where these are in a conversation, what the agent notes of it is not its own any more. */
const FOREIGN = new Set(["other", "external"]);

export class Capture {
  readonly #parts: Parts;
  readonly #flushes = new Map<string, Moment>();
  readonly #mixed = new Map<string, true>();
  #chain: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Takes what of these messages is not in the journal yet, and tries to deliver it. Never throws:
   * memory failing must not fail a chat. Resolves when it is safe on disk and was tried once.
   */
  async take(messages: readonly unknown[] | undefined, moment: Moment): Promise<void> {
    if (!this.#parts.settings.capture) return;
    // One after the other: two hooks of one conversation would hand over the same messages.
    this.#chain = this.#chain.then(() => this.#keep(messages ?? [], moment));
    await this.#chain;
    await this.deliver(DELIVERY_MS);
  }

  /** A turn begins; a flush turn is remembered, since its hooks do not name it again. */
  begins(moment: Moment): void {
    if (moment.trigger === "memory" && moment.runId) put(this.#flushes, moment.runId, moment, 50);
  }

  /** A file was written: in a flush turn its text is a note. OpenClaw appends, so it is all new. */
  async wrote(call: { params: Record<string, unknown>; error?: string }, runId: string | undefined): Promise<void> {
    const moment = this.#flushes.get(runId ?? "");
    const { settings, speakers } = this.#parts;
    if (moment === undefined || call.error !== undefined || !settings.capture) return;
    const session = speakers.sessionOf({ sessionKey: moment.sessionKey }) ?? moment.sessionId;
    if (session === undefined) return;
    const trusted = !this.#mixed.has(session) && speakers.of(undefined, moment.sessionKey) === true;
    const scene = { ...moment, session, agent: moment.agentId, owner: undefined };
    const note = noteOf(call.params.content, trusted, scene, Date.now());
    if (note === undefined) return;
    await this.#guarded(() => this.#add([note]));
    await this.deliver(DELIVERY_MS);
  }

  /** Tries to deliver what waits, for so long at most. */
  async deliver(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([this.#parts.outbox.drain(), late]);
    clearTimeout(timer);
  }

  async #keep(messages: readonly unknown[], moment: Moment): Promise<void> {
    const scene = this.#sceneOf(moment);
    if (scene === undefined || messages.length === 0) return;
    if (surfaceOf(moment) === "machine") return;
    await this.#guarded(() => this.#addSaid(messages, scene));
  }

  /** Runs, and tells what failed instead of throwing it into the chat. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const full = error instanceof OutboxFull;
      this.#parts.log.warn(
        full
          ? `slowwave: this turn is not captured yet, ${error.message}`
          : `slowwave: a turn could not be captured: ${reason(error)}`,
      );
    }
  }

  async #addSaid(messages: readonly unknown[], scene: Scene): Promise<void> {
    const fresh = await this.#parts.cursors.fresh(scene.session, saidIn(messages, scene));
    if (fresh.length === 0) return;
    const events = fresh.flatMap((one) => one.events);
    if (events.some((one) => FOREIGN.has(one.origin))) put(this.#mixed, scene.session, true);
    await this.#add(events);
    // Only now: what the outbox did not take is handed over again with the next turn.
    await this.#parts.cursors.done(scene.session, fresh);
  }

  async #add(events: Parameters<Outbox["add"]>[0]["events"]): Promise<void> {
    await this.#parts.outbox.add({ space: this.#parts.settings.space, events });
  }

  #sceneOf(moment: Moment): Scene | undefined {
    const session = this.#parts.speakers.sessionOf(moment);
    if (session === undefined) return undefined;
    const owner = this.#parts.speakers.of(moment.runId, moment.sessionKey);
    return { ...moment, session, agent: moment.agentId, owner };
  }
}
