/** A small Slowwave server for tests: remembers what it was asked, answers as it is told. */

import { createServer, type IncomingMessage } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import type { LoggedEvent } from "../src/server.ts";
import { settingsFrom, type Settings } from "../src/settings.ts";

export type Asked = { method: string; path: string; space: string | null; token: string; body: any };
type Answer = { status?: number; body?: unknown; delayMs?: number };
export type Answers = (asked: Asked) => Answer | undefined;

export type Fake = { url: string; asked: Asked[]; answer: Answers; events(): LoggedEvent[] };

/** Starts the server; it ends with the test. `answer` can be changed at any time. */
export async function fakeServer(t: TestContext, answer: Answers = () => undefined): Promise<Fake> {
  const fake: Fake = {
    url: "", asked: [], answer,
    events: () => fake.asked.filter((one) => one.path === "/v1/events").flatMap((one) => one.body.events),
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://here");
    const asked: Asked = {
      method: request.method ?? "", path: url.pathname, space: url.searchParams.get("space"),
      token: (request.headers.authorization ?? "").replace("Bearer ", ""), body: await bodyOf(request),
    };
    fake.asked.push(asked);
    const { status = 200, body = usual(asked), delayMs = 0 } = fake.answer(asked) ?? {};
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function usual(asked: Asked): unknown {
  if (asked.path === "/v1/context") return { text: "", tokens: 0, items: [], ledger_id: "l1" };
  if (asked.path === "/v1/recall") return { query: asked.body.query, results: [], took_ms: 1 };
  if (asked.path === "/v1/events") return { events: asked.body.events.map(() => ({ id: "e" })), duplicates: 0 };
  return { status: "ok" };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let words = "";
  for await (const part of request) words += String(part);
  return words ? JSON.parse(words) : undefined;
}

/** A folder of its own, gone after the test. */
export async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "slowwave-openclaw-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

export function settings(baseUrl: string, more: Record<string, unknown> = {}): Settings {
  return settingsFrom({ baseUrl, ...more }, {});
}

/** A log that can be read. */
export function quiet(): { lines: string[]; info(words: string): void; warn(words: string): void } {
  const lines: string[] = [];
  return { lines, info: (words) => void lines.push(words), warn: (words) => void lines.push(words) };
}

/** An address where nobody listens. */
export const NOBODY = "http://127.0.0.1:9";

export function event(text: string, ref = text): LoggedEvent {
  return { ref, role: "user", session: "s1", kind: "message", origin: "owner", text, client: "openclaw" };
}
