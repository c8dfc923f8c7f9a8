/** The Slowwave server over HTTP: one method per request, every failure named and explained. */

import { isRecord, text, type Settings } from "./settings.ts";

/** One line of the journal, as POST /v1/events takes it. */
export type LoggedEvent = {
  ref: string;
  ts?: string;
  role: "user" | "assistant" | "tool" | "system";
  session: string;
  speaker?: string;
  channel?: string;
  kind: "message" | "tool_call" | "tool_result" | "note" | "seed";
  origin: "owner" | "agent" | "other" | "tool" | "external" | "system";
  text: string;
  /** Kept as metadata. */
  client: "openclaw";
  agent?: string;
};

export type Hit = {
  id: string;
  type: string;
  kind: string;
  text: string;
  score: number;
  ts: string;
  status: string;
  subject?: string;
  speaker?: string | null;
  valid_from?: string | null;
  valid_to?: string | null;
  refs?: string[];
};

/** An event that the server has read and will not keep. */
export type NotTaken = { event: LoggedEvent; reason: string };

export type Asked = {
  query: string;
  k?: number;
  scope?: "memories" | "events" | "all";
  since?: string;
  until?: string;
  min_score?: number;
  session?: string;
  caller?: "agent" | "job";
};

/** Why a request brought nothing: nobody there, not let in, not taken as it is, or broken inside. */
export type Trouble = "away" | "denied" | "refused" | "broken";

/** A failed request; `message` says what happened and what to do next. */
export class ServerTrouble extends Error {
  readonly kind: Trouble;
  readonly status: number | undefined;

  constructor(kind: Trouble, message: string, status?: number) {
    super(message);
    this.name = "ServerTrouble";
    this.kind = kind;
    this.status = status;
  }
}

type Options = { timeoutMs?: number | undefined; signal?: AbortSignal | undefined };

/** Tools may take longer than what a turn waits for: the agent asked, and sees that it waits. */
export const TOOL_TIMEOUT_MS = 15_000;
const DELIVERY_TIMEOUT_MS = 20_000;

export class Slowwave {
  readonly settings: Settings;
  readonly #fetch: typeof fetch;

  constructor(settings: Settings, using: typeof fetch = fetch) {
    this.settings = settings;
    this.#fetch = using;
  }

  /** The block for the system prompt; empty when nothing is relevant. */
  async context(query: string, session: string | undefined, options: Options): Promise<string> {
    const body = { query, budget: this.settings.budget, ...(session ? { session } : {}) };
    const answer = await this.#call("POST", "/v1/context", body, options);
    return text(answer.text) ?? "";
  }

  async recall(asked: Asked, options: Options = {}): Promise<Hit[]> {
    const wait = { timeoutMs: TOOL_TIMEOUT_MS, ...options };
    const answer = await this.#call("POST", "/v1/recall", asked, wait);
    return Array.isArray(answer.results) ? (answer.results as Hit[]) : [];
  }

  /** One memory with the exact words it rests on; undefined when there is none of that id. */
  async memory(id: string, options: Options = {}): Promise<Record<string, unknown> | undefined> {
    const wait = { timeoutMs: TOOL_TIMEOUT_MS, ...options };
    try {
      return await this.#call("GET", `/v1/memories/${encodeURIComponent(id)}`, undefined, wait);
    } catch (error) {
      if (error instanceof ServerTrouble && error.status === 404) return undefined;
      throw error;
    }
  }

  /** What would go (`confirm` false) or the receipt of what went. */
  async forget(
    what: { id: string } | { match: string }, confirm: boolean, options: Options = {},
  ): Promise<Record<string, unknown>> {
    const wait = { timeoutMs: TOOL_TIMEOUT_MS, ...options };
    return await this.#call("POST", "/v1/forget", { ...what, confirm }, wait);
  }

  /**
   * Logs events, and tells which of them are none, and why. Safe to repeat: an event that is there
   * already counts as a duplicate.
   */
  async log(events: LoggedEvent[], space?: string, options: Options = {}): Promise<NotTaken[]> {
    const wait = { timeoutMs: DELIVERY_TIMEOUT_MS, ...options };
    const answer = await this.#call("POST", "/v1/events", { events }, wait, space);
    const skipped = Array.isArray(answer.skipped) ? answer.skipped.filter(isRecord) : [];
    return skipped.flatMap((one) => {
      const event = events[Number(one.line) - 1];
      return event === undefined ? [] : [{ event, reason: String(one.reason) }];
    });
  }

  /** Resolves when the server answers; else throws what is wrong. */
  async health(options: Options = {}): Promise<Record<string, unknown>> {
    return await this.#call("GET", "/healthz", undefined, { timeoutMs: 3_000, ...options });
  }

  async #call(
    method: "GET" | "POST", path: string, body: unknown, options: Options, space?: string,
  ): Promise<Record<string, unknown>> {
    const url = new URL(this.settings.baseUrl + path);
    const room = space ?? this.settings.space;
    if (room && path !== "/healthz") url.searchParams.set("space", room);
    const waits = [AbortSignal.timeout(options.timeoutMs ?? this.settings.timeoutMs)];
    if (options.signal) waits.push(options.signal);
    let response: Response;
    let answer: string;
    try {
      response = await this.#fetch(url, {
        method,
        headers: this.#headers(body !== undefined),
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any(waits),
        redirect: "error", // the token must not follow a redirect to somebody else
      });
      answer = await response.text();
    } catch (error) {
      throw this.#unreachable(error);
    }
    const value = parsed(answer);
    if (!response.ok) throw this.#refusal(response.status, value, answer);
    if (!isRecord(value)) {
      throw new ServerTrouble(
        "broken", `${this.settings.baseUrl} answers, but not as a Slowwave server. Check baseUrl.`,
      );
    }
    return value;
  }

  #headers(withBody: boolean): Record<string, string> {
    return {
      accept: "application/json",
      "user-agent": "slowwave-openclaw",
      ...(withBody ? { "content-type": "application/json" } : {}),
      ...(this.settings.token ? { authorization: `Bearer ${this.settings.token}` } : {}),
    };
  }

  #unreachable(error: unknown): ServerTrouble {
    const late = error instanceof Error && error.name === "TimeoutError";
    const what = late ? "did not answer in time" : `cannot be reached (${reason(error)})`;
    return new ServerTrouble(
      "away", `The Slowwave server ${this.settings.baseUrl} ${what}. Start it: slowwave serve`,
    );
  }

  #refusal(status: number, value: unknown, raw: string): ServerTrouble {
    const said = isRecord(value) ? (text(value.detail) ?? text(value.title)) : undefined;
    const hint = isRecord(value) ? text(value.hint) : undefined;
    const words = [said ?? raw.slice(0, 200).trim(), hint].filter(Boolean).join(". ");
    if (status === 401 || status === 403) {
      return new ServerTrouble(
        "denied",
        `Slowwave does not let this plugin in (${status}${words ? `: ${words}` : ""}). ` +
          "Set plugins.entries.slowwave.config.token or SLOWWAVE_TOKEN to a token that may log and " +
          "read this space (forgetting needs admin): slowwave token --help",
        status,
      );
    }
    // Too many, too early, gone for the moment: the same request is right later.
    const passing = status === 408 || status === 425 || status === 429 || status >= 500;
    const kind: Trouble = passing ? "broken" : "refused";
    return new ServerTrouble(kind, `Slowwave answered ${status}${words ? `: ${words}` : ""}`, status);
  }
}

/** What an error says, with its cause (fetch hides the reason there). */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  if (cause instanceof Error) {
    const code = (cause as NodeJS.ErrnoException).code;
    return code ?? (cause.message || error.message);
  }
  return error.message;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
