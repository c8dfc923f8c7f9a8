/** What is remembered, before the agent answers: into the system prompt, never into the message (X3). */

import { mayUseMemory } from "./audience.ts";
import type { Moment } from "./capture.ts";
import { own } from "./said.ts";
import { reason, type Slowwave } from "./server.ts";
import type { Speakers } from "./shared.ts";

export type PromptEvent = { prompt: string; currentUserMessage?: string | undefined };

/** After so many failures in a row, turns stop waiting for a while. */
const FAILURES = 2;
const PAUSE_MS = 30_000;
/** A question is short; a pasted file is not a better one for being longer. */
const LONGEST_QUESTION = 4_000;

type Log = { warn(words: string): void; info(words: string): void };

export class Injection {
  readonly #server: Slowwave;
  readonly #speakers: Speakers;
  readonly #log: Log;
  readonly #now: () => number;
  #failures = 0;
  #pausedUntil = 0;
  lastError: string | undefined;

  constructor(server: Slowwave, speakers: Speakers, log: Log, now: () => number = Date.now) {
    this.#server = server;
    this.#speakers = speakers;
    this.#log = log;
    this.#now = now;
  }

  /** The block for this turn; undefined when there is none, also when memory fails (fails open). */
  async before(event: PromptEvent, moment: Moment): Promise<string | undefined> {
    const owner = this.#speakers.begin(moment.runId, moment, this.#now());
    const { inject, groups } = this.#server.settings;
    const question = questionOf(event);
    const mayUse = mayUseMemory(moment, owner, groups);
    // Who may not use the owner's memory is not quoted as the owner either.
    this.#speakers.heard(moment.sessionKey, mayUse ? question : "");
    if (!inject || !mayUse) return undefined;
    if (!question || this.#now() < this.#pausedUntil) return undefined;
    try {
      const session = this.#speakers.sessionOf(moment);
      const block = await this.#server.context(question, session, {});
      if (this.#failures >= FAILURES) this.#log.info("slowwave: memory is back");
      this.#failures = 0;
      this.lastError = undefined;
      return block || undefined;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.lastError = reason(error);
    this.#failures += 1;
    if (this.#failures < FAILURES) return;
    this.#pausedUntil = this.#now() + PAUSE_MS;
    if (this.#failures === FAILURES) {
      this.#log.warn(`slowwave: turns go on without memory. ${this.lastError}`);
    }
  }
}

/**
 * What is asked. The current message where OpenClaw tells it (the prompt may hold history); an
 * empty one is no question: it must not fall back to the history.
 */
export function questionOf(event: PromptEvent): string {
  return own(event.currentUserMessage ?? event.prompt).slice(0, LONGEST_QUESTION);
}
