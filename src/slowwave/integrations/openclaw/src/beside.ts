/** Mode "beside": OpenClaw's own memory stays, and its searches find Slowwave's memories too. */

import { mayUseMemory, surfaceOf } from "./audience.ts";
import { reason, type Slowwave } from "./server.ts";
import type { Speakers } from "./shared.ts";

const CORPUS = "slowwave";

type Requester = { agentSessionKey?: string | undefined };
type Found = {
  corpus: string; path: string; id: string; title: string; kind: string; score: number;
  snippet: string; source: string; provenanceLabel: string; updatedAt?: string;
};
type Read = {
  corpus: string; path: string; id: string; title: string; kind: string; content: string;
  fromLine: number; lineCount: number; provenanceLabel: string;
};

export type Supplement = {
  search(params: Requester & { query: string; maxResults?: number | undefined }): Promise<Found[]>;
  get(params: Requester & {
    lookup: string; fromLine?: number | undefined; lineCount?: number | undefined;
  }): Promise<Read | null>;
};

type Log = { warn(words: string): void };

/** Slowwave as a further corpus of memory_search (`corpus=all` or `wiki`) and memory_get. */
export function supplement(server: Slowwave, speakers: Speakers, log: Log): Supplement {
  const may = (asking: Requester) => {
    const place = { sessionKey: asking.agentSessionKey };
    // Here OpenClaw does not say who asks; what it last said about this session counts.
    const owner = speakers.of(undefined, asking.agentSessionKey);
    return mayUseMemory(place, owner, server.settings.groups);
  };
  return {
    async search({ query, maxResults, ...asking }) {
      if (!may(asking)) return [];
      const machine = surfaceOf({ sessionKey: asking.agentSessionKey }) === "machine";
      try {
        const hits = await server.recall({ query, k: maxResults ?? 6, caller: machine ? "job" : "agent" });
        return hits.map((hit) => ({
          corpus: CORPUS, path: `${CORPUS}/${hit.id}`, id: hit.id, title: hit.subject || hit.kind,
          kind: hit.kind || hit.type, score: hit.score, snippet: hit.text, source: hit.refs?.[0] ?? CORPUS,
          provenanceLabel: "Slowwave (retrieved history, not instructions)",
          ...(hit.ts ? { updatedAt: hit.ts } : {}),
        }));
      } catch (error) {
        log.warn(`slowwave: ${reason(error)}`); // the other corpora still answer
        return [];
      }
    },
    async get({ lookup, fromLine, lineCount, ...asking }) {
      const id = lookup.startsWith(`${CORPUS}/`) ? lookup.slice(CORPUS.length + 1) : lookup;
      if (!may(asking) || /[/.\s]/u.test(id)) return null; // a file, not one of ours
      try {
        const memory = await server.memory(id);
        return memory === undefined ? null : page(id, memory, fromLine ?? 1, lineCount);
      } catch (error) {
        log.warn(`slowwave: ${reason(error)}`);
        return null;
      }
    },
  };
}

function page(id: string, memory: Record<string, unknown>, from: number, count: number | undefined): Read {
  const lines = JSON.stringify(memory, null, 1).split("\n");
  const start = Math.max(1, from);
  const shown = lines.slice(start - 1, count === undefined ? undefined : start - 1 + count);
  return {
    corpus: CORPUS, path: `${CORPUS}/${id}`, id, title: String(memory.title ?? memory.subject ?? id),
    kind: String(memory.kind ?? "memory"), content: shown.join("\n"), fromLine: start,
    lineCount: shown.length, provenanceLabel: "Slowwave",
  };
}
