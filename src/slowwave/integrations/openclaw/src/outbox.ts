/**
 * Turns on their way to the server, one small file per batch: written before a turn counts as
 * captured, removed after the server has it. A server that is away costs nothing but time, and a
 * process that is killed loses nothing. Several processes may share the folder: events are known
 * by their refs, so what is delivered twice is logged once.
 */

import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { isMissing, readWhole, writeWhole } from "./files.ts";
import { ServerTrouble, reason, type LoggedEvent, type NotTaken } from "./server.ts";
import { isRecord, text } from "./settings.ts";

export type Batch = { space?: string | undefined; events: LoggedEvent[] };
/** Delivers a batch; tells what the server will never keep, throws ServerTrouble for the rest. */
export type Send = (batch: Batch) => Promise<NotTaken[]>;
export type Waiting = {
  batches: number;
  bytes: number;
  rejected: number;
  lastError: string | undefined;
  /** Milliseconds until the next try; undefined when none is planned. */
  nextTryMs: number | undefined;
};

type Log = { info(words: string): void; warn(words: string): void };
type Limits = { batches: number; bytes: number; events: number; batchChars: number };

const LIMITS: Limits = { batches: 5_000, bytes: 128 * 1024 * 1024, events: 200, batchChars: 1_000_000 };
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;
/** A closed door opens when somebody changes a setting: asking often helps nobody. */
const DENIED_PAUSE_MS = 300_000;
const REJECTED_KEPT = 200;

/** The queue is full: nothing more is taken until the server has had what waits. */
export class OutboxFull extends Error {}

export class Outbox {
  readonly #waiting: string;
  readonly #rejected: string;
  readonly #send: Send;
  readonly #log: Log;
  readonly #limits: Limits;
  #draining: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = 0;
  #notBefore = 0;
  #lastError: string | undefined;
  #count = 0;

  constructor(directory: string, send: Send, log: Log, limits: Partial<Limits> = {}) {
    this.#waiting = join(directory, "outbox");
    this.#rejected = join(directory, "rejected");
    this.#send = send;
    this.#log = log;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Keeps these events on disk until the server has them. Throws OutboxFull, and keeps none. */
  async add(batch: Batch): Promise<void> {
    if (batch.events.length === 0) return;
    const { batches, bytes } = await this.#size();
    const parts = split(batch, this.#limits);
    if (batches + parts.length > this.#limits.batches || bytes > this.#limits.bytes) {
      throw new OutboxFull(
        `the outbox is full (${batches} batches, ${bytes} bytes wait in ${this.#waiting}): ` +
          `start the server with slowwave serve${this.#lastError ? `; last error: ${this.#lastError}` : ""}`,
      );
    }
    for (const part of parts) await writeWhole(join(this.#waiting, this.#name()), part);
  }

  /**
   * Delivers what waits, oldest first, and plans another try when something is left. Never throws.
   * `urgent` tries now, also in a pause.
   */
  async drain(urgent = false): Promise<void> {
    if (!urgent && Date.now() < this.#notBefore) return this.#plan();
    this.#draining ??= this.#deliverAll().finally(() => {
      this.#draining = undefined;
    });
    await this.#draining;
  }

  /** Ends the plans; what waits stays on disk for the next start. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async waiting(): Promise<Waiting> {
    const left = this.#notBefore - Date.now();
    return {
      ...(await this.#size()),
      rejected: (await names(this.#rejected)).length,
      lastError: this.#lastError,
      nextTryMs: this.#timer === undefined ? undefined : Math.max(0, left),
    };
  }

  async #deliverAll(): Promise<void> {
    try {
      for (const name of await names(this.#waiting)) {
        if (!(await this.#deliver(name))) return;
      }
      if (this.#lastError !== undefined) this.#log.info("slowwave: the server has all turns again");
      this.#lastError = undefined;
      this.#pauseMs = this.#notBefore = 0;
    } catch (error) {
      this.#fail(`the outbox cannot be read or written: ${reason(error)}`, false);
    }
  }

  /** One file; false when there is no use in going on now. */
  async #deliver(name: string): Promise<boolean> {
    const path = join(this.#waiting, name);
    const batch = batchOf(await readWhole(path));
    if (batch === undefined) {
      await this.#reject(path, name); // not ours, or damaged: it must not stop the others
      return true;
    }
    let lost: NotTaken[];
    try {
      lost = await this.#send(batch);
    } catch (error) {
      if (!(error instanceof ServerTrouble)) throw error;
      if (error.kind !== "refused") {
        this.#fail(error.message, error.kind === "denied");
        return false;
      }
      return await this.#divide(path, name, batch, error);
    }
    if (lost.length > 0) {
      this.#log.warn(
        `slowwave: ${lost.length} events were not taken and are kept in ${this.#rejected}: ${lost[0]?.reason}`,
      );
      await writeWhole(join(this.#rejected, name), { ...batch, events: lost.map((one) => one.event), why: lost });
    }
    await rm(path, { force: true });
    return true;
  }

  /** The server does not take this batch: the good events of it must still get through. */
  async #divide(path: string, name: string, batch: Batch, why: ServerTrouble): Promise<boolean> {
    if (batch.events.length === 1) {
      this.#log.warn(`slowwave: an event was not taken and is kept in ${this.#rejected}: ${why.message}`);
      await this.#reject(path, name);
      return true;
    }
    const middle = Math.ceil(batch.events.length / 2);
    const halves = [batch.events.slice(0, middle), batch.events.slice(middle)];
    const stem = name.replace(/\.json$/u, "");
    const made = halves.map((_, half) => `${stem}-${half}.json`);
    for (const [half, events] of halves.entries()) {
      await writeWhole(join(this.#waiting, made[half] ?? ""), { ...batch, events });
    }
    await rm(path, { force: true });
    for (const one of made) if (!(await this.#deliver(one))) return false;
    return true;
  }

  async #reject(path: string, name: string): Promise<void> {
    await mkdir(this.#rejected, { recursive: true, mode: 0o700 });
    try {
      await rename(path, join(this.#rejected, name));
    } catch (error) {
      if (!isMissing(error)) throw error; // another process was faster
    }
    const kept = await names(this.#rejected);
    for (const old of kept.slice(0, Math.max(0, kept.length - REJECTED_KEPT))) {
      await rm(join(this.#rejected, old), { force: true });
    }
  }

  #fail(why: string, denied: boolean): void {
    if (this.#lastError !== why) this.#log.warn(`slowwave: turns wait on disk. ${why}`);
    this.#lastError = why;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    const pause = denied ? DENIED_PAUSE_MS : this.#pauseMs;
    this.#notBefore = Date.now() + Math.round(pause * (0.8 + 0.4 * Math.random()));
    this.#plan();
  }

  #plan(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#notBefore - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.drain(true);
    }, wait);
    this.#timer.unref(); // a one-shot command must be able to end
  }

  async #size(): Promise<{ batches: number; bytes: number }> {
    const found = await names(this.#waiting);
    let bytes = 0;
    for (const name of found) {
      try {
        bytes += (await stat(join(this.#waiting, name))).size;
      } catch (error) {
        if (!isMissing(error)) throw error; // delivered meanwhile
      }
    }
    return { batches: found.length, bytes };
  }

  /** Names sort by time, then by process and count. */
  #name(): string {
    const count = String(this.#count++).padStart(6, "0");
    return `${String(Date.now()).padStart(15, "0")}-${process.pid}-${count}.json`;
  }
}

async function names(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function batchOf(value: unknown): Batch | undefined {
  if (!isRecord(value) || !Array.isArray(value.events) || value.events.length === 0) return undefined;
  return { space: text(value.space), events: value.events as LoggedEvent[] };
}

function split(batch: Batch, limits: Limits): Batch[] {
  const parts: Batch[] = [];
  let part: LoggedEvent[] = [];
  let chars = 0;
  for (const event of batch.events) {
    const more = event.text.length + 400;
    if (part.length > 0 && (part.length >= limits.events || chars + more > limits.batchChars)) {
      parts.push({ ...batch, events: part });
      part = [];
      chars = 0;
    }
    part.push(event);
    chars += more;
  }
  return [...parts, { ...batch, events: part }];
}
