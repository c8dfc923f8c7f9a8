/** `/slowwave` in a chat and `openclaw slowwave status`: what works, what waits, what to do. */

import type { Outbox } from "./outbox.ts";
import { reason, type Slowwave } from "./server.ts";

export type StatusParts = {
  server: Slowwave;
  outbox: Outbox;
  directory: string;
  /** Whether OpenClaw gave the plugin its conversation hooks; undefined when it cannot be told. */
  hooks: boolean | undefined;
  /** Why the last turn went on without memory, if it did. */
  lastError: string | undefined;
};

export type Status = {
  server: string;
  reachable: boolean;
  error?: string;
  space: string;
  mode: string;
  waiting: number;
  rejected: number;
  state: string;
  advice: string[];
};

export async function statusOf(parts: StatusParts): Promise<Status> {
  const { settings } = parts.server;
  const advice: string[] = [];
  let error: string | undefined;
  try {
    await parts.server.health();
    await parts.server.recall({ query: "status", k: 1, caller: "job" }, { timeoutMs: 5_000 });
  } catch (problem) {
    error = reason(problem);
    advice.push(error);
  }
  if (parts.lastError) advice.push(`The last turn went on without memory: ${parts.lastError}`);
  const { batches, rejected, lastError } = await parts.outbox.waiting();
  if (batches > 0) advice.push(`Turns wait for the server, none is lost: ${lastError ?? "not tried yet"}`);
  if (rejected > 0) advice.push(`The server did not take ${rejected} events: see ${parts.directory}/rejected`);
  if (parts.hooks === false) {
    advice.push(
      "OpenClaw does not let this plugin see conversations: set " +
        "plugins.entries.slowwave.hooks.allowConversationAccess to true. Until then nothing is " +
        "captured and nothing is put before a turn.",
    );
  }
  return {
    server: settings.baseUrl, reachable: error === undefined, ...(error ? { error } : {}),
    space: settings.space ?? "(the token's own, else default)", mode: settings.mode,
    waiting: batches, rejected, state: parts.directory, advice: [...new Set(advice)],
  };
}

export function statusText(status: Status): string {
  return [
    `Slowwave: ${status.reachable ? "answers" : "does not answer"} (${status.server}, mode ${status.mode})`,
    `Space: ${status.space}`,
    `Waiting for delivery: ${status.waiting} batches · not taken: ${status.rejected}`,
    ...status.advice.map((line) => `→ ${line}`),
  ].join("\n");
}
