/**
 * How far each conversation has been handed over, kept on disk: OpenClaw gives the whole
 * conversation at every turn, and it must not be sent again and again. Losing this file loses
 * nothing: what was sent is sent again, and the server knows most of it by its ref.
 */

import { join } from "node:path";

import { put } from "./bounded.ts";
import { readWhole, writeWhole } from "./files.ts";
import { isRecord } from "./settings.ts";
import type { Said } from "./turn.ts";

const SESSIONS = 300;
/** Messages remembered per conversation; what is older than these was handed over. */
const MARKS = 400;
/** How much earlier than its run a message may have arrived. */
const EARLIER_MS = 60 * 60_000;

type Seen = [mark: string, at: number];
/** `full`: older messages were handed over too, and are remembered no more. */
type Cursor = { full: boolean; seen: Seen[] };

export class Cursors {
  readonly #path: string;
  #known: Map<string, Cursor> | undefined;

  constructor(directory: string) {
    this.#path = join(directory, "cursors.json");
  }

  /** What of a conversation has not been handed over, in its order. */
  async fresh(session: string, said: readonly Said[]): Promise<Said[]> {
    const cursor = (await this.#load()).get(session);
    if (cursor === undefined) return said.slice(-MARKS); // the beginning of a very long one is old
    const left = new Set(cursor.seen);
    const fresh: Said[] = [];
    let known = false;
    for (const one of said) {
      const match = matchOf(one, left);
      if (match === undefined) fresh.push(one);
      else {
        left.delete(match); // each stands for one message only
        // What stands before the oldest that is remembered was handed over, and forgotten here.
        if (cursor.full && !known) fresh.length = 0;
        known = true;
      }
    }
    return fresh;
  }

  /** Notes that these were handed over. */
  async done(session: string, said: readonly Said[]): Promise<void> {
    const known = await this.#load();
    const before = known.get(session);
    const seen: Seen[] = [...(before?.seen ?? []), ...said.map((one): Seen => [one.mark, one.at])];
    const full = before?.full === true || seen.length > MARKS;
    put(known, session, { full, seen: seen.slice(-MARKS) }, SESSIONS);
    await writeWhole(this.#path, Object.fromEntries(known));
  }

  async #load(): Promise<Map<string, Cursor>> {
    if (this.#known === undefined) {
      const found = await readWhole(this.#path);
      this.#known = new Map(
        Object.entries(isRecord(found) ? found : {}).flatMap(([session, value]) => {
          const cursor = cursorOf(value);
          return cursor === undefined ? [] : [[session, cursor]];
        }),
      );
    }
    return this.#known;
  }
}

/**
 * What was seen that this message is. A user's message by its words and a time up to an hour
 * earlier: the same words said once more later ("go on") are another message.
 */
function matchOf(one: Said, left: ReadonlySet<Seen>): Seen | undefined {
  let best: Seen | undefined;
  for (const seen of left) {
    const [mark, at] = seen;
    if (mark !== one.mark) continue;
    if (!one.moves) return seen;
    const fits = at >= one.at && at - one.at <= EARLIER_MS;
    if (fits && (best === undefined || at < best[1])) best = seen;
  }
  return best;
}

function cursorOf(value: unknown): Cursor | undefined {
  if (!isRecord(value) || !Array.isArray(value.seen)) return undefined;
  const seen = value.seen.filter(Array.isArray).map(([mark, at]): Seen => [String(mark), Number(at) || 0]);
  return { full: value.full === true, seen };
}
