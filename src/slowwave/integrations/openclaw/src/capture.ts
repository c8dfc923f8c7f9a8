/** From OpenClaw's hooks into the journal: continuously, turn by turn, not at the cliff (O3, O11). */

import { surfaceOf, type Place } from "./audience.ts";
import type { Cursors } from "./cursors.ts";
import type { Outbox } from "./outbox.ts";
import { OutboxFull } from "./outbox.ts";
import { reason } from "./server.ts";
import type { Settings } from "./settings.ts";
import type { Speakers } from "./shared.ts";
import { notesIn, saidIn, type Scene } from "./turn.ts";

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

export class Capture {
  readonly #parts: Parts;
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
    try {
      if (moment.trigger === "memory") {
        await this.#add(notesIn(messages, scene));
      } else if (surfaceOf(moment) !== "machine") {
        await this.#addSaid(messages, scene);
      }
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
    await this.#add(fresh.flatMap((one) => one.events));
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
