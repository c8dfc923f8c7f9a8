/**
 * How far each conversation has been handed over, kept on disk: OpenClaw gives the whole
 * conversation at every turn, and after a restart it must not be sent again and again.
 * Losing this file loses nothing: the server knows an event by its ref.
 */

import { join } from "node:path";

import { readWhole, writeWhole } from "./files.ts";
import { isRecord } from "./settings.ts";
import { put } from "./bounded.ts";
import type { Said } from "./turn.ts";

const SESSIONS = 300;
/** Marks remembered per conversation; older messages are known by their time. */
const MARKS = 400;

type Cursor = { from: number; marks: string[] };

export class Cursors {
  readonly #path: string;
  #known: Map<string, Cursor> | undefined;

  constructor(directory: string) {
    this.#path = join(directory, "cursors.json");
  }

  /** What of a conversation has not been handed over. */
  async fresh(session: string, said: readonly Said[]): Promise<Said[]> {
    const cursor = (await this.#load()).get(session);
    if (cursor === undefined) return said.slice(-MARKS); // the beginning of a very long one is old
    const marks = new Set(cursor.marks);
    return said.filter((one) => !marks.has(one.mark) && (one.at === 0 || one.at >= cursor.from));
  }

  /** Notes that these were handed over. */
  async done(session: string, said: readonly Said[]): Promise<void> {
    const known = await this.#load();
    const before = known.get(session);
    const seen = new Map((before?.marks ?? []).map((mark) => [mark, 0]));
    for (const one of said) put(seen, one.mark, one.at, MARKS);
    const full = seen.size >= MARKS;
    const oldest = Math.min(...said.map((one) => one.at).filter((at) => at > 0));
    // While all marks are remembered they decide alone; time decides for what was forgotten.
    const from = full && Number.isFinite(oldest) ? Math.max(before?.from ?? 0, oldest) : (before?.from ?? 0);
    put(known, session, { from, marks: [...seen.keys()] }, SESSIONS);
    await writeWhole(this.#path, Object.fromEntries(known));
  }

  async #load(): Promise<Map<string, Cursor>> {
    if (this.#known === undefined) {
      const found = await readWhole(this.#path);
      this.#known = new Map(
        Object.entries(isRecord(found) ? found : {}).flatMap(([session, value]) =>
          isRecord(value) && Array.isArray(value.marks)
            ? [[session, { from: Number(value.from) || 0, marks: value.marks.map(String) }]]
            : [],
        ),
      );
    }
    return this.#known;
  }
}
